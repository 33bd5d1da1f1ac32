from typing import Any

def replay(moves: Any, own: Any, other: Any, side: Any) -> int:
    """Replay games given as WTHOR writes them: 60 bytes each, 10 · row + column from 1, passes left out, 0 at the end.

    Row s of the results is for positions with 4 + s discs, a column per game: the discs of the player to
    act and of the other, and 1 if that is Black, -1 if White, 0 where the game has no such position (or
    nobody could move). A game with an illegal move ends before it. Returns how many had one.
    """
