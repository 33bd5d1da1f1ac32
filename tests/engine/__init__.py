"""Tests of Boyi as an engine of other programs."""

import boyi

SPEAKERS = [(name, protocol) for name, game in boyi.all_games().items() for protocol in game.protocols]
"""Every game with every protocol that it can be played by."""
