"""What comes next in a room: the clock rings, the AI moves, or answers to a draw that it was offered.

A room has at most one question for a move at the engines, and it is the one that the room now asks: whatever makes an
answer void (a new epoch, a take-back, the end of the game) withdraws it at once. So it is with hints.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

from boyi.core.position import Position
from boyi.server import drawing
from boyi.server.protocol.refusals import Refusal
from boyi.server.protocol.study import AnalysedLine
from boyi.server.rooms import EngineAnswer, EngineMove, EngineRequest, Tick, asking

if TYPE_CHECKING:
    from boyi.server.hosted import Hosted

RETRY_SECONDS = 1.0
"""When to try again what could not be saved."""

SOONEST_SECONDS = 0.02
"""How soon a timer may ring: what is due already and did not happen waits for something that is being done."""

MOST_PAUSE = 1 / 60
"""The most that the AI waits before a move it had ready sooner, as a fraction of its clock."""


MOST_CONSIDERED_SECONDS = 4.0
"""How long a move of the AI waits for its answer to a draw, where it has no clock."""


class LookAhead:
    """Sees to it that what is due in a room happens."""

    def __init__(self, hosted: Hosted) -> None:
        self._hosted = hosted
        self._timer: asyncio.TimerHandle | None = None
        self._asked: tuple[int, int, int] | None = None
        """The key of what the AI is asked."""

        self._answered: tuple[tuple[int, int, int], int] | None = None
        """The key of what the AI has answered, and when, on the server's fair clock."""

        self._asking: asyncio.Task[None] | None = None
        """What waits for its answer."""

        self._hints: dict[asyncio.Task[AnalysedLine], int] = {}
        """What waits for hints, and the turn that each is for."""

        self._considered: dict[tuple[int, int], asyncio.Task[None]] = {}
        """What considers draws, by the seat of the AI and the offer (`asking.draws_to_consider`)."""

    @property
    def is_asking(self) -> bool:
        return self._asked is not None

    @property
    def unheard_ms(self) -> int | None:
        """When an answer of the AI arrived that is not carried out yet, on the server's fair clock."""
        return self._answered[1] if self._answered is not None and self._answered[0] == self._asked else None

    def look(self) -> None:
        """After each change of the room: set the timer, and ask the AI if it is to act."""
        self._stop_timer()
        lobby, room = self._hosted.lobby, self._hosted.room
        lobby.played.follow(room)
        deadline = room.deadline(self._hosted.audience.connected)
        if deadline is not None and not lobby.stopping:
            # The room's clock may stand still meanwhile: then the timer rings early, and is set again.
            delay = max(SOONEST_SECONDS, (deadline - self._hosted.now()) / 1000)
            self._timer = asyncio.get_running_loop().call_later(delay, self._ring)
        game = room.state.game
        for hint, turn_seq in self._hints.items():
            if game is None or game.turn_seq != turn_seq or room.state.phase != "playing":
                hint.cancel()
        for offer in [] if lobby.stopping else asking.draws_to_consider(room):
            if offer not in self._considered:
                self._considered[offer] = lobby.tasks.spawn(self._consider(*offer))
        key = None if lobby.stopping else asking.engine_turn(room)
        if key != self._asked:
            self._withdraw()
            self._asked = key
            if key is not None:
                self._asking = lobby.tasks.spawn(self._ask(key))

    def stop(self) -> None:
        """No timer rings any more, and nothing is asked."""
        self._stop_timer()
        self._withdraw()
        for task in (*self._hints, *self._considered.values()):
            task.cancel()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _withdraw(self) -> None:
        """Nobody wants the answer any more."""
        self._asked = None
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None

    def _ring(self) -> None:
        self._timer = None
        self._hosted.lobby.tasks.spawn(self._hosted.perform_later(Tick()))

    async def _ask(self, key: tuple[int, int, int]) -> None:
        """Have the AI move. The key tells which question it answers; a later one makes the answer void."""
        hosted, lobby, loop = self._hosted, self._hosted.lobby, asyncio.get_running_loop()
        request = asking.engine_request(hosted.room, hosted.now())
        if request is None or request.key != key:
            return
        began = loop.time()
        chosen = await lobby.engines.choose(request, asking.engine_payer(hosted.room))
        pause = shortest_time(request, lobby.config.engine_pause)
        await asyncio.sleep(max(0.0, pause - (loop.time() - began)))
        if self._considered:   # a draw is answered before the next move, which would be an answer, too
            await asyncio.wait(self._considered.values(), timeout=shortest_time(request, MOST_CONSIDERED_SECONDS))
        self._asking = None   # from here on there is nothing to withdraw: the room itself knows what is void
        arrived_ms = lobby.clock.now_ms()
        self._answered = key, arrived_ms
        while self._asked == key and not lobby.stopping:
            try:
                await hosted.carry_out(EngineMove(*key, chosen.move, chosen.fallback), arrived_ms=arrived_ms)
                return
            except Refusal as refusal:
                if refusal.code != "storage":
                    return   # stale, or the flag has fallen: both are seen to elsewhere
                await asyncio.sleep(RETRY_SECONDS)

    async def _consider(self, seat: int, offer_seq: int) -> None:
        """Have the AI answer to a draw: it thinks about it in a quiet game, and agrees when the odds are even."""
        hosted, lobby = self._hosted, self._hosted.lobby
        try:
            observation = hosted.room.views.observe(seat).copy()
            why: Literal["", "early", "plays_on"] = "early"
            if observation.game.quiet_plies_field is None:
                why = "plays_on"
            await asyncio.sleep(lobby.config.engine_pause)
            if drawing.is_quiet(observation):
                try:
                    line = await lobby.engines.hint(observation, asking.engine_payer(hosted.room))
                    why = drawing.judge(line.odds)
                except Refusal:
                    why = "plays_on"   # no engine is free
            while not lobby.stopping:
                try:
                    await hosted.carry_out(EngineAnswer(seat, offer_seq, why))
                    return
                except Refusal as refusal:
                    if refusal.code != "storage":
                        return   # the offer does not stand any more
                    await asyncio.sleep(RETRY_SECONDS)
        finally:
            del self._considered[seat, offer_seq]

    async def hint(self, observation: Position, turn_seq: int, person: str, notation: str) -> AnalysedLine:
        """The strongest line in a person's place; refused when the turn is over before it is known."""
        lobby = self._hosted.lobby
        hint: asyncio.Task[AnalysedLine] = lobby.tasks.spawn(lobby.engines.hint(observation, person, notation))
        self._hints[hint] = turn_seq
        try:
            await asyncio.wait({hint})
            if hint.cancelled():
                raise Refusal("stale")
            return hint.result()
        finally:
            del self._hints[hint]
            hint.cancel()


def shortest_time(request: EngineRequest, pause: float) -> float:
    """The seconds that the AI takes at least for a move, so that people see the one before it; little of its clock."""
    return pause if request.remaining_ms is None else min(pause, request.remaining_ms / 1000 * MOST_PAUSE)
