"""Who asks, and under which name: of requests that come by way of a proxy, and of pages that lie about it.

What a request says of itself in `X-Forwarded-For`, `-Proto` and `-Host` is believed only if it comes from a trusted
proxy. Each proxy appends to `X-Forwarded-For` whom it heard, so the list is believed from its right end, as far as
trusted proxies wrote it: the client is the right-most address that is none of them.

The host that a request asks for must be one that this server has. Else any web page could point a name of its own at
this machine and then read here what its visitors may read (DNS rebinding).
"""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from boyi.core.errors import OptionError, shorten

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
SERVER_SECONDS = 60.0
"""How long a server that has shown itself is known by its address."""

FORWARDING_HEADERS = {"x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded"}
"""What proxies add, trusted or not."""

RawHeaders = Iterable[tuple[bytes, bytes]]


@dataclass(frozen=True)
class Source:
    """Where a request comes from."""

    address: str
    """Of the client itself."""

    host: str
    """The host that it asks for, with the port if it names one; empty if it does not say."""

    scheme: str
    """http or https, as a trusted proxy says; empty if none does."""


class Proxies:
    """The trusted proxies, and the hosts that this server answers to."""

    def __init__(self, trusted: str = "", hosts: str = "", public_address: str = "", own_address: str = "") -> None:
        self._networks = read_networks(trusted)
        self._any_host = "*" in hosts.split()
        self._hosts = {host.lower() for host in hosts.split()} | own_names()
        for address in (public_address, own_address):
            self._hosts.add((urlsplit(address).hostname or "").lower())
        self._public = origin_of(public_address) if public_address else ""
        self._servers: dict[str, float] = {}
        """Addresses of other servers of the same database, and until when that is known."""

    def note_server(self, peer: str) -> None:
        """A peer has shown that it is another server of the same database."""
        self._servers[peer] = time.monotonic() + SERVER_SECONDS

    def limits_its_clients(self, peer: str) -> bool:
        """Does the peer stand for many clients, whose connections it limits itself?"""
        return self._servers.get(peer, 0.0) > time.monotonic() or self.trusts(peer)

    def trusts(self, peer: str) -> bool:
        """Is it the address of a trusted proxy?"""
        return bool(self._networks) and is_within(peer, self._networks)

    def source(self, peer: str, headers: RawHeaders) -> Source:
        """Where a request comes from that a peer sent."""
        found: dict[bytes, list[str]] = {}
        for name, value in headers:
            if name in (b"host", b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host"):
                found.setdefault(name, []).append(value.decode("latin-1"))
        host = found.get(b"host", [""])[-1].strip()
        if not self.trusts(peer):
            return Source(peer, host, "")
        client = peer
        for hop in reversed(",".join(found.get(b"x-forwarded-for", [])).split(",")):
            parsed = _parse(hop.strip())
            if parsed is None:
                break   # what is left of it nobody vouches for
            client = str(parsed)
            if not self.trusts(client):
                break
        host = _last(found.get(b"x-forwarded-host", [])) or host
        scheme = _last(found.get(b"x-forwarded-proto", [])).lower()
        return Source(client, host, scheme if scheme in ("http", "https") else "")

    def has_host(self, host: str) -> bool:
        """Does this server answer to that host? A client that names none is no browser."""
        if not host or self._any_host:
            return True
        name = _host_name(host)
        return name in self._hosts or name.endswith(".localhost") or _parse(name) is not None

    def is_own_page(self, origin: str, source: Source) -> bool:
        """Is the web page that asks this server's own?"""
        page = origin_of(origin)
        if not page:
            return False
        if page == self._public:
            return True
        scheme, _, host = page.partition("://")
        return host == source.host.lower() and source.scheme in ("", scheme)


def read_networks(text: str, setting: str = "trusted_proxies") -> list[Network]:
    """Addresses and networks, separated by blanks or commas.

    >>> read_networks("127.0.0.1, 10.0.0.0/8 ::1")
    [IPv4Network('127.0.0.1/32'), IPv4Network('10.0.0.0/8'), IPv6Network('::1/128')]
    """
    networks: list[Network] = []
    for word in text.replace(",", " ").split():
        try:
            networks.append(ipaddress.ip_network(word, strict=False))
        except ValueError as error:
            raise OptionError(f"{setting}: {shorten(word)} is no address or network, as 127.0.0.1 or "
                              "10.0.0.0/8") from error
    return networks


def is_within(address: str, networks: Iterable[Network]) -> bool:
    """Is an address in one of the networks?"""
    parsed = _parse(address)
    return parsed is not None and any(parsed in network for network in networks)


def origin_of(address: str) -> str:
    """The origin of a page's address; empty for what has none.

    >>> origin_of("https://Example.org/boyi"), origin_of("null"), origin_of("http://[")
    ('https://example.org', '', '')
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc.lower()}" if parts.scheme in ("http", "https") and parts.netloc else ""


@lru_cache(maxsize=1)
def own_names() -> frozenset[str]:
    """What this machine is called, also on a network without name servers."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, f"{name.partition('.')[0]}.local"})


def _host_name(host: str) -> str:
    """A host without its port.

    >>> [_host_name(text) for text in ("Example.org:8000", "[::1]:80", "::1", "[")]
    ['example.org', '::1', '::1', '[']
    """
    host = host.lower().rstrip(".")
    if host.startswith("["):
        return host[1:].partition("]")[0] or host
    return host.partition(":")[0] if host.count(":") == 1 else host


@lru_cache(maxsize=8192)
def _parse(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """An address, with or without a port; one of IPv4 also if it is written as one of IPv6."""
    for tried in (text.partition("%")[0], _host_name(text)):
        try:
            parsed = ipaddress.ip_address(tried)
        except ValueError:
            continue
        if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
            return parsed.ipv4_mapped
        return parsed
    return None


def _last(values: list[str]) -> str:
    """The last of the values in a header, which the nearest proxy wrote."""
    return ",".join(values).rpartition(",")[2].strip()
