"""Work and tasks as bytes: how a worker in another process reads and does them, and how errors come back."""

from __future__ import annotations

import functools
import pickle
import traceback
from collections.abc import Callable
from typing import Any

__all__ = ["attempt", "read_work"]


def read_work(content: bytes) -> Callable[[Any], Any]:
    """The work; what cannot be read is an error of every task."""
    try:
        work: Callable[[Any], Any] = pickle.loads(content)
    except Exception as error:   # noqa: BLE001  whatever it is, it is raised where the work came from
        return functools.partial(_complain, error)
    return work


def _complain(error: Exception, task: object) -> None:
    raise error


def attempt(work: Callable[[Any], Any], task: bytes) -> bytes:
    """Do a task: its result and None, or None and the error it raised, pickled."""
    try:
        return pickle.dumps((work(pickle.loads(task)), None))
    except Exception as error:   # noqa: BLE001  it is raised again at the other end
        error.add_note(f"In a worker of a pool:\n{traceback.format_exc()}")
        try:
            content = pickle.dumps((None, error))
            pickle.loads(content)
        except Exception:        # noqa: BLE001  some errors cannot travel; their words can
            content = pickle.dumps((None, RuntimeError("".join(traceback.format_exception(error)))))
        return content
