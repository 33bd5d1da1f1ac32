"""When a search must end: see `boyi.core.control`, where also the solvers of games find it."""

from boyi.core.control cimport Control, PATIENCE, begin, now, out_of_budget
