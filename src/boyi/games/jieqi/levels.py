"""How strong the levels of jieqi are (measured with `benchmarks/levels.py`)."""

from boyi.core.level import ladder

LEVELS = ladder(
    nodes=(600, 740, 960, 1_330, 1_950, 2_800, 5_100, 9_500, 16_500, 31_000),
    lines=(8, 7, 7, 7, 6, 6, 5, 4, 3, 1),
    temperatures=(1.35, 1.23, 1.09, 0.94, 0.8, 0.66, 0.45, 0.24, 0.095, 0.0), evaluator="hand")
