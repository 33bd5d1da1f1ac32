"""An engine that misbehaves, as its argument says: hang, crash, nonsense or illegal; or plays the first legal move."""

from __future__ import annotations

import json
import sys
import time

import msgspec

from boyi.core.game import load, restore
from boyi.server.engines.questions import Question

for line in sys.stdin.buffer:
    question = msgspec.json.decode(line, type=Question)
    match sys.argv[1]:
        case "hang":
            time.sleep(3600)
        case "crash":
            sys.exit(3)
        case "nonsense":
            answer: object = ["what?"]
        case "illegal":
            answer = {"move": "a1a1", "error": ""}
        case _:
            position = restore(load(question.module), question.options, question.start, question.moves)
            answer = {"move": position.format_move(position.moves()[0]), "error": ""}
    print(json.dumps(answer), flush=True)
