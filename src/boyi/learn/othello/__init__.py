"""What only Othello can learn from: tournament games, and statistics of abstract states."""

from boyi.learn.othello.commands import abstract, patterns, states
from boyi.learn.own import Command, Learning

LEARNING = Learning(
    commands={"patterns": Command(patterns), "abstract": Command(abstract),
              "states": Command(states, takes_position=True)},
    evaluator="patterns",
)
