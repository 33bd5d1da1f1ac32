"""Tests of Boyi as an engine of other programs."""

from boyi.engine import PROTOCOLS

SPEAKERS = [(game, protocol) for game, protocols in PROTOCOLS.items() for protocol in protocols]
"""Every game with every protocol that it can be played by."""
