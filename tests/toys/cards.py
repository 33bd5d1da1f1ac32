"""One hidden card each, in plain Python: secrets.

A viewer's position says `?` for the other's card, dealt or not; when he gets to see it, chance tells.
"""

from __future__ import annotations

from typing import NamedTuple

from boyi.core.board import Board, Change, Glyph, Point, Stone
from boyi.core.errors import TextError, shorten
from boyi.core.game import Game
from boyi.core.position import CHANCE
from boyi.core.python_position import PythonPosition
from boyi.core.words import Words

SEATS = ("south", "north")
FOLD, STAY = 0, 1


class Deal(NamedTuple):
    """What was dealt and said: cards "1" to "4", "?" unseen, "-" not yet; words "f", "s", "-" not yet."""

    cards: str
    words: str

    @property
    def shown(self) -> bool:
        return self.words == "ss"


class CardsPosition(PythonPosition):
    """Both are dealt a card, both say fold or stay; if both stay, the higher card wins."""

    def initial(self) -> Deal:
        return Deal("--", "--")

    def to_act(self, state: Deal) -> int:
        if "-" in state.cards or state.shown:
            return CHANCE
        return state.words.index("-")

    def legal_moves(self, state: Deal) -> list[int]:
        if self.to_act(state) == CHANCE:
            return [card for card in range(1, 5) if str(card) not in state.cards]
        return [FOLD, STAY]

    def after(self, state: Deal, move: int) -> Deal:
        if self.to_act(state) == CHANCE:
            return state._replace(cards=state.cards.replace("-" if "-" in state.cards else "?", str(move), 1))
        return state._replace(words=state.words.replace("-", "fs"[move], 1))

    def final_scores(self, state: Deal) -> tuple[float, float] | None:
        if "f" in state.words:
            return (-1, 1) if state.words[0] == "f" else (1, -1)
        if state.shown and "?" not in state.cards:
            return (1, -1) if state.cards[0] > state.cards[1] else (-1, 1)
        return None

    def state_to_text(self, state: Deal) -> str:
        return f"{state.cards} {state.words}"

    def text_to_state(self, text: str) -> Deal:
        legal = [Deal(a + b, words) for a in "-1234?" for b in "-1234?" for words in ("--", "f-", "s-", "sf", "ss")
                 if (a != b or a in "-?") and not (a == "-" and b in "1234") and ("-" not in (a, b) or words == "--")]
        for deal in legal:
            if text == self.state_to_text(deal):
                return deal
        raise TextError(f"{shorten(text)} is not a deal: two cards and two words, as 3? s-")

    def observe(self, player: int | None) -> CardsPosition:
        cards = list(self.state.cards)
        if not self.state.shown:
            cards = [card if seat == player else "?" for seat, card in enumerate(cards)]
        view = self.game.parse(f"{''.join(cards)} {self.state.words}")
        assert isinstance(view, CardsPosition)
        return view

    def format_move(self, move: int) -> str:
        return f"={move}" if self.to_act(self.state) == CHANCE else ("fold", "stay")[move]

    def path(self, move: int) -> tuple[str, ...]:
        return ()

    def stones(self) -> list[Stone]:
        return [Stone(seat, card if self.state.shown else "?")
                for seat, card in zip(SEATS, self.state.cards, strict=True)]

    def changes(self, move: int) -> list[Change]:
        before = self.stones()
        after = self.after(self.state, move)
        return [Change("revealed", stone.point, card) for stone, card in zip(before, after.cards, strict=True)
                if after.shown and card != stone.glyph]


BOARD = Board(
    points=tuple(Point(seat, 0, i) for i, seat in enumerate(SEATS)),
    lines=(),
    glyphs={code: Glyph(code, None, Words(f"card {code}", f"牌{code}")) for code in "1234?"},
    seat_names=(Words("South", "南"), Words("North", "北")),
    seat_colours=("#fff", "#000"),
)

GAME = Game(name="cards", title=Words("Cards", "暗牌"), position=CardsPosition, board=lambda options: BOARD,
            module=__name__, has_chance=True, moves_without_points=2)
