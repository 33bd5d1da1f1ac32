"""An engine for tests of the page: it thinks for a moment, and of the legal moves it likes the longest paths.

An analysis and a comparison of moves it leaves to the real engines.
"""

from __future__ import annotations

import sys
import time

import msgspec

from boyi.core.game import load, restore
from boyi.server.engines.questions import Leave, Reply, Slice, Stop, Told
from boyi.server.engines.worker import Answering

THINKING = 0.1
"""Seconds; so that there is something between two moves of the AI in which a person can do anything."""

answering = Answering()

for line in sys.stdin.buffer:
    question: Told = msgspec.json.decode(line, type=Told)
    if isinstance(question, Leave):
        answering.leave(question.stream)
        continue
    if isinstance(question, Stop):
        continue   # it has answered before it could be stopped
    if isinstance(question, Slice) or question.lines or question.compare:
        reply = answering.answer(question)
    else:
        position = restore(load(question.module), question.options, question.start, question.moves)
        time.sleep(THINKING)
        move = max(position.moves(), key=lambda one: len(position.path(one)))
        reply = Reply(position.format_move(move), number=question.number)
    print(msgspec.json.encode(reply).decode(), flush=True)
