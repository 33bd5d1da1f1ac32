"""Questions to engines, by a scripted clock: deadlines, withdrawals, who gives way, and shares.

The workers are not processes but `Scripted`: each question takes the seconds that its level says.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from itertools import pairwise
from typing import Any

import pytest

from boyi.agents import read_spec
from boyi.games import find_game
from boyi.kit.ladder import find_ladder
from boyi.server.budgets import LIVE, Budgets, Payer
from boyi.server.engines import pool
from boyi.server.engines.pool import (
    MARGIN_SECONDS,
    OBEY_SECONDS,
    START_SECONDS,
    WAIT_SECONDS,
    Chosen,
    Engines,
)
from boyi.server.engines.questions import Asked, Question, Reply, Slice
from boyi.server.engines.slices import (
    LONGEST_SLICE_SECONDS,
    MOST_STREAMS,
    ROUND_SECONDS,
    SHORTEST_SLICE_SECONDS,
    Stream,
)
from boyi.server.protocol.events import Ended, Moved
from boyi.server.protocol.live import LiveAnalysis
from boyi.server.protocol.refusals import Refusal
from boyi.server.protocol.study import AnalysedLine, Analysis
from boyi.server.rooms import EngineRequest
from tests.server import scripted

OTHELLO = find_game("othello")
ANALYSIS = Analysis([AnalysedLine(["f5"], [["f5"]], 0.0, 0.5)], 0, 1, 1)
NODES_PER_SECOND = 1_000


def run(work: Coroutine[Any, Any, None]) -> None:
    scripted.run(lambda _: work)


class Scripted:
    """A worker that takes as many seconds as the level of a question, or as its nodes; `log` has who began when."""

    def __init__(self, log: list[tuple[str, float]], *, obeys: bool = True, start: float = 0.0) -> None:
        self.log = log
        self.obeys = obeys
        self.start_seconds = start
        self.is_new = True
        self.asked: list[Question] = []
        self.slices: list[Slice] = []
        self.left: list[int] = []
        self.stopped: list[int] = []
        self.ended = 0
        self._stop = asyncio.Event()

    async def start(self) -> None:
        pass

    async def answer(self, question: Asked) -> Reply:
        self._stop = asyncio.Event()
        if self.is_new:
            await asyncio.sleep(self.start_seconds)
        if isinstance(question, Slice):
            return await self._search_on(question)
        self.asked.append(question)
        self.log.append((question.agent or "analysis", asyncio.get_running_loop().time()))
        seconds = question.search_seconds or (question.nodes / NODES_PER_SECOND if question.lines
                                              else int(question.agent.partition(":")[2].partition(",")[0]))
        was_stopped = False
        try:
            async with asyncio.timeout(seconds):
                await self._stop.wait()
                was_stopped = True
        except TimeoutError:
            pass
        self.is_new = False
        if question.lines:
            return Reply(analysis=ANALYSIS, number=question.number, stopped=was_stopped)
        return Reply("f5", number=question.number, stopped=was_stopped)

    async def _search_on(self, slice_: Slice) -> Reply:
        self.log.append((f"stream {slice_.stream}", asyncio.get_running_loop().time()))
        self.slices.append(slice_)
        self.is_new = was_stopped = False
        try:
            async with asyncio.timeout(slice_.lasts):
                await self._stop.wait()
                was_stopped = True
        except TimeoutError:
            pass
        return Reply(live=LiveAnalysis([], 0, 1, 1), number=slice_.number, stopped=was_stopped)

    def leave(self, stream: int) -> None:
        self.left.append(stream)

    def stop(self, number: int) -> None:
        self.stopped.append(number)
        if self.obeys:
            self._stop.set()

    async def end(self) -> None:
        self.ended += 1
        self.is_new = True


class Place:
    """Engines with scripted workers, and how to ask them."""

    def __init__(self, workers: int = 1, seconds: float = 10.0, **how: Any) -> None:
        self.log: list[tuple[str, float]] = []
        self.workers = [Scripted(self.log, **how) for _ in range(workers)]
        self.engines = Engines(workers, seconds, budgets=Budgets(clock=asyncio.get_running_loop().time))
        for desk, worker in zip(self.engines._desks, self.workers, strict=True):
            desk.worker = worker
        self.done: list[tuple[str, float]] = []
        """What was answered, and when."""

    def move(self, payer: str, takes: int, remaining: float | None = None) -> asyncio.Task[Chosen]:
        request = EngineRequest(0, 1, 1, takes, OTHELLO.start(), None if remaining is None else round(1000 * remaining),
                                0)
        return self._spawn(f"move of {payer}", self.engines.choose(request, payer))

    def hint(self, payer: str) -> asyncio.Task[AnalysedLine]:
        return self._spawn(f"hint for {payer}", self.engines.hint(OTHELLO.start(), payer))

    def analysis(self, payer: str, takes: float) -> asyncio.Task[Analysis]:
        return self._spawn(f"analysis for {payer}",
                           self.engines.analyse(OTHELLO.start(), 1, round(NODES_PER_SECOND * takes), payer))

    def stream(self, share: str) -> Stream:
        """A live analysis that goes on for ever."""
        stream = self.engines.open_stream(Payer("", share), share)

        async def go_on() -> None:
            is_new = True
            while True:
                await self.engines.go_on(stream, OTHELLO.start(), 1, threat=False, is_new=is_new)
                is_new = False

        self._spawn(f"stream {stream.number}", go_on())
        return stream

    def review(self, payer: str, takes: float) -> asyncio.Task[Reply | None]:
        return self._spawn(f"review for {payer}", self.engines.search(OTHELLO.start(), 1, takes, (), 1, payer))

    def _spawn(self, name: str, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(lambda task: None if task.cancelled() or task.exception() else self.done.append((
            name, round(asyncio.get_running_loop().time(), 3))))
        return task


# ---------------------------------------------------------------------- deadlines

@pytest.mark.parametrize(("remaining", "when"), [(5.0, 5.0 - MARGIN_SECONDS), (0.4, 0.3), (0.0, 0.0)])
def test_a_move_that_waits_is_played_before_the_flag_falls(remaining: float, when: float) -> None:
    async def work() -> None:
        place = Place()
        place.move("mallory", takes=9)
        chosen = await place.move("ada", 1, remaining)
        assert chosen.fallback and OTHELLO.start().is_legal(chosen.move)
        assert asyncio.get_running_loop().time() == pytest.approx(when)
        assert place.engines.waiting["game"] == 0 and place.engines.fallbacks == 1
        await asyncio.sleep(30)
        assert len(place.log) == 1, "nobody asks for what nobody waits for"
    run(work())


def test_also_while_its_worker_starts_which_goes_on_starting() -> None:
    async def work() -> None:
        place = Place(start=8.0)
        assert (await place.move("ada", 1, remaining=3.0)).fallback
        assert asyncio.get_running_loop().time() == pytest.approx(3.0 - MARGIN_SECONDS)
        await asyncio.sleep(10)
        assert place.workers[0].ended == 0 and not place.workers[0].is_new, "not killed for being new"
        assert not (await place.move("ada", 1, remaining=3.0)).fallback
    run(work())


def test_an_engine_that_thinks_too_long_gives_the_best_it_has() -> None:
    async def work() -> None:
        place = Place()
        chosen = await place.move("ada", takes=9, remaining=3.0)
        assert not chosen.fallback and chosen.move == OTHELLO.start().parse_move("f5")
        assert asyncio.get_running_loop().time() < 3.0 - MARGIN_SECONDS
        place.engines.seconds = 2.0
        began = asyncio.get_running_loop().time()
        assert not (await place.move("ada", takes=9)).fallback
        assert asyncio.get_running_loop().time() == pytest.approx(began + 2.0)
        assert place.engines.replaced == 0
    run(work())


def test_an_engine_that_does_not_obey_is_replaced() -> None:
    async def work() -> None:
        place = Place(obeys=False, seconds=2.0)
        place.workers[0].is_new = False
        assert (await place.move("ada", takes=9)).fallback
        assert asyncio.get_running_loop().time() == pytest.approx(2.0 + OBEY_SECONDS)
        assert place.engines.replaced == place.workers[0].ended == 1
    run(work())


def test_a_new_engine_has_longer_to_obey() -> None:
    async def work() -> None:
        place = Place(start=1000.0)
        assert (await place.move("ada", takes=1, remaining=3.0)).fallback
        await asyncio.sleep(START_SECONDS + 10)
        assert place.engines.replaced == 1
    run(work())


def test_a_room_moves_before_the_flag_falls_also_when_it_is_handed_over_half_way_through_a_turn() -> None:
    async def scene(loop: scripted.ScriptedLoop) -> None:
        house = await scripted.House.open(loop, 5_000)
        ada, bob = house.players
        place = Place()
        house.lobby.engines = place.engines
        place.move("mallory", 9)
        await asyncio.sleep(3)
        ada.ask("hand_over", level=1)
        await house.until(lambda: bob.turn is not None or bool(house.bodies(Ended)))
        (moved,) = house.bodies(Moved)
        assert moved.fallback and 4_000 < moved.spent_ms < 5_000
    scripted.run(scene)


def test_what_has_waited_is_gone_from_the_clock() -> None:
    async def work() -> None:
        place = Place()
        place.move("mallory", takes=4)
        assert not (await place.move("ada", 1, remaining=20.0)).fallback
        seconds = place.workers[0].asked[1].seconds
        assert seconds == pytest.approx(20.0 - MARGIN_SECONDS - 4.0)
    run(work())


def test_without_a_clock_there_is_a_deadline_too() -> None:
    async def work() -> None:
        place = Place()
        for _ in range(60):
            place.move("mallory", takes=9)
        for waiting in (place.move("mallory", 1), place.move("mallory", 1, remaining=7_200.0)):   # not for hours
            assert (await waiting).fallback
        assert asyncio.get_running_loop().time() == pytest.approx(WAIT_SECONDS + 10.0)
    run(work())


# ---------------------------------------------------------------------- order

def test_games_before_hints_before_analyses() -> None:
    async def work() -> None:
        place = Place()
        tasks = [place.move("mallory", 1), place.analysis("ada", 1.0), place.hint("bob"), place.move("cyd", 1)]
        await asyncio.wait(tasks)
        assert place.done == [("move of mallory", 1.0), ("move of cyd", 2.0), ("hint for bob", 3.0),
                              ("analysis for ada", 4.0)]
    run(work())


def test_one_person_with_fifty_rooms_has_one_share() -> None:
    async def work() -> None:
        place = Place()
        for _ in range(50):
            place.move("mallory", 1)
        await place.move("ada", 1)
        await place.move("ada", 1)
        assert place.done[:4] == [("move of mallory", 1.0), ("move of ada", 2.0), ("move of mallory", 3.0),
                                  ("move of ada", 4.0)]
    run(work())


def test_who_had_more_than_their_share_waits_behind_hints_and_gets_no_analysis() -> None:
    async def work() -> None:
        place = Place()

        async def play() -> None:
            while True:
                await place.engines.choose(EngineRequest(0, 1, 1, 1, OTHELLO.start(), None, 0), "mallory")

        rooms = [asyncio.create_task(play()) for _ in range(5)]
        await asyncio.sleep(60.5)
        assert len(place.log) == 61, "while nobody else asks, no worker is idle"
        await place.hint("ada")
        assert place.done == [("hint for ada", 62.0)], "the very next"
        with pytest.raises(Refusal) as refusal:
            await place.analysis("mallory", 1.0)
        assert refusal.value.code == "flood" and refusal.value.retry_after > 0
        await place.analysis("ada", 1.0)
        for room in rooms:
            room.cancel()
    run(work())


# ---------------------------------------------------------------------- withdrawing

def test_who_goes_withdraws_the_question() -> None:
    async def work() -> None:
        place = Place()
        running, waiting, other = place.move("ada", 9), place.move("ada", 9), place.move("bob", 1)
        await asyncio.sleep(1)
        waiting.cancel()
        running.cancel()
        assert not (await other).fallback
        assert asyncio.get_running_loop().time() == pytest.approx(2.0)
        assert place.engines.withdrawn["game"] == 2 and place.engines.replaced == 0
        assert len(place.log) == 2, "what waited never began"
    run(work())


def test_asking_again_and_again_leaves_nothing_behind() -> None:
    async def work() -> None:
        place = Place()
        for _ in range(300):
            asked = place.move("mallory", 9)
            await asyncio.sleep(0.01)
            asked.cancel()
        assert not (await place.move("ada", 1, remaining=3.0)).fallback
        assert not any(place.engines.waiting.values())
        assert place.workers[0].ended == 0
    run(work())


# ---------------------------------------------------------------------- giving way

def test_an_analysis_gives_way_and_begins_again() -> None:
    async def work() -> None:
        place = Place()
        analysis = place.analysis("mallory", 5.0)
        await asyncio.sleep(1)
        assert not (await place.move("ada", 1)).fallback
        assert asyncio.get_running_loop().time() == pytest.approx(2.0)
        await analysis
        assert place.done == [("move of ada", 2.0), ("analysis for mallory", 7.0)]
        assert place.engines.given_way == 1 and place.engines.replaced == 0
    run(work())


def test_an_analysis_that_gave_way_often_is_answered_with_what_was_found() -> None:
    async def work() -> None:
        place = Place()
        analysis = place.analysis("mallory", 5.0)
        for _ in range(pool.MOST_GIVEN_WAY + 1):
            await asyncio.sleep(1)
            await place.move("ada", 1)
        assert analysis.done()
    run(work())


def test_an_analysis_does_not_give_way_while_another_worker_is_free() -> None:
    async def work() -> None:
        place = Place(workers=2)
        analysis = place.analysis("mallory", 3.0)
        await asyncio.sleep(1)
        await place.move("ada", 1)
        await analysis
        assert place.engines.given_way == 0
    run(work())


@pytest.mark.parametrize(("workers", "analysing"), [(1, 1), (2, 1), (3, 1), (4, 2)])
def test_half_of_the_workers_analyse(workers: int, analysing: int) -> None:
    async def work() -> None:
        place = Place(workers=workers)
        tasks = [place.analysis(f"payer {number}", 5.0) for number in range(8)]
        await asyncio.sleep(1)
        assert len(place.log) == analysing
        for task in tasks:
            task.cancel()
    run(work())


def test_an_analysis_that_waits_too_long_is_refused() -> None:
    async def work() -> None:
        place = Place()
        for _ in range(40):
            place.move("mallory", 9)
        with pytest.raises(Refusal) as refusal:
            await place.analysis("ada", 1.0)
        assert refusal.value.code == "flood" and refusal.value.retry_after > 0
        assert place.engines.late["analysis"] == 1
    run(work())


def test_quotas_of_a_person() -> None:
    async def work() -> None:
        place = Place()
        place.move("bob", 9)
        tasks = [place.analysis("mallory", 1.0) for _ in range(80)]
        hints = [place.hint("mallory") for _ in range(10)]
        await asyncio.sleep(0)
        assert place.engines.waiting == {"game": 0, "hint": 2, "live": 0, "analysis": 4, "review": 0}
        assert sum(task.done() for task in tasks) == 76 and sum(task.done() for task in hints) == 8
        for task in (*tasks, *hints):
            task.cancel()
            await asyncio.wait({task})
    run(work())


# ---------------------------------------------------------------------- ending

def test_closing_answers_everyone() -> None:
    async def work() -> None:
        place = Place()
        tasks = [place.move("ada", 9), place.move("bob", 9)]
        hint = place.hint("cyd")
        await asyncio.sleep(1)
        await place.engines.close()
        assert all([(await task).fallback for task in tasks])
        with pytest.raises(Refusal):
            await hint
        assert (await place.move("ada", 9)).fallback, "a late question too"
        assert asyncio.get_running_loop().time() == pytest.approx(1.0)
    run(work())


def test_without_engines_any_move_is_played_and_nothing_else_is_answered() -> None:
    async def work() -> None:
        engines = Engines(0)
        request = EngineRequest(0, 1, 1, 1, OTHELLO.start(), None, 0)
        assert (await engines.choose(request, "ada")).fallback
        with pytest.raises(Refusal):
            await engines.hint(OTHELLO.start(), "ada")
        with pytest.raises(Refusal):
            await engines.analyse(OTHELLO.start(), 1, 100, "ada")
    run(work())


def test_a_move_of_our_own_takes_what_is_left_standing() -> None:
    position = find_game("xiangqi").parse("4k4/9/9/9/9/4r4/9/4R4/9/3K5 w - - 0 1")
    for _ in range(20):
        assert position.format_move(pool.choose_anyhow(position)) == "e2e4"


def test_who_is_asked() -> None:
    async def work() -> None:
        engines = Engines(0, 5.0, threads=2)
        highest, position = len(find_ladder(OTHELLO)), OTHELLO.start()
        for level, seconds, opponent, agent in (
                (1, None, "", "level:1"), (1, 10, "", "level:1"),
                (highest, None, "", f"level:{highest},seconds=1,threads=2"),
                (highest, 10, "", f"level:{highest},seconds=5,threads=2"),        # as long as the server allows
                (highest, 3, "evaluator:classic", "alphabeta:evaluator=classic,seconds=3")):
            request = EngineRequest(0, 1, 1, level, position, None, 0, seconds, opponent)
            assert engines._agent(request) == agent
            read_spec(agent).check(position)
    run(work())


# ---------------------------------------------------------------------- live analyses

def turns(place: Place, since: float = 0.0) -> dict[str, list[float]]:
    """When each stream had its turns."""
    found: dict[str, list[float]] = {}
    for who, when in place.log:
        if when >= since:
            found.setdefault(who, []).append(when)
    return found


def test_fifty_analyse_and_each_has_a_turn_in_every_round() -> None:
    async def work() -> None:
        place = Place()
        for number in range(50):
            place.stream(f"payer {number}")
        await asyncio.sleep(20)
        for when in turns(place, since=2.0).values():
            assert max(late - early for early, late in pairwise(when)) <= ROUND_SECONDS + 0.1
        assert all(one.lasts == pytest.approx(ROUND_SECONDS / 50) for one in place.workers[0].slices[-50:])
        assert len(turns(place)) == 50
    run(work())


def test_who_opens_twenty_streams_has_one_turn_in_a_round() -> None:
    async def work() -> None:
        place = Place()
        mallory = [place.stream("mallory").number for _ in range(20)]
        ada = place.stream("ada").number
        await asyncio.sleep(10)
        had = {who: len(when) for who, when in turns(place).items()}
        hers = had[f"stream {ada}"]
        assert abs(sum(had[f"stream {number}"] for number in mallory) - hers) <= 2
        assert min(had.values()) >= hers // 20 - 1, "and her own streams take turns"
    run(work())


def test_who_analyses_alone_gets_long_slices_and_the_first_is_short() -> None:
    async def work() -> None:
        place = Place()
        place.stream("ada")
        await asyncio.sleep(1)
        first, *others = [one.lasts for one in place.workers[0].slices]
        assert SHORTEST_SLICE_SECONDS <= first < LONGEST_SLICE_SECONDS and set(others) == {LONGEST_SLICE_SECONDS}
    run(work())


def test_a_live_analysis_gives_way_to_a_move_and_goes_on() -> None:
    async def work() -> None:
        place = Place()
        place.stream("ada")
        await asyncio.sleep(0.5)
        await place.move("bob", 2)
        assert place.done == [("move of bob", 2.5)], "at once, not after the slice"
        await asyncio.sleep(0.5)
        assert turns(place, since=2.5)
    run(work())


def test_live_and_whole_analyses_share_the_time() -> None:
    async def work() -> None:
        place = Place()
        place.stream("ada")
        for number in range(4):
            place.analysis(f"payer {number}", 1.0)
        await asyncio.sleep(8)
        live = sum(one.lasts for one in place.workers[0].slices)
        assert 3 <= live <= 5 and len(place.workers[0].asked) == 4
    run(work())


def test_a_stream_stays_with_its_worker_and_is_left_there() -> None:
    async def work() -> None:
        place = Place(workers=4)
        streams = [place.stream(f"payer {number}") for number in range(6)]
        await asyncio.sleep(5)
        at = [{one.stream for one in worker.slices} for worker in place.workers]
        assert at == [{1, 3, 5}, {2, 4, 6}, set(), set()], "half of the workers analyse"
        for stream in streams[:2]:
            place.engines.close_stream(stream)
            place.engines.close_stream(stream)
        assert [worker.left for worker in place.workers] == [[1], [2], [], []] and place.engines.streams == 4
    run(work())


def test_slices_are_paid_from_a_budget_of_their_own() -> None:
    async def work() -> None:
        place = Place()
        place.stream("ada")
        await asyncio.sleep(30)
        assert not place.engines._is_behind("ada"), "her games do not wait behind others'"
        bucket = place.engines._budgets._find(LIVE, Payer("", "ada"))
        assert bucket._tokens == pytest.approx(LIVE.size - 30 * (1 - LIVE.per_second), abs=1)
    run(work())


def test_as_many_as_fit_analyse_and_others_are_refused() -> None:
    async def work() -> None:
        place = Place()
        streams = [place.engines.open_stream(Payer("", f"payer {number}"), f"payer {number}")
                   for number in range(MOST_STREAMS)]
        with pytest.raises(Refusal, match="too many"):
            place.engines.open_stream(Payer("", "ada"), "ada")
        place.engines.close_stream(streams[0])
        place.engines.open_stream(Payer("", "ada"), "ada")
    run(work())


# ---------------------------------------------------------------------- reviews

def test_a_review_gives_way_to_a_move_and_to_an_analysis() -> None:
    async def work() -> None:
        place = Place()
        review = place.review("ada", 3)
        await asyncio.sleep(1)
        await asyncio.gather(place.analysis("bob", 1), place.move("cyd", 2))
        assert [name for name, _ in place.done] == ["move of cyd", "analysis for bob"]
        reply = await review
        assert reply is not None and asyncio.get_running_loop().time() == pytest.approx(7)

    run(work())


def test_a_review_that_gave_way_too_often_is_told_so() -> None:
    async def work() -> None:
        place = Place()
        review = place.review("ada", 3)
        for _ in range(5):
            await asyncio.sleep(1)
            await place.move("bob", 1)
        assert await review is None

    run(work())


def test_reviews_and_analyses_together_leave_half_of_the_engines_to_games() -> None:
    async def work() -> None:
        place = Place(workers=2)
        place.review("ada", 5)
        place.review("bob", 5)
        await asyncio.sleep(1)
        assert len(place.log) == 1
        await place.move("cyd", 1)
        assert asyncio.get_running_loop().time() == pytest.approx(2)

    run(work())
