"""Othello as two strangers see it: OpenSpiel, and Fairy-Stockfish through pyffish.

Each is asked about a position of ours, given as 64 characters and a side, or
steps through a game beside us. Neither shares a line with our rules.

OpenSpiel's pass (action 64) is ours: played only while the other side can move.
pyffish's (`a1a1`) is not quite: a side that cannot move is offered it even when the
other side cannot move either, and only then is the game over. It has a second
difference that no game from our start can meet: while any of the four centre points is
empty, the first discs of Reversi go there and turn nothing over.
"""

from __future__ import annotations

from typing import Any

import pytest

PASS = "pass"


def open_spiel_game() -> Any:
    """OpenSpiel's Othello; skips the test where the package is not installed."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel not found; pip install open_spiel")
    return pyspiel.load_game("othello")


def open_spiel_text(state: Any) -> str:
    """A position of OpenSpiel's in our text; who acts comes from its heading, as it knows no side at the end."""
    heading, _, *rows = state.to_string().splitlines()[:10]
    cells = "".join(row[2:17:2] for row in rows).translate(str.maketrans("xo", "XO"))
    side = "O" if "White" in heading else "X"
    return f"{cells} {side}"


def pyffish() -> Any:
    """The pyffish module; skips the test where it is not installed."""
    return pytest.importorskip("pyffish", reason="pyffish not found; pip install pyffish")


def pyffish_fen(text: str) -> str:
    """Our position as a FEN of its variant `flipello`: Black is its White, rank 8 is our row 1."""
    cells, side = text.split()
    rows = [cells[i:i + 8].replace("X", "P").replace("O", "p") for i in range(0, 64, 8)]
    for length in range(8, 0, -1):
        rows = [row.replace("-" * length, str(length)) for row in rows]
    return f"{'/'.join(rows)}[Pp] {'w' if side == 'X' else 'b'} - - 0 1"


def pyffish_moves(text: str) -> set[str]:
    """The moves it allows, in our writing."""
    moves = pyffish().legal_moves("flipello", pyffish_fen(text), [])
    return {f"{move[2]}{9 - int(move[3])}" if move.startswith("P@") else PASS for move in moves}


def pyffish_result(text: str) -> int:
    """Who has more discs, by its count: 1 Black, -1 White, 0 neither. Its own view is the mover's."""
    value = pyffish().game_result("flipello", pyffish_fen(text), [])
    sign = int(value > 0) - int(value < 0)
    return sign if text.endswith("X") else -sign
