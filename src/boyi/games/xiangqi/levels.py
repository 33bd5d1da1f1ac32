"""How strong the levels of xiangqi are (measured with `benchmarks/levels.py`)."""

from boyi.core.level import ladder

LEVELS = ladder(
    nodes=(2_200, 3_270, 4_700, 7_400, 9_100, 12_500, 16_000, 22_000, 25_000, 30_000),
    lines=(7, 7, 6, 6, 5, 5, 4, 4, 2, 1),
    temperatures=(1.03, 0.825, 0.66, 0.49, 0.41, 0.305, 0.223, 0.128, 0.075, 0.0), evaluator="hand")
