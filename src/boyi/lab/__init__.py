"""The lab: questions, each answered by a controlled experiment.

One file of `boyi.lab.experiments` is one experiment and exports it as `EXPERIMENT`; they are found by looking.

    >>> find_experiment("othello-tt").question.en
    'Does a transposition table help?'
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from boyi.core.errors import UnknownNameError
from boyi.lab.experiment import SCALES, Experiment, Report, Scale, Session

__all__ = ["SCALES", "Session", "Experiment", "Report", "Scale", "all_experiments", "find_experiment"]


@cache
def all_experiments() -> dict[str, Experiment]:
    """Every experiment by its name."""
    folder = importlib.import_module("boyi.lab.experiments")
    found: list[Experiment] = [importlib.import_module(f"{folder.__name__}.{module.name}").EXPERIMENT
                               for module in pkgutil.iter_modules(folder.__path__)]
    return {experiment.name: experiment for experiment in sorted(found, key=lambda experiment: experiment.name)}


def find_experiment(name: str) -> Experiment:
    """The experiment of that name."""
    experiments = all_experiments()
    if name not in experiments:
        raise UnknownNameError.among("experiment", name, experiments)
    return experiments[name]
