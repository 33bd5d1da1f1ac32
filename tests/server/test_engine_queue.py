"""The order in which questions wait for an engine: a model that is easy to believe, and what follows from it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boyi.server.engines.queue import (
    KINDS,
    MOST_BEFORE_A_HINT,
    MOST_IN_ALL,
    MOST_OF_A_PAYER,
    Asker,
    Kind,
    Queue,
    Waiting,
    rank,
)
from boyi.server.protocol.refusals import Refusal

PAYERS = ("ada", "bob", "cyd", "dan")

askers = st.builds(Asker, st.sampled_from(KINDS), st.sampled_from(PAYERS))
steps = st.lists(st.one_of(askers, st.just("take"), st.just("withdraw"), st.just("put back")), max_size=80)


def drain(queue: Queue[int], kinds: tuple[Kind, ...] = KINDS) -> list[Waiting[int]]:
    taken = []
    while (waiting := queue.take(kinds)) is not None:
        taken.append(waiting)
    return taken


@given(steps, st.sets(st.sampled_from(PAYERS)))
def test_every_question_is_taken_once_in_order(script: list[Asker | str], behind: set[str]) -> None:
    """Nothing is lost and nothing is answered twice; kinds keep their order, and so do the questions of a payer."""
    queue = Queue[int]()
    waiting: list[Waiting[int]] = []
    taken: list[Waiting[int]] = []
    put_back: set[int] = set()
    games_before_a_hint = 0
    for number, step in enumerate(script):
        if isinstance(step, Asker):
            try:
                waiting.append(queue.add(step, number))
            except Refusal as refusal:
                own = [one for one in waiting if one.asker == step]
                assert refusal.code == "flood" and refusal.retry_after > 0
                assert len(own) >= MOST_OF_A_PAYER[step.kind]
        elif step == "withdraw" and waiting:
            gone = waiting.pop(number % len(waiting))
            assert queue.remove(gone) and not queue.remove(gone)
        elif step == "put back" and taken:
            again = taken.pop()
            put_back.add(again.what)
            queue.put_back(again)
            waiting.insert(0, again)
        elif step == "take":
            got = queue.take(KINDS, behind.__contains__)
            assert (got is None) == (not waiting)
            if got is not None:
                first = min(rank(one.asker, behind.__contains__) for one in waiting)
                is_turn_of_hint = got.asker.kind == "hint" and games_before_a_hint >= MOST_BEFORE_A_HINT
                assert rank(got.asker, behind.__contains__) == first or is_turn_of_hint
                games_before_a_hint = games_before_a_hint + 1 if got.asker.kind == "game" else 0
                older = [one for one in waiting if one.asker == got.asker and one.what < got.what]
                assert got.what in put_back or not older
                waiting.remove(got)
                taken.append(got)
        for kind in KINDS:
            assert queue.count(kind) == sum(one.asker.kind == kind for one in waiting)
    assert sorted(one.what for one in drain(queue)) == sorted(one.what for one in waiting)


@given(st.lists(st.sampled_from(PAYERS), min_size=1, max_size=60), st.data())
def test_payers_take_turns(payers: list[str], data: st.DataObject) -> None:
    """While a payer waits, nobody else is answered twice; also when questions keep coming."""
    queue = Queue[int]()
    since: dict[str, list[str]] = {}
    for number, payer in enumerate(payers):
        since.setdefault(payer, [])
        queue.add(Asker("game", payer), number)
        if data.draw(st.booleans()):
            _check_turn(queue, since)
    while queue.count("game"):
        _check_turn(queue, since)


def _check_turn(queue: Queue[int], since: dict[str, list[str]]) -> None:
    """Take one; `since` has, per waiting payer, who was answered since they wait or were answered last."""
    got = queue.take()
    assert got is not None
    assert len(set(since[got.asker.payer])) == len(since[got.asker.payer])
    for served in since.values():
        served.append(got.asker.payer)
    since[got.asker.payer] = []
    still = {one for one in since if queue._lines["game"].get(one)}
    for gone in set(since) - still:
        del since[gone]


def test_fifty_rooms_have_one_share() -> None:
    queue = Queue[str]()
    for room in range(50):
        queue.add(Asker("game", "mallory"), f"m{room}")
    queue.add(Asker("game", "ada"), "a")
    assert [queue.take().what for _ in range(3)] == ["m0", "a", "m1"]  # type: ignore[union-attr]


def test_who_asks_now_and_then_comes_before_who_never_stops() -> None:
    queue = Queue[str]()
    for room in range(3):
        queue.add(Asker("game", "mallory"), f"m{room}")
    assert queue.take().what == "m0"  # type: ignore[union-attr]
    for number in range(3):
        queue.add(Asker("game", "ada"), f"a{number}")
        assert queue.take().what == f"a{number}"  # type: ignore[union-attr]
        queue.add(Asker("game", "mallory"), f"m{number + 3}")
        assert queue.take().what == f"m{number + 1}"  # type: ignore[union-attr]


def test_who_had_more_than_their_share_waits_behind() -> None:
    """Also with a game behind an analysis of others: else a person who never stops would leave nothing for them."""
    queue = Queue[str]()
    queue.add(Asker("game", "mallory"), "m")
    queue.add(Asker("analysis", "ada"), "a")
    queue.add(Asker("hint", "bob"), "b")
    order = [queue.take(KINDS, {"mallory"}.__contains__).what for _ in range(3)]  # type: ignore[union-attr]
    assert order == ["b", "a", "m"]


def test_a_hint_comes_although_games_never_stop() -> None:
    queue = Queue[str]()
    queue.add(Asker("hint", "ada"), "hint")
    for room in range(20):
        queue.add(Asker("game", "mallory"), f"m{room}")
    queue.add(Asker("hint", "bob"), "hint")
    taken = [queue.take().what for _ in range(12)]  # type: ignore[union-attr]
    assert [number for number, what in enumerate(taken) if what == "hint"] == [
        MOST_BEFORE_A_HINT, 2 * MOST_BEFORE_A_HINT + 1]


def test_a_kind_that_may_not_begin_is_passed_over() -> None:
    queue = Queue[str]()
    queue.add(Asker("analysis", "ada"), "a")
    assert queue.take(("game", "hint")) is None and queue.first() is not None


@pytest.mark.parametrize("kind", ["hint", "analysis"])
def test_quotas(kind: Kind) -> None:
    queue = Queue[int]()
    for number in range(MOST_OF_A_PAYER[kind]):
        queue.add(Asker(kind, "mallory"), number)
    with pytest.raises(Refusal) as refusal:
        queue.add(Asker(kind, "mallory"), 0)
    assert refusal.value.code == "flood" and refusal.value.retry_after > 0
    for number in range(MOST_IN_ALL[kind] - MOST_OF_A_PAYER[kind]):
        queue.add(Asker(kind, f"p{number}"), number)
    with pytest.raises(Refusal):
        queue.add(Asker(kind, "ada"), 0)
    for number in range(1_000):
        queue.add(Asker("game", "mallory"), number)   # a move is never refused
