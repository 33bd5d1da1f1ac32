"""Lists of addresses and networks, as settings have them."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

from boyi.core.errors import OptionError, shorten

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def read_networks(text: str) -> list[Network]:
    """Addresses and networks, separated by blanks.

    >>> [str(one) for one in read_networks("127.0.0.1 10.0.0.0/8")]
    ['127.0.0.1/32', '10.0.0.0/8']
    """
    try:
        return [ipaddress.ip_network(word, strict=False) for word in text.split()]
    except ValueError as error:
        raise OptionError(f"{shorten(text)} are not addresses or networks, as 127.0.0.1 or 10.0.0.0/8") from error


def is_in_networks(address: str, networks: Sequence[Network]) -> bool:
    """Is an address in one of them?"""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(found in network for network in networks)
