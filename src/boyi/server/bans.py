"""Who is not let in: people and networks that an administrator has banned (`boyi admin ban`)."""

from __future__ import annotations

import datetime
import ipaddress
from collections.abc import Iterable

from boyi.core.errors import TextError
from boyi.server.protocol.refusals import Refusal
from boyi.server.store.database import now_ms
from boyi.server.store.orders import Ban

ADDRESS, PERSON = "address:", "person:"

WHOLE_IPV6 = 64
"""Bits of an IPv6 address that tell one household from another; within them anyone has as many as they like."""


def read_network(text: str) -> str:
    """An address or a network as it is stored.

    >>> read_network("192.0.2.7"), read_network("2001:db8::/48"), read_network("2001:db8::7")
    ('address:192.0.2.7/32', 'address:2001:db8::/48', 'address:2001:db8::/64')
    """
    try:
        network = ipaddress.ip_network(text, strict=False)
        if network.version == 6 and network.prefixlen > WHOLE_IPV6:
            network = network.supernet(new_prefix=WHOLE_IPV6)
        return ADDRESS + str(network)
    except ValueError as error:
        raise TextError(f"{text[:60]!r} is neither an address nor a network: 192.0.2.7, 192.0.2.0/24 or "
                        "2001:db8::/48") from error


class Bans:
    """The bans in force. To look one up takes as long as there are sizes of networks, not bans."""

    def __init__(self) -> None:
        self._persons: dict[str, Ban] = {}
        self._networks: dict[tuple[int, int], dict[int, Ban]] = {}
        """By version of the protocol and length of the prefix: by the first address of the network."""

    def replace(self, bans: Iterable[Ban]) -> None:
        """These are in force from now on."""
        self._persons, self._networks = {}, {}
        for ban in bans:
            if ban.target.startswith(PERSON):
                self._persons[ban.target.removeprefix(PERSON)] = ban
            else:
                network = ipaddress.ip_network(ban.target.removeprefix(ADDRESS))
                size = self._networks.setdefault((network.version, network.prefixlen), {})
                size[int(network.network_address)] = ban

    def __bool__(self) -> bool:
        return bool(self._persons or self._networks)

    def check(self, address: str, person: str | None = None) -> None:
        """A `Refusal` for those who are banned."""
        ban = self._find(address, person) if self else None
        if ban is not None and (ban.until is None or ban.until > now_ms()):
            raise Refusal("shut_out", " ".join(filter(None, (ban.reason, _until(ban.until)))))

    def _find(self, address: str, person: str | None) -> Ban | None:
        if person in self._persons:
            return self._persons[person]
        try:
            found = ipaddress.ip_address(address.partition("/")[0])   # IPv6 counts by /64, and is told so
        except ValueError:   # a Unix socket has none
            return None
        if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        for (version, length), networks in self._networks.items():
            if version == found.version:
                first = int(found) >> (found.max_prefixlen - length) << (found.max_prefixlen - length)
                if first in networks:
                    return networks[first]
        return None


def _until(until: int | None) -> str:
    if until is None:
        return ""
    when = datetime.datetime.fromtimestamp(until / 1000, datetime.UTC)
    return f"(until {when:%Y-%m-%d %H:%M} UTC)"
