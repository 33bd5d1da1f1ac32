"""Matches of the ancestor of Chinese checkers at its own depth, beside those that are limited in nodes."""

from __future__ import annotations

from collections.abc import Sequence

from boyi.core.game import Game
from boyi.core.words import Words
from boyi.lab.experiment import Session
from boyi.lab.matches import MATCH_COLUMNS, SHARE_COLUMNS, play_field, play_pair
from boyi.lab.table import Row, Table, number

__all__ = ["ANCESTOR", "OWN_DEPTHS", "at_depth", "own_depth_tables", "play_at_own_depth"]

ANCESTOR = "multiplayer:preset=ancestor,evaluator=ancestor"
"""The ancestor's search."""

OWN_DEPTHS = (5, 4)
"""Plies that it searches with two players, and with three."""


def play_at_own_depth(game: Game, one: tuple[str, str], other: tuple[str, str], depths: tuple[int, int],
                      games: tuple[int, int], turns: int, session: Session) -> tuple[Row, Row]:
    """Games of two, and of one among two others; each contestant is a name and a spec without a limit.

    `depths` and `games` are those of two players and of three; `turns` of a player end a game as it stands.
    """
    two, three = (game.start(players=players, turn_limit=turns) for players in (2, 3))

    def limited(contestant: tuple[str, str], depth: int) -> tuple[str, str]:
        return contestant[0], f"{contestant[1]},depth={depth}"
    return (play_pair(two, limited(one, depths[0]), limited(other, depths[0]), games[0], session, depth=depths[0]),
            play_field(three, limited(one, depths[1]), limited(other, depths[1]), games[1], session, depth=depths[1]))


def own_depth_tables(rows: Sequence[tuple[Row, Row]], depths: tuple[int, int]) -> tuple[Table, Table]:
    """What such games came to: the tables `own_two` and `own_three`."""
    return (
        Table("own_two", Words(f"Two players, every move {depths[0]} plies deep", f"两人对局，每步搜 {depths[0]} 层"),
              MATCH_COLUMNS, tuple(two for two, _ in rows)),
        Table("own_three", Words(f"Three players, every move {depths[1]} plies deep",
                                 f"三人对局，每步搜 {depths[1]} 层"), SHARE_COLUMNS, tuple(three for _, three in rows)),
    )


def at_depth(rows: Sequence[Row], players: int) -> Words:
    """How deep they searched, and whether the ancestor does so."""
    depth = int(number(rows[0], "depth"))
    many = {2: Words("with two players", "两人对局"), 3: Words("with three", "三人对局")}[players]
    if depth == OWN_DEPTHS[players - 2]:
        return Words(f"{many.en} at the ancestor's own depth of {depth}", f"{many.zh}、前身项目自己的深度（{depth}）下")
    return Words(f"{many.en} at depth {depth}", f"{many.zh}、深度 {depth} 下")
