"""The settings of a server: from a file, the environment and flags, the later over the earlier.

The file is TOML with the names of the fields below, `boyi.toml` in the current folder unless another is named; the
environment has `BOYI_SERVER_` and the name in capitals, as `BOYI_SERVER_PORT=8000`. Names that mean nothing
are refused.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from boyi.core.errors import OptionError, UnknownNameError, shorten
from boyi.server.proxies import origin_of, read_networks

PREFIX = "BOYI_SERVER_"
FILE = "boyi.toml"


@dataclass(frozen=True)
class Config:
    """All settings of a server."""

    host: str = "127.0.0.1"
    """The address to listen on: 127.0.0.1 for this machine only, 0.0.0.0 for everyone on the network."""

    port: int = 8000
    """0 for any that is free."""

    database: str = "sqlite:///boyi.sqlite"
    engines: int = 1
    """Worker processes for the AI."""

    engine_seconds: float = 10.0
    """The longest that an engine may think about a move."""

    engine_threads: int = 1
    """Threads with which an engine searches at the highest level."""

    engine_pause: float = 0.7
    """The AI takes at least this many seconds for a move: people want to see the one before it."""

    review_seconds: float = 1.0
    """How long each search of a game review takes; a move needs one to six of them."""

    cluster: str = ""
    """The address of a Ray cluster that the engines run on, as auto or 10.0.0.7:6379; else they run here."""

    address: str = ""
    """Where other servers on the same database reach this one, as http://10.0.0.7:8000; else where it listens."""

    origins: str = ""
    """Other web pages that may connect, separated by blanks, as https://example.org; the server's own always may."""

    public_address: str = ""
    """Where people reach this server if not where it listens, as https://example.org: what a proxy is asked for."""

    base_path: str = ""
    """What all addresses of this server begin with behind a proxy, as /boyi."""

    trusted_proxies: str = ""
    """Addresses and networks of proxies, separated by blanks, whose X-Forwarded headers are believed."""

    hosts: str = ""
    """More host names that this server answers to, separated by blanks; * for any. Its own names and addresses it
    knows."""

    connections_per_address: int = 100
    """The most sockets of one address, and the most of its connections that are waited for."""

    budget_factor: float = 1.0
    """All budgets of `budgets.py` are this many times as large: for many people behind one address, and load tests."""

    rooms: int = 10_000
    """The most rooms in memory."""

    workers: int = 1
    """Server processes that share the listening address; more than one needs PostgreSQL."""

    closed_room_days: int = 0
    """How long moves and chat of a closed room are kept, in days; 0 for ever. Finished games stay in any case."""

    metrics_from: str = "127.0.0.1 ::1"
    """Addresses and networks that may read /metrics, separated by blanks."""

    log_format: str = "text"
    """How logs are written: text, or json with one object per line."""

    results: str = ""
    """A folder of tournaments, lab reports and training runs that everyone may read; none if empty."""

    def __post_init__(self) -> None:
        for name, lowest, highest in (("port", 0, 65535), ("engines", 0, 1024), ("engine_seconds", 0.1, 3600),
                                      ("engine_threads", 1, 256), ("engine_pause", 0, 60), ("review_seconds", 0.01, 60),
                                      ("connections_per_address", 1, 10**6), ("budget_factor", 0.001, 10**9),
                                      ("rooms", 1, 10**7), ("workers", 1, 256), ("closed_room_days", 0, 36_500)):
            value = getattr(self, name)
            if not lowest <= value <= highest:
                raise OptionError(f"{name} is from {lowest} to {highest}, not {shorten(value)}")
        read_networks(self.trusted_proxies)
        read_networks(self.metrics_from, "metrics_from")
        if self.log_format not in ("text", "json"):
            raise UnknownNameError.among("log format", self.log_format, ["text", "json"])
        if self.base_path and not re.fullmatch(r"(/[A-Za-z0-9._~-]+)+", self.base_path):
            raise OptionError(f"base_path is empty or as /boyi, not {shorten(self.base_path)}")
        if self.public_address and not origin_of(self.public_address):
            raise OptionError(f"public_address is as https://example.org, not {shorten(self.public_address)}")


def read_config(flags: Mapping[str, Any], path: str | None = None,
                environment: Mapping[str, str] | None = None) -> Config:
    """The settings in force; of the flags, those that are None were not given."""
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {}
    file = Path(path or FILE)
    if path is not None or file.exists():
        try:
            values |= _typed(tomllib.loads(file.read_text(encoding="utf-8")), f"in {file}")
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise OptionError(f"the settings in {shorten(str(file))} cannot be read: {error}") from error
    values |= _typed({name.removeprefix(PREFIX).lower(): value for name, value in environment.items()
                      if name.startswith(PREFIX)}, "in the environment")
    values |= _typed({name: value for name, value in flags.items() if value is not None}, "")
    return Config(**values)


def _typed(values: Mapping[str, Any], where: str) -> dict[str, Any]:
    kinds: dict[str, Any] = {field.name: type(field.default) for field in fields(Config)}
    typed = {}
    for name, value in values.items():
        if name not in kinds:
            raise UnknownNameError.among(f"setting {where}".strip(), name, kinds)
        kind = kinds[name]
        try:
            if isinstance(value, bool) or not isinstance(value, (kind, str, int)):
                raise ValueError("of another kind")
            typed[name] = kind(value)
        except ValueError as error:
            raise OptionError(f"the setting {name} {where}: {shorten(value)} is not "
                              f"{'a number' if kind in (int, float) else 'a text'}") from error
    return typed
