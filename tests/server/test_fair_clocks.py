"""Players are charged for their own time and for nothing else, whatever the server does meanwhile."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass

import pytest

from boyi.server.engines.pool import Chosen
from boyi.server.fair_clock import BEAT_MS, LATE_MS, NOTED_MS, FairClock
from boyi.server.protocol.events import Away, Back, Ended, Handed, Moved, Said, Stalled
from boyi.server.room_clock import RETURN_MS, RoomClock
from boyi.server.rooms import EngineRequest, clock
from tests.scale import scaled
from tests.server.scripted import House, Player, ScriptedLoop, run

UNSEEN_MS = BEAT_MS + LATE_MS
"""How much of a stall may be charged."""

ROUNDING_MS = 3
"""Whole milliseconds, at both ends and in the script's own timers."""


@dataclass
class Turn:
    """A turn as the player lived it."""

    began_ms: int
    """When the server told them."""

    own_ms: int
    """How long they thought, and how long their frames travelled."""

    sent_ms: int = 0
    """When the server could hear of their move."""


class Habit:
    """Makes a player move after thinking for some time; what could not be saved they send again."""

    def __init__(self, house: House, player: Player, generator: random.Random, longest_ms: int) -> None:
        self.turns: list[Turn] = []
        self._house, self._player, self._generator, self._longest_ms = house, player, generator, longest_ms
        player.on_turn = self._think

    def _think(self) -> None:
        player, loop = self._player, self._house.loop
        own_ms = player.lag_ms + self._generator.randrange(self._longest_ms)
        turn = Turn(player.told_ms, own_ms)
        self.turns.append(turn)

        def send() -> None:
            assert player.turn is not None
            turn.sent_ms = loop.ms
            player.ask("move", move=player.turn["moves"][0]["text"])
            number = player._number
            loop.create_task(again_if_refused(number))

        async def again_if_refused(number: int) -> None:
            while not any(answer["id"] == number for answer in player.answers):
                await asyncio.sleep(0.005)
            answer = next(answer for answer in player.answers if answer["id"] == number)
            if answer["type"] == "nack":
                assert answer["code"] == "storage", answer
                waits_ms = player.lag_ms + self._generator.randrange(500)
                turn.own_ms += waits_ms + 10   # until the script looks at the answer
                loop.later(waits_ms, send)

        loop.later(own_ms, send)


def charged(house: House, seat: int) -> list[int]:
    """What each turn of a seat cost, with what was given back for the network."""
    return [move.spent_ms + move.credit_ms for move in house.bodies(Moved) if move.seat == seat and not move.forced]


@pytest.mark.parametrize("seed", range(max(8, scaled(300, 40))))
def test_nobody_is_charged_for_the_server(seed: int) -> None:
    """Stalls, slow and failing commits, lag, chat and offers at any time, in any order."""
    generator = random.Random(seed)
    stalls: list[tuple[int, int]] = []

    async def scene(loop: ScriptedLoop) -> None:
        house = await House.open(loop, 600_000, lags_ms=[generator.choice([0, 30, 200]) for _ in range(2)])
        slow = generator.random() * 0.3
        house.disk.commit_ms = lambda: (
            generator.randrange(100, 8000) if generator.random() < slow else generator.randrange(1, 15))

        def stall() -> None:
            length = generator.choice([20, 60, 150, 900, 9000])
            stalls.append((loop.ms, loop.ms + length))
            loop.stall(length)

        def fail() -> None:
            house.disk.is_full = True
            loop.later(generator.randrange(50, 3000), lambda: setattr(house.disk, "is_full", False))

        def speak() -> None:
            generator.choice(house.players).ask("chat", text="hm")

        def offer() -> None:
            house.players[0].ask("offer_draw")

        fails = seed % 2 == 1
        acts = [stall, stall, speak, speak, offer, *[fail] * fails]
        for _ in range(60):
            loop.later(generator.randrange(120_000), generator.choice(acts))
        habits = [Habit(house, player, generator, 4000) for player in house.players]
        habits[0]._think()   # whose turn it was before they had the habit
        await house.until(lambda: house.plies >= 24)

        for seat, habit in enumerate(habits):
            costs = charged(house, seat)
            assert len(costs) >= 5
            for turn, cost in zip(habit.turns, costs, strict=False):
                met = [(max(begin, turn.began_ms), min(end, turn.sent_ms)) for begin, end in stalls
                       if begin <= turn.sent_ms and end >= turn.began_ms]
                assert cost <= turn.own_ms + UNSEEN_MS * len(met) + ROUNDING_MS, (turn, cost, met)
                if not fails:   # then nothing is given but the stalls
                    assert cost >= turn.own_ms - sum(end - begin for begin, end in met) - ROUNDING_MS, (turn, cost, met)
            lags = [move.credit_ms for move in house.bodies(Moved) if move.seat == seat]
            assert sum(lags) <= clock.BANK_MS + clock.REFILL_MS * len(lags)
        assert not house.bodies(Ended)
        assert all(body.ms >= NOTED_MS for body in house.bodies(Stalled))
    run(scene)


def test_a_stall_is_given_back_and_written_down() -> None:
    async def scene(loop: ScriptedLoop) -> None:
        house = await House.open(loop, 5_000)
        ada, bob = house.players
        assert ada.turn is not None
        await asyncio.sleep(1)
        loop.stall(9_000)   # longer than she has
        await asyncio.sleep(1)
        ada.ask("move", move="f5")
        await house.until(lambda: len(house.bodies(Moved)) == 1)
        (spent,) = charged(house, 0)
        assert 2_000 - ROUNDING_MS <= spent <= 2_000 + UNSEEN_MS + ROUNDING_MS
        (stalled,) = house.bodies(Stalled)
        assert 9_000 - UNSEEN_MS <= stalled.ms <= 9_000
        assert house.disk.events.index(next(event for event in house.disk.events if event.body is stalled)) \
            < house.disk.events.index(next(event for event in house.disk.events if isinstance(event.body, Moved)))
        # A short one is given back in silence.
        await asyncio.sleep(0.5)
        loop.stall(NOTED_MS)
        bob.ask("move", move="d6")
        await house.until(lambda: len(house.bodies(Moved)) == 2)
        assert len(house.bodies(Stalled)) == 1
        assert charged(house, 1)[0] <= 500 + UNSEEN_MS + ROUNDING_MS + 10   # the script looked 10 ms later
    run(scene)


@pytest.mark.parametrize("before", ["", "chat", "others"], ids=["alone", "behind_own_chat", "behind_the_other"])
def test_a_move_counts_from_its_arrival(before: str) -> None:
    """The database is locked for eight seconds; the player has five, and moves after two."""
    async def scene(loop: ScriptedLoop) -> None:
        house = await House.open(loop, 5_000)
        ada, bob = house.players
        await asyncio.sleep(1)
        house.disk.commit_ms = lambda: 8_000
        if before == "chat":
            ada.ask("chat", text="hm")
        elif before == "others":
            bob.ask("chat", text="hm")
        await asyncio.sleep(1)
        ada.ask("move", move="f5")
        await asyncio.sleep(0.1)
        house.disk.commit_ms = lambda: 3
        await house.until(lambda: len(house.bodies(Moved)) == 1)
        assert abs(charged(house, 0)[0] - 2_000) <= ROUNDING_MS
        await house.until(lambda: bob.turn is not None)
        assert bob.told_ms >= 8_000
        loop.later(1_000, lambda: bob.ask("move", move="d6"))   # a second after he was told
        await house.until(lambda: len(house.bodies(Moved)) == 2)
        assert abs(charged(house, 1)[0] - (loop.ms - bob.told_ms)) <= 10 + ROUNDING_MS
        assert [body.ms >= 5_000 for body in house.bodies(Stalled)] == [True]
        assert not house.bodies(Ended)
    run(scene)


def test_a_flag_falls_by_fair_time_only() -> None:
    async def scene(loop: ScriptedLoop) -> None:
        house = await House.open(loop, 5_000)
        began = loop.ms
        await asyncio.sleep(1)
        loop.stall(30_000)
        await house.until(lambda: bool(house.bodies(Ended)))
        own_ms = loop.ms - began - 30_000
        looked_ms = 20   # how late the script may notice
        assert abs(own_ms - (5_000 + clock.MOST_CREDIT_MS)) <= UNSEEN_MS + looked_ms + ROUNDING_MS
        assert house.bodies(Ended)[0].places == [2, 1]
    run(scene)


def test_the_ai_does_not_lose_on_time_by_a_full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answer came in time; it is tried again until it could be saved."""
    async def scene(loop: ScriptedLoop) -> None:
        house = await House.open(loop, 5_000)
        ada, bob = house.players

        async def choose(request: EngineRequest, _payer: str) -> Chosen:
            await asyncio.sleep(4.9)
            return Chosen(request.observation.moves()[0])

        monkeypatch.setattr(house.lobby.engines, "choose", choose)
        ada.ask("hand_over", level=1)
        await asyncio.sleep(1)
        house.disk.is_full = True
        await asyncio.sleep(30.3)
        house.disk.is_full = False
        await house.until(lambda: bob.turn is not None or bool(house.bodies(Ended)))
        assert not house.bodies(Ended)
        assert abs(charged(house, 0)[0] - 4_900) <= UNSEEN_MS
    run(scene)


@pytest.mark.parametrize("disk_ms", [5, 200])
@pytest.mark.parametrize("how", ["chat", "hands", "friend"])
def test_nobody_gains_time_by_causing_commits(how: str, disk_ms: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten seconds are thought about a move, while the player or a friend keeps the disk busy."""
    async def scene(loop: ScriptedLoop) -> None:
        house = await House.open(loop, 60_000)
        monkeypatch.setattr(house.lobby.engines, "choose", lambda *_: asyncio.sleep(3_600))   # no AI moves for her
        ada, _ = house.players
        friend = Player(house, "cyd")
        friend.ask("join")
        await asyncio.sleep(1)
        began_ms = ada.told_ms
        house.disk.commit_ms = lambda: disk_ms
        for number in range(20):
            match how:
                case "chat":
                    ada.ask("chat", text="hm")
                case "friend":
                    friend.ask("chat", text="hm")
                case "hands":
                    ada.ask("hand_over" if number % 2 == 0 else "resume", **({"level": 1} if number % 2 == 0 else {}))
            await asyncio.sleep(0.5)
        ada.ask("move", move="f5")
        sent_ms = loop.ms
        await house.until(lambda: bool(charged(house, 0)))
        assert len(house.bodies(Said)) + len(house.bodies(Handed)) >= 5
        once_ms = disk_ms if how == "hands" else 0   # the first change of hands is given back
        assert charged(house, 0)[0] >= sent_ms - began_ms - once_ms - ROUNDING_MS
    run(scene)


def test_the_clock_waits_for_a_player_after_a_start() -> None:
    """The server cut the connection: it waits as long as clients wait before they try again."""
    times = [0]
    fair = FairClock(lambda: times[0])
    room = RoomClock(fair, 7_000, (3, False), waits=True)
    times[0] += 4_000
    assert room.now_ms() == 7_000
    room.player_is_back()
    times[0] += 500
    assert room.now_ms() == 7_500
    room = RoomClock(fair, 7_000, (3, False), waits=True)
    times[0] += RETURN_MS + 200
    assert room.now_ms() == 7_200   # they did not come


def test_after_a_restart_the_clock_begins_when_the_player_is_told() -> None:
    async def scene(loop: ScriptedLoop) -> None:
        house = await House.open(loop, 60_000)
        await asyncio.sleep(2)
        house.players[0].ask("chat", text="hm")   # the last that is known of the time
        await asyncio.sleep(0.1)
        house.restart()
        await asyncio.sleep(3)
        bob = Player(house, "bob")
        await asyncio.sleep(5)
        ada = Player(house, "ada")
        await house.until(lambda: ada.turn is not None)
        await asyncio.sleep(1)
        ada.ask("move", move="f5")
        sent_ms = loop.ms
        await house.until(lambda: bob.turn is not None)
        assert abs(charged(house, 0)[0] - 2_000 - (sent_ms - ada.told_ms)) <= 10 + ROUNDING_MS
    run(scene)


def test_who_does_not_come_back_after_a_restart_is_away() -> None:
    """Also if it was another player whom the room was loaded for."""
    async def scene(loop: ScriptedLoop) -> None:
        house = await House.open(loop, 600_000)
        house.restart()
        ada = Player(house, "ada")
        await asyncio.sleep(RETURN_MS / 1000 + 1)
        assert [body.person for body in house.bodies(Away)] == ["bob"]
        await asyncio.sleep(100)
        ada.ask("claim")
        await house.until(lambda: bool(house.bodies(Ended)))
    run(scene)


def test_nothing_is_given_back_twice() -> None:
    times = [0]
    room = RoomClock(FairClock(lambda: times[0]), 0, (3, False))
    times[0] = 8_000
    room.failed(0)         # one request from 0 to 8 s
    times[0] = 16_000
    room.failed(3_000)     # another one that arrived meanwhile
    assert room.now_ms() == 0 and room.stalled_ms == 16_000
    assert room.at(3_000) == 0 and room.at(-500) == -500 and room.at(17_000) == 1_000


@pytest.mark.parametrize("when", ["leaving", "coming"])
def test_a_full_disk_does_not_make_a_player_absent(when: str) -> None:
    """It is full for 0.8 seconds while a player connects again: they are here, and cannot be claimed as away."""
    async def scene(loop: ScriptedLoop) -> None:
        house = await House.open(loop, 600_000)
        ada, bob = house.players
        house.disk.is_full = when == "leaving"
        bob.leave()
        await asyncio.sleep(0.1)
        assert len(house.bodies(Away)) == (when == "coming")
        house.disk.is_full = True
        bob = Player(house, "bob")
        loop.later(800, lambda: setattr(house.disk, "is_full", False))
        await asyncio.sleep(100)   # longer than anyone must wait
        ada.ask("claim")
        await house.until(lambda: bool(ada.answers))
        assert ada.answers[-1]["code"] == "not_away"
        assert [person.away_until for person in house.hosted.room.state.persons] == [None, None]
        assert len(house.bodies(Away)) == len(house.bodies(Back))
    run(scene)


def test_who_is_gone_is_noticed_after_a_failure() -> None:
    async def scene(loop: ScriptedLoop) -> None:
        house = await House.open(loop, 600_000)
        ada, bob = house.players
        house.disk.is_full = True
        bob.leave()
        await asyncio.sleep(5)
        house.disk.is_full = False
        await asyncio.sleep(100)
        ada.ask("claim")
        await house.until(lambda: bool(house.bodies(Ended)))
        assert house.bodies(Ended)[0].reason == "abandoned"
    run(scene)
