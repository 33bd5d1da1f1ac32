"""A budget for everything that others can make this server do, so that nobody can use it up for everyone.

Two kinds. A `Rate` is a token bucket: it holds `size` tokens, gets `per_second` new ones, and what is done costs some.
What a thing costs may be known only afterwards; then it is owed, and nothing more is done until time has paid the debt.
A `Quota` is how many of something may be held at a time.

Who pays. Tokens of the server are free, so a person with a new one is as unknown as one without: strangers pay by their
address, IPv6 by its /64. A person who has played for a while without having to be cut is a regular. Regulars have small
budgets of their own for when their address has used up its budgets, so an attacker behind the same address does not
stop them; and each of them makes the budgets of the address larger, for schools and whole streets behind one address.

Over budget is a `Refusal("flood")` that says when to come back. Those who have to be cut pay a penalty.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from boyi.server.protocol.refusals import Refusal

By = Literal["address", "person", "socket"]


@dataclass(frozen=True)
class Rate:
    """A token bucket for each payer."""

    name: str
    size: float
    """The longest burst, from a bucket that is full."""

    per_second: float
    """What can go on for ever."""

    by: By
    unit: str
    why: str


@dataclass(frozen=True)
class Quota:
    """How many may be held at a time."""

    name: str
    most: int
    by: By
    unit: str
    why: str


# ---------------------------------------------------------------------- the budgets

CONNECTIONS = Rate("connections", 200, 20, "address", "TCP connections accepted",
                   "a page opens up to six; over budget they are reset before a byte is read")
WAITING = Quota("waiting connections", 100, "address", "connections that are silent, half read or before hello",
                "each costs memory and a file descriptor; a new one cuts the oldest")
SOCKETS = Quota("sockets", 100, "address", "WebSockets in rooms", "each is told of everything in its room")
FRAMES = Rate("frames", 200, 20, "socket", "WebSocket frames of any kind, pings and fragments too",
              "a frame costs 10 µs before anyone has read it")
BYTES = Rate("bytes", 200_000, 20_000, "socket", "bytes received on a WebSocket", "requests are short")
MESSAGES = Rate("messages", 100, 5, "socket", "messages in a room", "people do a few things in a second, not more")
BODIES = Rate("bodies", 4_000_000, 200_000, "address", "bytes of HTTP requests", "a dozen files of games at once")
REQUESTS = Rate("requests", 200, 20, "address", "HTTP requests, and WebSockets opened", "a page asks for ten things")
PAGES = Rate("pages", 1000, 100, "address", "files of the page", "a page is a dozen, and a class opens it at once")
LOOP = Rate("loop", 2.0, 0.1, "address", "seconds of the event loop, as measured",
            "the loop is what everyone shares: one address gets a tenth of it")
SESSIONS = Rate("sessions", 20, 0.5, "address", "new persons", "a class that comes in, then one every two seconds")
PASSWORDS = Rate("passwords", 20, 0.5, "address", "passwords hashed or checked", "one takes a third of a second")
ROOMS = Rate("rooms", 30, 0.2, "address", "rooms created", "each is kept on disk")
ROOMS_OF_ADDRESS = Quota("rooms of an address", 200, "address", "rooms created and in memory", "a school plays in them")
ROOMS_OF_PERSON = Quota("rooms of a person", 20, "person", "rooms created and in memory", "a simultaneous display")
SEEKERS = Quota("seekers", 50, "address", "people who look for an opponent", "each is a request that is held open")
FILES = Rate("files", 20, 0.5, "address", "files of games read or written", "one may take a second of a thread")
POSITIONS = Rate("positions", 100, 10, "address", "positions and notations worked out", "a step through a game each")
SEARCH = Rate("search", 3_000_000, 50_000, "address", "nodes searched for analyses",
              "a whole game quickly, or a few positions thoroughly")
ENGINES = Rate("engines", 20, 0.25, "person", "seconds of an engine, as measured",
               "a move of the highest level takes a second, or as asked; who has used more waits behind the others")
LIVE = Rate("live analysis", 600, 0.5, "address", "seconds of an engine for live analyses, as measured",
            "some positions for minutes each; then half of an engine")
STREAMS = Quota("streams", 20, "address", "live analyses at a time", "each keeps a search in memory")
REVIEWS = Rate("reviews", 12, 0.01, "address", "game reviews begun", "each takes minutes of an engine, and is kept")
CHATS = Rate("chats", 5, 0.5, "person", "lines said in a room", "the others have to read them")
HINTS = Rate("hints", 5, 0.2, "person", "hints of the AI", "each is a search")
LOG_LINES = Rate("log lines", 10, 0.1, "address", "cut connections written to the log",
                 "the first ones tell what happens; metrics count all of them")

BUDGETS = (CONNECTIONS, WAITING, SOCKETS, FRAMES, BYTES, MESSAGES, BODIES, REQUESTS, PAGES, LOOP, SESSIONS, PASSWORDS,
           ROOMS, ROOMS_OF_ADDRESS, ROOMS_OF_PERSON, SEEKERS, FILES, POSITIONS, SEARCH, ENGINES, LIVE, STREAMS, REVIEWS,
           CHATS, HINTS, LOG_LINES)
"""All of them; docs/server-settings.md has the table."""

PENALTIES = {"flood": 100.0, "unreadable": 20.0}
"""What a connection that had to be cut costs its address, in requests and in connections, by the code of why: else
coming again at once would be a way around every budget of a socket."""

DEBT_SECONDS = 60.0
"""No debt takes longer than this to pay."""

OWN_SHARE = 0.1
"""The part of an address's budget that a regular has for themselves."""

REGULAR_REQUESTS = 5
REGULAR_SECONDS = 120.0
"""Who has had this many requests acknowledged, over at least this long, is a regular."""

CUT_SECONDS = 600.0
"""Who had to be cut is no regular for this long."""

ABSENT_SECONDS = 3600.0
"""A regular who has not done anything for this long is forgotten."""

MOST_REGULARS = 50
"""Of one address: more of them have no budgets of their own. Together they may use half of the loop."""

GROWTH = 0.1
MOST_GROWTH = 3.0
"""How much of its budgets an address gains with each regular behind it, and at most."""

MOST_PAYERS = 100_000
"""Buckets, persons and addresses that are remembered; those that were quiet longest are forgotten first."""

LONGEST_WAIT_SECONDS = 3600.0
"""What is said of a budget that is never refilled."""


ROUNDING = 1e-9
"""Who comes back after just the time that was said is not sent away by the last digit."""


class Payer(NamedTuple):
    """Who pays for a request."""

    address: str
    """As `payer_address` writes it."""

    person: str = ""
    """Who the client has proved to be, if anyone."""


@lru_cache(maxsize=8192)
def payer_address(address: str) -> str:
    """What counts as one address: an IPv4 address, or the /64 that an IPv6 address is in.

    >>> [payer_address(text) for text in ("192.0.2.7", "::ffff:192.0.2.7", "2001:db8::1:2:3:4", "fe80::1%eth0", "unix")]
    ['192.0.2.7', '192.0.2.7', '2001:db8::/64', 'fe80::/64', 'unix']
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:60]
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(parsed) >> 64 << 64, 64)))


class Bucket:
    """The tokens that one payer has of a rate.

    >>> rate = Rate("examples", 2, 1, "socket", "examples", "to show")
    >>> bucket = Bucket(rate, now=0.0)
    >>> [bucket.take(1, now) for now in (0.0, 0.0, 0.0, 1.0)]   # how long to wait before it could be done
    [0.0, 0.0, 1.0, 0.0]
    >>> bucket.owe(3, now=1.0)
    >>> bucket.take(1, now=2.0), bucket.take(1, now=5.0)
    (3.0, 0.0)
    """

    __slots__ = ("_factor", "_filled", "_rate", "_tokens")

    def __init__(self, rate: Rate, now: float, factor: float = 1.0) -> None:
        self._rate = rate
        self._factor = factor
        self._tokens = rate.size * factor
        self._filled = now

    def take(self, tokens: float, now: float) -> float:
        """Take tokens if they are there: 0, or else after how many seconds they will be.

        What costs more than a full bucket holds is done from a full one, and owed.
        """
        self._fill(now)
        needed = min(tokens, self._rate.size * self._factor)
        if self._tokens >= needed * (1 - ROUNDING) and self._tokens > 0:
            self._tokens -= tokens
            return 0.0
        per_second = self._rate.per_second * self._factor
        if per_second <= 0:
            return LONGEST_WAIT_SECONDS
        return min(LONGEST_WAIT_SECONDS, max(needed - self._tokens, 0.001) / per_second)

    def owe(self, tokens: float, now: float) -> None:
        """Take tokens whether they are there or not: a debt that time pays."""
        self._fill(now)
        deepest = -DEBT_SECONDS * self._rate.per_second * self._factor
        self._tokens = max(self._tokens - tokens, min(self._tokens, deepest))

    def grow(self, factor: float) -> None:
        """From now on its size and its rate are multiplied by this factor."""
        self._factor = factor

    @property
    def is_empty(self) -> bool:
        return self._tokens <= 0

    def _fill(self, now: float) -> None:
        filled = self._tokens + (now - self._filled) * self._rate.per_second * self._factor
        self._tokens = min(self._rate.size * self._factor, filled)
        self._filled = now


@dataclass(slots=True)
class _Conduct:
    """How a person has behaved."""

    first: float
    """When a request of theirs was first acknowledged."""

    last: float
    requests: int = 0
    cut_until: float = -math.inf


class Hold:
    """One of a quota, until it is released."""

    __slots__ = ("_counts", "_key")

    def __init__(self, counts: Counter[tuple[str, str]], key: tuple[str, str]) -> None:
        self._counts = counts
        self._key: tuple[str, str] | None = key
        counts[key] += 1

    def release(self) -> None:
        """Give it back; may be called twice."""
        if self._key is not None:
            self._counts[self._key] -= 1
            if not self._counts[self._key]:
                del self._counts[self._key]
            self._key = None


class Budgets:
    """What every payer has left of every budget.

    `factor` makes all budgets larger, for load tests and for servers of one large house; `quotas` sets single quotas.
    """

    def __init__(self, factor: float = 1.0, quotas: dict[Quota, int] | None = None,
                 clock: Callable[[], float] = time.monotonic) -> None:
        self.factor = factor
        self.refused: Counter[str] = Counter()
        """For the metrics: how often which budget was used up."""

        self._clock = clock
        self._most = quotas or {}
        self._buckets: OrderedDict[tuple[str, str], Bucket] = OrderedDict()
        self._held: Counter[tuple[str, str]] = Counter()
        self._conduct: OrderedDict[str, _Conduct] = OrderedDict()
        self._regulars: OrderedDict[str, dict[str, None]] = OrderedDict()
        """By address: the regulars behind it."""

    # ------------------------------------------------------------------ paying

    def charge(self, rate: Rate, payer: Payer, cost: float = 1.0) -> None:
        """Pay before something is done. A cost of 0 asks whether anything is left."""
        wait = self._find(rate, payer).take(cost, self._clock())
        if wait and rate.by == "address" and self._has_own(payer):
            wait = self._own(rate, payer).take(cost, self._clock())
        if wait:
            raise self.refusal(rate, wait)

    def wait_seconds(self, rate: Rate, payer: Payer) -> float:
        """How long it takes until something is left; 0 if there is. Nothing is refused."""
        return self._find(rate, payer).take(0, self._clock())

    def owe(self, rate: Rate, payer: Payer, cost: float) -> None:
        """Pay for what was done already."""
        bucket = self._find(rate, payer)
        if bucket.is_empty and rate.by == "address" and self._has_own(payer):
            bucket = self._own(rate, payer)
        bucket.owe(cost, self._clock())

    def hold(self, quota: Quota, payer: Payer) -> Hold:
        """Hold one of a quota."""
        most = self.most(quota, payer)
        key = quota.name, payer.person if quota.by == "person" else payer.address
        if self._held[key] >= most and quota.by == "address" and self._has_own(payer):
            key, most = (quota.name, f"own {payer.person}"), math.ceil(self._base(quota) * OWN_SHARE)
        if self._held[key] >= most:
            self.refused[quota.name] += 1
            raise Refusal("flood", f"at most {most} {quota.unit} at a time", retry_after=1.0)
        return Hold(self._held, key)

    def hold_all(self, quotas: Iterable[Quota], payer: Payer) -> list[Hold]:
        """Hold one of each quota, or none."""
        held: list[Hold] = []
        try:
            for quota in quotas:
                held.append(self.hold(quota, payer))
        except Refusal:
            for one in held:
                one.release()
            raise
        return held

    def most(self, quota: Quota, payer: Payer) -> int:
        """How many of a quota a payer may hold."""
        return math.ceil(self._base(quota) * (self._growth(payer.address) if quota.by == "address" else 1.0))

    def holders(self, quota: Quota) -> set[str]:
        """Who holds any of a quota."""
        return {payer for name, payer in self._held if name == quota.name}

    def bucket(self, rate: Rate) -> Bucket:
        """A bucket of one socket, kept by the owner of the socket; `take_from` takes from it."""
        return Bucket(rate, self._clock(), self.factor)

    def take_from(self, bucket: Bucket, rate: Rate, cost: float = 1.0) -> None:
        """Pay from a socket's own bucket."""
        wait = bucket.take(cost, self._clock())
        if wait:
            raise self.refusal(rate, wait)

    def refusal(self, rate: Rate, wait: float) -> Refusal:
        self.refused[rate.name] += 1
        return Refusal("flood", f"too many {rate.unit}", retry_after=wait)

    # ------------------------------------------------------------------ behaving

    def acknowledged(self, payer: Payer) -> None:
        """A request of a person was done: they play."""
        now = self._clock()
        conduct = self._conduct.get(payer.person)
        if conduct is None or now - conduct.last > ABSENT_SECONDS:
            conduct = self._conduct[payer.person] = _Conduct(now, now)
        self._conduct.move_to_end(payer.person)
        _shorten(self._conduct)
        conduct.last = now
        conduct.requests += 1
        if self.is_regular(payer.person):
            regulars = self._regulars.setdefault(payer.address, {})
            self._regulars.move_to_end(payer.address)
            _shorten(self._regulars)
            if payer.person not in regulars:
                for person in [person for person in regulars if not self.is_regular(person)]:
                    del regulars[person]
                if len(regulars) < MOST_REGULARS:
                    regulars[payer.person] = None

    def is_regular(self, person: str) -> bool:
        """Has a person behaved for a while?"""
        conduct = self._conduct.get(person)
        if conduct is None or conduct.requests < REGULAR_REQUESTS:
            return False
        now = self._clock()
        return (conduct.last - conduct.first >= REGULAR_SECONDS and now - conduct.last <= ABSENT_SECONDS
                and now >= conduct.cut_until)

    def penalise(self, payer: Payer, code: str) -> None:
        """A connection had to be cut, and why."""
        penalty = PENALTIES.get(code, 0.0)
        if not penalty:
            return
        now = self._clock()
        if payer.person:
            self._conduct[payer.person] = _Conduct(now, now, cut_until=now + CUT_SECONDS)
            _shorten(self._conduct)
            self._regulars.get(payer.address, {}).pop(payer.person, None)
        for rate in (REQUESTS, CONNECTIONS):
            self._find(rate, payer).owe(penalty, now)

    # ------------------------------------------------------------------ finding

    def _find(self, rate: Rate, payer: Payer) -> Bucket:
        if rate.by == "person":
            return self._bucket(rate, payer.person, 1.0)
        return self._bucket(rate, payer.address, self._growth(payer.address))

    def _own(self, rate: Rate, payer: Payer) -> Bucket:
        return self._bucket(rate, f"own {payer.person}", OWN_SHARE)

    def _has_own(self, payer: Payer) -> bool:
        return (payer.person in self._regulars.get(payer.address, ()) if payer.person else False) and \
            self.is_regular(payer.person)

    def _bucket(self, rate: Rate, key: str, share: float) -> Bucket:
        found = self._buckets.get((rate.name, key))
        if found is None:
            found = self._buckets[rate.name, key] = Bucket(rate, self._clock(), share * self.factor)
            _shorten(self._buckets)
        else:
            self._buckets.move_to_end((rate.name, key))
            found.grow(share * self.factor)
        return found

    def _growth(self, address: str) -> float:
        regulars = self._regulars.get(address)
        return 1.0 if not regulars else min(MOST_GROWTH, 1.0 + GROWTH * len(regulars))

    def _base(self, quota: Quota) -> float:
        return self._most.get(quota, quota.most) * self.factor


def _shorten(remembered: OrderedDict[str, _Conduct] | OrderedDict[str, dict[str, None]]
             | OrderedDict[tuple[str, str], Bucket]) -> None:
    if len(remembered) > MOST_PAYERS:
        remembered.popitem(last=False)
