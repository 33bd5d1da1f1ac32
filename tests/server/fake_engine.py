"""An engine for tests that behaves as its argument says.

    first       plays the first legal move at once
    slow        thinks until it is told to stop, and then plays the last legal move
    busy        plays the first legal move after a fifth of a second; an analysis takes it an hour unless it is stopped
    hang, crash, nonsense, illegal, other    misbehaves
"""

from __future__ import annotations

import json
import sys
import threading
import time

import msgspec

from boyi.core.game import load, restore
from boyi.server.engines.questions import Leave, Question, Slice, Stop, Told

decoder = msgspec.json.Decoder[Told](Told)
stopped = threading.Event()


def answer(question: Question) -> object:
    position = restore(load(question.module), question.options, question.start, question.moves)
    moves = [position.format_move(move) for move in position.moves()]
    line = {"moves": moves[:1], "paths": [list(position.path(position.moves()[0]))], "value": 0.0, "odds": 0.5}
    analysis = {"lines": [line], "turn": position.turn, "depth": 1, "nodes": 1} if question.lines else None
    match sys.argv[1]:
        case "hang":
            time.sleep(3600)
        case "crash":
            sys.exit(3)
        case "nonsense":
            return ["what?"]
        case "illegal":
            return {"move": "a1a1", "number": question.number}
        case "other":
            return {"move": moves[0], "number": question.number + 1}
        case "slow":
            stopped.wait()
            stopped.clear()
            return {"move": moves[-1], "number": question.number, "stopped": True}
        case "busy":
            was_stopped = stopped.wait(3600 if question.nodes else 0.2)
            stopped.clear()
            return {"move": moves[0], "number": question.number, "stopped": was_stopped, "analysis": analysis}
    return {"move": moves[0], "number": question.number, "analysis": analysis}


def work(question: Question) -> None:
    print(json.dumps(answer(question)), flush=True)


for line in sys.stdin.buffer:
    told = decoder.decode(line)
    if isinstance(told, Stop):
        stopped.set()
    elif isinstance(told, Slice):   # it knows no live analysis
        print(json.dumps({"number": told.number, "error": "not here"}), flush=True)
    elif isinstance(told, Leave):
        pass
    elif sys.argv[1] in ("slow", "busy"):
        threading.Thread(target=work, args=(told,), daemon=True).start()
    else:
        work(told)
