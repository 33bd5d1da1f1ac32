"""Outside engines as agents: programs that speak UCI, UCCI, XBoard, GTP or NBoard.

    uci:fairy-stockfish?UCI_Variant=xiangqi,seconds=0.2
    ucci:eleeye,depth=8
    xboard:hoixiangqi -x,seconds=1
    gtp:gtp-rhino -l 3
    nboard:edax -nboard,depth=8

After the colon stands the command, as one would type it (programs in /usr/games are
found); after `?` the engine's own options, `&` between them; after a comma what all
thinking agents take: seconds, nodes, depth, and `patience`, the seconds beyond its
time after which a silent engine has lost.

An engine is a process and may do anything: not start, end, say nothing, answer what
the rules forbid. Each of these is an `AgentError` that names the program and says
what happened; the process is ended, and the next question starts a fresh one.

    channel                    the process
    task                       the question
    uci, xboard, gtp, nboard   the protocols
    agent                      an engine in a seat, and its spec string
"""

from boyi.agents.external.agent import KINDS, ExternalAgent
from boyi.agents.external.channel import GAMES_FOLDERS, find_program
from boyi.agents.external.task import Task, make_task

__all__ = ["GAMES_FOLDERS", "KINDS", "ExternalAgent", "Task", "find_program", "make_task"]
