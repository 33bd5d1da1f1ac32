"""What live analyses have found, by position, so that who comes back to one sees at once what is known.

In memory, on this server, and bounded. A position is its start and the moves since: what a search says may depend on
repetitions.
"""

from __future__ import annotations

from collections import OrderedDict
from hashlib import blake2b

import msgspec
from msgspec import structs

from boyi.core.position import Position
from boyi.server.protocol.live import LiveAnalysis

MOST_POSITIONS = 4096
"""Of about two kilobytes each."""

_encoder, _decoder = msgspec.json.Encoder(), msgspec.json.Decoder(LiveAnalysis)


def key_of(position: Position, notation: str = "", *, threat: bool) -> bytes:
    """What tells a position from others, its threats from its moves, and how they are written."""
    told = (position.game.module, sorted(position.options.items()), position.start_text, position.history(),
            notation, threat)
    return blake2b(repr(told).encode(), digest_size=16).digest()


class Known:
    """The deepest analyses of the positions that were looked at last."""

    def __init__(self) -> None:
        self._found: OrderedDict[bytes, dict[int, tuple[int, bytes]]] = OrderedDict()
        """By position and number of lines: the effort, and the analysis as JSON, which is smaller."""

    def __len__(self) -> int:
        return len(self._found)

    def find(self, key: bytes, lines: int) -> LiveAnalysis | None:
        """The deepest with at least this number of lines, cut to it."""
        kept = self._found.get(key)
        if kept is None:
            return None
        self._found.move_to_end(key)
        enough = [found for count, found in kept.items() if count >= lines]
        if not enough:
            return None
        found = _decoder.decode(max(enough)[1])
        return structs.replace(found, lines=found.lines[:lines])

    def keep(self, key: bytes, lines: int, found: LiveAnalysis) -> None:
        """Note what a search for this number of lines has found, unless as much is known."""
        kept = self._found.setdefault(key, {})
        self._found.move_to_end(key)
        if found.effort > kept.get(lines, (0, b""))[0] or found.ended:
            kept[lines] = found.effort, _encoder.encode(found)
        if len(self._found) > MOST_POSITIONS:
            self._found.popitem(last=False)
