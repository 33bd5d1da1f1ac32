"""How strong the levels of Liuzhou qi are (measured with `benchmarks/levels.py`)."""

from dataclasses import replace

from boyi.core.level import ladder

SEARCHING = ladder(
    nodes=(440, 620, 1_400, 2_400, 4_200, 6_300, 10_000, 18_000, 27_000, 60_000),
    lines=(8, 7, 7, 6, 6, 5, 5, 4, 3, 1),
    temperatures=(1.35, 1.2, 0.92, 0.76, 0.6, 0.48, 0.34, 0.18, 0.06, 0.0), evaluator="hand")

LEVELS = (*SEARCHING[:-1], replace(SEARCHING[-1], nets=("liuzhou", "liuzhou-reference"), simulations=3_000))
"""The highest is played by a network that trained against itself, under either of the two sets of rules."""
