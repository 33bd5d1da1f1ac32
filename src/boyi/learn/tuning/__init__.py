"""Better parameters for an agent, found by games: `boyi tune`."""
