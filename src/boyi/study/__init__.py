"""Learning from games: what was played, what was better, and what to practise."""
