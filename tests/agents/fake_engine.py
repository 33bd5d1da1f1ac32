"""An engine that does what its arguments say, for tests of how outside engines are handled.

    fake_engine.py PROTOCOL BEHAVIOUR [FILE]

What it hears it writes to the FILE, if there is one.

It speaks uci, ucci, xboard, gtp or nboard and knows no rules: it plays the moves of its list one
after the other, and at the third move behaves as told: `well`, `illegal`, `nonsense`, `crash`,
`hang`, `resign`, `close`, `chatter` (says a lot of rubbish, then moves), `endless` (a line that never ends),
`flood` (lines that never end), `partial` (half a line, then the end); or from the beginning: `mute`
(answers nothing), `stillborn`, `claim` (XBoard: announces a draw once), `deaf` (reads nothing), `babble` (never
stops talking, and answers nothing), `lines` (UCI: tells of three lines), `sleepy` (UCI: thinks for a minute).
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

PROTOCOL, BEHAVIOUR = sys.argv[1:3]
XIANGQI = {"uci": ["h10g8", "b10c8", "a10a9"], "ucci": ["h9g7", "b9c7", "a9a8"], "xboard": ["h9g7", "b9c7", "a9a8"]}
MOVES = XIANGQI.get(PROTOCOL, ["f4", "c2", "c4"])


def say(line: str) -> None:
    print(line, flush=True)


def next_move(number: int) -> str:
    """The move to answer with; or something else happens."""
    if number == 2:
        if BEHAVIOUR == "crash":
            print("out of cheese", file=sys.stderr, flush=True)
            sys.exit(3)
        if BEHAVIOUR == "hang":
            time.sleep(60)
        if BEHAVIOUR == "close":
            os.close(1)
            time.sleep(60)
        if BEHAVIOUR == "chatter":
            for _ in range(30_000):
                sys.stdout.buffer.write(b"\xff\xfe\0 rubbish \x1b[2J bestmove move === =\n")
            sys.stdout.buffer.write(b"x" * 1_000_000 + b"\n")
        while BEHAVIOUR in ("endless", "flood"):
            sys.stdout.buffer.write(b"endless " * 1000 + (b"\n" if BEHAVIOUR == "flood" else b""))
        if BEHAVIOUR == "partial":
            sys.stdout.write("bestm")
            sys.exit(0)
        if BEHAVIOUR in ("illegal", "nonsense", "resign"):
            return {"illegal": "a1" if PROTOCOL in ("gtp", "nboard") else "e1e2", "nonsense": "xyzzy",
                    "resign": "(none)" if PROTOCOL == "uci" else "resign"}[BEHAVIOUR]
    return MOVES[number % len(MOVES)]


def main() -> None:
    if BEHAVIOUR == "stillborn":
        print("no such book", file=sys.stderr, flush=True)
        sys.exit(1)
    number, claimed = 0, False
    while BEHAVIOUR == "babble":
        say("feature option id rubbish = " * 100)
    while BEHAVIOUR == "deaf":
        time.sleep(60)
    for line in sys.stdin:
        words = line.split()
        if len(sys.argv) > 3:
            with Path(sys.argv[3]).open("a", encoding="utf-8") as heard:
                heard.write(line)
        if BEHAVIOUR == "mute":
            continue
        match words:
            case ["quit"]:
                return
            case ["uci"]:
                say("id name fake")
                say("option name UCI_Variant type combo default chess var chess var xiangqi")
                say("option name Clear Hash type button")
                if BEHAVIOUR == "lines":
                    say("option name MultiPV type spin default 1 min 1 max 500")
                say("uciok")
            case ["ucci"]:
                say("option usemillisec type check default false")
                say("ucciok")
            case ["isready"]:
                say("readyok")
            case ["protover", "2"]:
                say('feature done=0 myname="fake" variants="normal,xiangqi"')
                say('feature ping=1 usermove=1 option="Style -combo calm /// wild" done=1')
            case ["nboard", "2"]:
                say("set myname fake")
            case ["set", *_] if PROTOCOL == "nboard":
                say("status thinking about it")
            case ["go"] if PROTOCOL == "nboard":
                move = next_move(number)
                say("nodestats 1 0.1")
                say(f"=== {move.upper()}/1.00/0.1" if number % 2 else f"=== {move} 1.00 0.1")
                number += 1
            case ["ping", token]:
                say(f"pong {token}")
            case ["go", *_] if PROTOCOL == "xboard":
                if BEHAVIOUR == "claim" and not claimed:
                    claimed = True
                    say("1/2-1/2 {I have seen this before}")
                    continue
                move = next_move(number)
                say("resign" if move == "resign" else f"move {move}")
                number += 1
            case ["go", *_] if BEHAVIOUR == "lines":
                for told in ("depth 4 multipv 1 score cp 99 pv a10a9", "depth 5 score cp 30 lowerbound pv h10g8",
                             "depth 5 seldepth 9 multipv 1 score cp 31 nodes 4000 nps 1 time 17 pv h10g8 h1g3 a1a1",
                             "depth 5 multipv 2 score cp 12 nodes 4000 pv b10c8", "depth 5 currmove a1a2",
                             "depth 5 multipv 3 score mate -3 pv a10a9", "string score cp 7 pv nonsense"):
                    say(f"info {told}")
                say("bestmove h10g8")
            case ["go", *_]:
                if BEHAVIOUR == "sleepy":
                    time.sleep(60)
                move = next_move(number)
                say("info depth 1 score cp 0" if PROTOCOL == "ucci" else "info depth 1 multipv 1 score cp 250")
                say("info depth 1 multipv 2 score cp -900")
                say("nobestmove" if PROTOCOL == "ucci" and move == "resign" else f"bestmove {move} ponder a1a1")
                number += 1
            case ["list_commands"]:
                say("= play\ngenmove\ntime_settings\ntime_left\n")
            case ["genmove", _]:
                say(f"= {next_move(number).upper()}\n")
                number += 1
            case _ if PROTOCOL == "gtp":
                say("= \n")


main()
