"""A room as a whole: whole games, any sequence of commands, and replay."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from boyi.core.draws import draws_of
from boyi.games import find_game
from boyi.server.protocol import events, messages
from boyi.server.protocol.events import Event
from boyi.server.protocol.messages import (
    AnswerDraw,
    AnswerTakeback,
    Chat,
    Claim,
    HandOver,
    Join,
    Leave,
    Move,
    OfferDraw,
    OfferTakeback,
    Ready,
    Rematch,
    Resign,
    Resume,
    SetAi,
    Sit,
    Stand,
    Start,
)
from boyi.server.protocol.parts import ClockRule
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import Decision, EngineMove, Identity, Moment, Room, Tick, asking, telling
from tests.scale import scaled
from tests.server import Table, history_of
from tests.server.playing import KINDS, SIX
from tests.server.rooms import result


@pytest.mark.parametrize(("game", "options"), KINDS, ids=[f"{game}-{rest.get('players', 2)}" for game, rest in KINDS])
def test_whole_game_of_people_and_ai(game: str, options: dict[str, Any]) -> None:
    """A client that hears the events knows what a newcomer is told (`Table` compares); replay gives the same room."""
    generator = random.Random(f"{game} {options}")
    players = find_game(game).start(**options).players
    table = Table(game, options).seat(*SIX[:players - 1], 3)
    for seat in table.play_out(generator):
        last = telling.last_move(table.room, seat, None)
        assert last is not None and last.before
        person = table.room.state.seats[seat].person
        if person is not None and table.turn is not None and generator.random() < 0.1:
            handed = table.room.state.seats[seat].level is not None
            table.do(person, Resume) if handed else table.do(person, HandOver, level=2)
    assert table.room.state.phase == "finished"
    again = Room.replay("table", table.events)
    assert msgspec.to_builtins(again.state) == msgspec.to_builtins(table.room.state)
    record = telling.record(table.room)
    position = record.replay()
    outcome = position.outcome()
    assert outcome is not None and list(outcome.places) == result(table).places
    if position.game.has_chance:
        draws_of(position.game).verify(position, bytes.fromhex(record.tags["Seed"]), record.tags["Commitment"])


def test_events_follow_without_gaps() -> None:
    table = Table()
    with pytest.raises(ValueError, match="cannot follow"):
        table.room.apply(Event(5, 0, events.Paused()))
    table.do("ada", Join)
    with pytest.raises(ValueError, match="not the last"):
        table.room.public(table.events[0], None)
    with pytest.raises(Refusal):
        table.room.decide(EngineMove(0, 0, 0, 0), Moment(0))


@pytest.mark.parametrize("seed", range(max(3, scaled(100))))
def test_any_sequence_of_commands(seed: int) -> None:
    """Whatever people try, in whatever order: refusals change nothing, all viewers agree, replay gives the same."""
    generator = random.Random(seed)
    game, options = generator.choice([("tic_tac_toe", {}), ("othello", {}), ("jieqi", {}),
                                      ("chinese_checkers", {"players": 3, "turn_limit": 4})])
    table = Table(game, options, clock=generator.choice([None, ClockRule(30_000, 500)]),
                  ai_on_flag=generator.random() < 0.5, ai_on_disconnect=generator.random() < 0.5)
    people = ("ada", "bob", "cyd")
    seats = len(table.room.state.seats)
    table.seat(*people[:seats])
    for _ in range(200):
        table.now += generator.choice([0, 0, 0, 0, 0, 0, 10, 10, 700, 8_000])
        if table.room.state.phase == "finished":
            for one in people:
                with contextlib.suppress(Refusal):
                    table.do(one, Rematch)
        person, seat = generator.choice(people), generator.randrange(seats + 1)
        turn = telling.turn(table.room, table.room.viewer(person))
        move = generator.choice(turn.moves).text if turn is not None else "pass"
        commands: list[tuple[Any, dict[str, Any]]] = [
            (Join, {}), (Sit, {"seat": seat}), (Ready, {}), (Start, {}), (Stand, {}), (Rematch, {}),
            *[(Move, {"move": move})] * 12, *([(Leave, {})] if generator.random() < 0.05 else []), (OfferDraw, {}),
            (AnswerDraw, {"accept": seat > 0}), (OfferTakeback, {}),
            (AnswerTakeback, {"accept": seat > 0}), (HandOver, {"level": 3}), (Resume, {}), (Claim, {}),
            (SetAi, {"seat": seat, "level": 2}), (Chat, {"text": "hm"}), *([(Resign, {})] if seat == 0 else [])]
        kind, fields = generator.choice(commands)
        with contextlib.suppress(Refusal):
            table.do(person, kind, **fields)
        try:
            table.internal(Tick())
            table.presence(person, generator.random() < 0.9)
        except Refusal as refusal:
            assert refusal.code == "closed"
        if asking.engine_request(table.room, table.now) is not None:
            try:
                table.internal(table.answer(generator))
            except Refusal as refusal:
                assert refusal.code == "flag"
        if table.room.state.phase == "closed":
            break
    again = Room.replay("table", table.events)
    for viewer in (None, *range(seats)):
        assert msgspec.to_builtins(telling.view(again, viewer)) == msgspec.to_builtins(telling.view(table.room, viewer))
    assert again.deadline() == table.room.deadline()


@pytest.mark.parametrize("game", ["tic_tac_toe", "jieqi", "chinese_checkers"])
def test_a_room_of_many_games_comes_back_the_same_without_their_moves(game: str) -> None:
    """Games that were followed by another one are passed over; nothing that matters is forgotten with them."""
    table = Table(game, check=False, clock=ClockRule(600_000)).seat("ada", "bob")
    generator = random.Random(4)
    for number in range(4):
        for ply, seat in enumerate(table.play_out(generator, 6)):
            if ply == 2 and table.turn is not None:
                table.do(table.person(seat), messages.OfferDraw)
                table.do(table.person(seat), messages.HandOver, level=1)
                table.do(table.person(seat), messages.Resume)
            table.now += 300
        table.do("ada", messages.Chat, text=f"game {number}")
        if table.turn is not None:
            table.do("ada", messages.Resign)
        if number == 1:
            table.do("eve", messages.Join)
            table.do("ada", messages.Kick, person="eve")
        for person in ("ada", "bob"):
            table.do(person, messages.Rematch)
    for _ in table.play_out(generator, 3):
        pass
    step_by_step = Room("table")
    for event in table.events:
        step_by_step.apply(event)
    replayed = Room.replay("table", table.events)
    assert msgspec.to_builtins(replayed.state) == msgspec.to_builtins(step_by_step.state)
    for room in (replayed, step_by_step):
        assert room.requests == table.room.requests and room.banned == table.room.banned == {"eve"}
    for name in ("log", "banks_ms", "seed", "offered_at", "offer_seq", "ended"):
        assert getattr(replayed.refereed, name) == getattr(step_by_step.refereed, name), name
    for viewer in (None, 0, 1):
        assert messages.encode(messages.Room(telling.view(replayed, viewer))) == messages.encode(
            messages.Room(telling.view(step_by_step, viewer)))
        assert history_of(replayed, viewer) == history_of(step_by_step, viewer)
    assert replayed.deadline() == step_by_step.deadline()


@pytest.mark.parametrize(("game", "options"), KINDS, ids=[f"{game}-{rest.get('players', 2)}" for game, rest in KINDS])
def test_a_move_as_numbers_is_the_same_as_its_text(game: str, options: dict[str, Any]) -> None:
    """What a decision says in numbers is what is read from the stored texts."""
    table = Table(game, options, check=False, seed=bytes(range(32)))
    twin = Room("table")
    numbers = []

    def commit(decision: Decision) -> Decision:
        for event in decision.events:
            numbers.append(decision.moves.get(event.seq, ()))
            table.room.apply(event, numbers[-1])
            twin.apply(event)
            assert table.room.refereed.position.history() == twin.refereed.position.history()
            assert messages.encode(table.room.public(event, 0)) == messages.encode(twin.public(event, 0))
        return decision

    table.seat(*SIX[:find_game(game).start(**options).players])
    for event in table.events:
        twin.apply(event)
    table.commit = commit  # type: ignore[method-assign]
    for _ in table.play_out(random.Random(5), 25):
        pass
    if table.turn is not None:
        table.do(table.person(table.turn), messages.Resign)
    assert sum(map(len, numbers)) == len(twin.refereed.position.history()) > 0


def test_a_move_is_read_once_and_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(check=False).seat("ada", "bob")
    table.play("a1")
    kind: Any = type(table.room.refereed.position)
    counts = Counter[str]()

    def count(name: str) -> None:
        real = getattr(kind, name)

        def counted(position: Any, value: Any) -> Any:
            counts[name] += 1
            return real(position, value)

        monkeypatch.setattr(kind, name, counted)

    count("parse_moves")
    count("format_moves")
    decision = table.room.decide(
        Move(id=99, seen=table.room.seq, move="b2"), table.moment(), Identity("bob", "Bob", False, "c"))
    for event in decision.events:
        table.room.apply(event, decision.moves[event.seq])
        messages.encode(table.room.public(event, None))
    assert counts == {"parse_moves": 1, "format_moves": 1}
