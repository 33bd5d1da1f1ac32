"""What is true of every game, asked of any game: `boyi check`, our own tests, and a plug-in's.

A property is a function with a sentence. It looks at the rules once, or at a position that a random walk has reached;
what it finds wrong is a `ConformanceError`, and what a game raises counts as much. The smallest walk that shows it is
what is reported.

>>> import boyi
>>> from boyi.conformance import check_game
>>> report = check_game(boyi.find_game("tic_tac_toe"))
>>> report.ok, len(report.findings) > 30
(True, True)

    facts, taking_back, moves, endings, chance, views, nonsense, memory, uses    the properties, by what they are about
    property    what a property is            case      a game under some rules
    expect      how a property is broken      example   random walks, and the smallest that fails
    check       asking them all               report    what came of it
"""

from boyi.conformance.case import Case, cases_of
from boyi.conformance.check import PROPERTIES, check_game
from boyi.conformance.example import Example
from boyi.conformance.expect import ConformanceError
from boyi.conformance.property import Property
from boyi.conformance.report import Failure, Finding, Report

__all__ = ["PROPERTIES", "Case", "ConformanceError", "Example", "Failure", "Finding", "Property", "Report", "cases_of",
           "check_game"]
