"""Evaluators fitted to games: `boyi learn weights` and `boyi learn evaluator`. NumPy will do."""
