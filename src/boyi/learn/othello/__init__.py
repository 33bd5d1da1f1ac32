"""What only Othello can learn from: tournament games, and statistics of abstract states."""

from boyi.learn.othello import commands
from boyi.learn.own import Command, Learning

LEARNING = Learning(
    commands={"patterns": Command(commands.patterns), "probcut": Command(commands.probcut),
              "abstract": Command(commands.abstract), "states": Command(commands.states, takes_position=True)},
    evaluator="patterns",
)
