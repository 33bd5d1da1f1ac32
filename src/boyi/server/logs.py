"""Logs: one line per event, as text or as JSON, on standard error.

What is logged never holds a token, a password, a seed or what is hidden in a game: messages name rooms, persons by
their id, addresses of clients, codes of refusals and kinds of errors. `log.info("a connection was cut",
extra={"facts": {…}})` gives an event facts; as text they follow the message, in JSON they are fields of their own.
"""

from __future__ import annotations

import datetime
import json
import logging
import sys
import traceback
from typing import Any

OURS = ("time", "level", "logger", "message", "process", "error")
"""Fields that every line may have; facts of these names are refused."""


def facts(**values: str | int | float | None) -> dict[str, Any]:
    """What an event is about, for `extra`.

    >>> facts(code="flood")
    {'facts': {'code': 'flood'}}
    """
    if any(name in OURS for name in values):
        raise ValueError(f"a fact has none of these names: {', '.join(OURS)}")
    return {"facts": values}


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {"time": _time(record), "level": record.levelname.lower(), "logger": record.name,
                "process": record.process, "message": record.getMessage(), **vars(record).get("facts", {})}
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = _where(record)
        return json.dumps(line, ensure_ascii=True, default=str)


class TextLines(logging.Formatter):
    """For people; a line stays a line, whatever is in it."""

    def format(self, record: logging.LogRecord) -> str:
        told = " ".join(f"{name}={value}" for name, value in vars(record).get("facts", {}).items())
        text = f"{_time(record)} {record.levelname.lower()} {record.name}: {record.getMessage()} {told}".rstrip()
        if record.exc_info and record.exc_info[0] is not None:
            text += f" [{_where(record)}]"
        return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


def set_up_logs(form: str) -> None:
    """Send what is logged to standard error, in this form: text or json."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("boyi").setLevel(logging.INFO)


def _time(record: logging.LogRecord) -> str:
    return datetime.datetime.fromtimestamp(record.created, datetime.UTC).isoformat(timespec="milliseconds")


def _where(record: logging.LogRecord) -> str:
    """Which error, and where it came from; not what it says, for a stranger may have written that."""
    if not record.exc_info or record.exc_info[0] is None:
        return ""
    kind, _, trace = record.exc_info
    frames = [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}"
              for frame in traceback.extract_tb(trace)]
    return f"{kind.__name__} at {' < '.join(reversed(frames[-6:]))}" if frames else kind.__name__
