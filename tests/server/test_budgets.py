"""Budgets, by a clock that the tests move: who pays, when there is more, and who keeps playing."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boyi.server import budgets
from boyi.server.api import ROUTES
from boyi.server.budgets import (
    BUDGETS,
    CHATS,
    CONNECTIONS,
    CUT_SECONDS,
    DEBT_SECONDS,
    LOOP,
    MOST_GROWTH,
    MOST_REGULARS,
    OWN_SHARE,
    REGULAR_REQUESTS,
    REGULAR_SECONDS,
    REQUESTS,
    ROOMS_OF_ADDRESS,
    ROOMS_OF_PERSON,
    SOCKETS,
    Bucket,
    Budgets,
    Payer,
    Quota,
    Rate,
)
from boyi.server.protocol.refusals import Refusal
from tests.places import ROOT
from tests.server.serving import serving

HOME, SCHOOL = "192.0.2.1", "192.0.2.2"


class Clock:
    """Stands still unless it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def bank(clock: Clock) -> Budgets:
    return Budgets(clock=clock)


def behave(bank: Budgets, clock: Clock, *payers: Payer) -> None:
    """Play for so long that one is a regular."""
    for _ in range(REGULAR_REQUESTS):
        for payer in payers:
            bank.acknowledged(payer)
        clock.now += REGULAR_SECONDS / (REGULAR_REQUESTS - 1)
    for payer in payers:
        bank.acknowledged(payer)


def spend(bank: Budgets, rate: Rate, payer: Payer) -> int:
    """How often something can be done at once."""
    for count in range(10_000):
        try:
            bank.charge(rate, payer)
        except Refusal as refusal:
            assert refusal.code == "flood" and refusal.retry_after > 0
            return count
    raise AssertionError(f"{rate.name} has no end")


def test_over_budget_says_when_to_come_back(bank: Budgets, clock: Clock) -> None:
    assert spend(bank, REQUESTS, Payer(HOME)) == REQUESTS.size
    with pytest.raises(Refusal) as refused:
        bank.charge(REQUESTS, Payer(HOME))
    assert refused.value.retry_after == pytest.approx(1 / REQUESTS.per_second)
    assert refused.value.words.en.endswith("in 1 second") and "1 秒后" in refused.value.words.zh
    assert spend(bank, REQUESTS, Payer(SCHOOL)) == REQUESTS.size   # another address is another payer
    clock.now += refused.value.retry_after
    bank.charge(REQUESTS, Payer(HOME))
    assert bank.refused["requests"] == 3


@given(rate=st.sampled_from([one for one in BUDGETS if isinstance(one, Rate)]),
       steps=st.lists(st.tuples(st.floats(0, 100), st.floats(0, 2), st.booleans()), max_size=30))
@settings(max_examples=200)
def test_nobody_gets_more_than_the_rate(rate: Rate, steps: list[tuple[float, float, bool]]) -> None:
    """Whatever is taken and owed: at most a full bucket and what has flowed in since, and a debt has an end."""
    bucket, now, taken = Bucket(rate, 0.0), 0.0, 0.0
    for seconds, part, owes in steps:
        now += seconds
        cost = part * rate.size
        if owes:
            bucket.owe(cost, now)
        elif not bucket.take(cost, now):
            taken += cost
            assert taken <= rate.size + now * rate.per_second + max(0.0, cost - rate.size) + 1e-6 * taken
        else:
            wait = bucket.take(cost, now)
            assert 0 < wait <= DEBT_SECONDS + 2 * rate.size / rate.per_second + 1e-3


def test_what_costs_more_than_there_is_is_owed(bank: Budgets, clock: Clock) -> None:
    bank.owe(LOOP, Payer(HOME), LOOP.size + 1)
    with pytest.raises(Refusal) as refused:
        bank.charge(LOOP, Payer(HOME), 0)
    assert refused.value.retry_after == pytest.approx(1 / LOOP.per_second, abs=0.1)
    bank.owe(LOOP, Payer(HOME), 1e9)
    clock.now += DEBT_SECONDS + 0.1
    bank.charge(LOOP, Payer(HOME), 0)   # nobody is shut out for longer


def test_a_new_token_is_no_new_payer(bank: Budgets) -> None:
    """Tokens are free: who makes a hundred of them has one address."""
    assert spend(bank, REQUESTS, Payer(HOME, "ada")) == REQUESTS.size
    assert spend(bank, REQUESTS, Payer(HOME, "bob")) == 0


def test_regulars_go_on_when_their_address_is_used_up(bank: Budgets, clock: Clock) -> None:
    behave(bank, clock, Payer(HOME, "ada"))
    spend(bank, REQUESTS, Payer(HOME, "mallory"))
    assert spend(bank, REQUESTS, Payer(HOME, "mallory")) == 0
    assert spend(bank, REQUESTS, Payer(HOME, "ada")) == REQUESTS.size * OWN_SHARE
    bank.owe(LOOP, Payer(HOME, "mallory"), 100)
    bank.charge(LOOP, Payer(HOME, "ada"), 0)
    holds = [bank.hold(SOCKETS, Payer(HOME)) for _ in range(bank.most(SOCKETS, Payer(HOME)))]
    bank.hold(SOCKETS, Payer(HOME, "ada"))
    with pytest.raises(Refusal):
        bank.hold(SOCKETS, Payer(HOME, "mallory"))
    holds[0].release()
    bank.hold(SOCKETS, Payer(HOME, "mallory"))


def test_an_address_grows_with_its_regulars_up_to_an_end(bank: Budgets, clock: Clock) -> None:
    pupils = [Payer(SCHOOL, f"pupil {number}") for number in range(MOST_REGULARS + 10)]
    behave(bank, clock, *pupils[:10])
    assert spend(bank, REQUESTS, Payer(SCHOOL)) == pytest.approx(REQUESTS.size * 2, abs=REQUESTS.size)
    assert bank.most(SOCKETS, Payer(SCHOOL)) == 2 * SOCKETS.most
    behave(bank, clock, *pupils)
    assert bank.most(SOCKETS, Payer(SCHOOL)) == MOST_GROWTH * SOCKETS.most
    clock.now += 1000
    for payer in pupils:   # the last ten have no budgets of their own
        bank.acknowledged(payer)
    while spend(bank, CONNECTIONS, Payer(SCHOOL)):
        pass
    assert [spend(bank, CONNECTIONS, payer) > 0 for payer in pupils] == [True] * MOST_REGULARS + [False] * 10


def test_who_has_to_be_cut_pays_and_is_no_regular(bank: Budgets, clock: Clock) -> None:
    behave(bank, clock, Payer(HOME, "ada"))
    assert bank.is_regular("ada")
    bank.penalise(Payer(HOME, "ada"), "resync")   # a slow reader is no attacker
    assert bank.is_regular("ada")
    bank.penalise(Payer(HOME, "ada"), "flood")
    assert not bank.is_regular("ada")
    assert spend(bank, CONNECTIONS, Payer(HOME)) == pytest.approx(CONNECTIONS.size - 100, abs=1)
    behave(bank, clock, Payer(HOME, "ada"))
    assert not bank.is_regular("ada")
    clock.now += CUT_SECONDS
    bank.acknowledged(Payer(HOME, "ada"))
    assert bank.is_regular("ada")


def test_quotas_are_held_together_or_not_at_all(bank: Budgets) -> None:
    both = ROOMS_OF_ADDRESS, ROOMS_OF_PERSON
    holds = [bank.hold_all(both, Payer(HOME, "ada")) for _ in range(ROOMS_OF_PERSON.most)]
    with pytest.raises(Refusal, match="at most 20 rooms"):
        bank.hold_all(both, Payer(HOME, "ada"))
    bank.hold_all(both, Payer(HOME, "bob"))
    for hold in holds[0] * 2:
        hold.release()
    bank.hold_all(both, Payer(HOME, "ada"))
    assert bank.holders(ROOMS_OF_PERSON) == {"ada", "bob"}


def test_memory_has_an_end(bank: Budgets, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "MOST_PAYERS", 100)
    for number in range(1000):
        bank.charge(REQUESTS, Payer(f"address {number}"))
        bank.charge(CHATS, Payer(HOME, f"person {number}"))
        bank.acknowledged(Payer(f"address {number}", f"person {number}"))
    assert max(len(bank._buckets), len(bank._conduct), len(bank._regulars)) <= 100
    bank.hold(SOCKETS, Payer(HOME)).release()
    assert not bank._held


def test_a_factor_makes_all_budgets_larger(clock: Clock) -> None:
    large = Budgets(3.0, {SOCKETS: 5}, clock)
    assert spend(large, REQUESTS, Payer(HOME)) == 3 * REQUESTS.size
    assert large.most(SOCKETS, Payer(HOME)) == 15


def test_every_budget_is_named_once_used_and_documented() -> None:
    page = (ROOT / "docs" / "server-settings.md").read_text(encoding="utf-8")
    names = [one.name for one in BUDGETS]
    assert len(set(names)) == len(names)
    stated = {value for value in vars(budgets).values() if isinstance(value, Rate | Quota)}
    assert stated == set(BUDGETS)
    for one in BUDGETS:
        amount = f"{one.most:,}" if isinstance(one, Quota) else f"{one.size:,.9g}, {one.per_second:,g} a second"
        assert f"| {one.name} | {amount} | {one.by} | {one.unit} |" in page, one
    assert {api.budget for api in ROUTES} <= set(BUDGETS)


def test_over_http_too_much_is_429_with_when_to_come_back(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as place:
            place.server.budgets.owe(REQUESTS, Payer("127.0.0.1"), REQUESTS.size + 5 * REQUESTS.per_second)

            def ask() -> urllib.error.HTTPError:
                try:
                    urllib.request.urlopen(place.address + "/api/rooms")
                except urllib.error.HTTPError as error:
                    return error
                raise AssertionError("it was answered")

            error = await asyncio.to_thread(ask)
            assert error.code == 429 and 1 <= int(error.headers["Retry-After"]) <= 6
            assert b'"retry_after":' in error.read()
            error.close()
    asyncio.run(run())
