"""How strong the levels of Chinese checkers are (measured with `benchmarks/levels.py`)."""

from boyi.core.level import ladder

LEVELS = ladder(
    nodes=(3_750, 4_600, 5_600, 6_500, 8_200, 9_600, 11_200, 13_300, 15_000, 20_000),
    lines=(7, 6, 6, 5, 5, 5, 4, 3, 2, 1),
    temperatures=(0.605, 0.53, 0.445, 0.4, 0.325, 0.27, 0.22, 0.145, 0.05, 0.0), evaluator="race")

LEVELS_FOR_MORE = ladder(
    nodes=(1_600, 2_000, 2_600, 3_500, 5_000, 8_000, 13_000, 20_000, 30_000, 100_000),
    lines=(7, 7, 7, 7, 6, 5, 5, 4, 1, 1),
    temperatures=(4.0, 3.2, 2.5, 1.9, 1.4, 1.0, 0.6, 0.3, 0.0, 0.0), evaluator="race")
"""With more than two players, where another algorithm searches and moves differ by more in its values."""
