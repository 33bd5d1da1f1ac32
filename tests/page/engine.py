"""An engine for tests of the page: it thinks for a moment, and of the legal moves it likes the longest paths."""

from __future__ import annotations

import json
import sys
import time

import msgspec

from boyi.core.game import load, restore
from boyi.server.worker import Question

THINKING = 0.2
"""Seconds; so that there is something between two moves of the AI in which a person can do anything."""

for line in sys.stdin.buffer:
    question = msgspec.json.decode(line, type=Question)
    position = restore(load(question.module), question.options, question.start, question.moves)
    time.sleep(THINKING)
    move = max(position.moves(), key=lambda one: len(position.path(one)))
    print(json.dumps({"move": position.format_move(move), "error": ""}), flush=True)
