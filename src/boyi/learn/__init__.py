"""Learning: evaluators trained on games."""
