"""What a review says of a game: of each move, of each player, and where it turned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from boyi.core.game import Game
from boyi.core.position import CHANCE, Position
from boyi.core.record import Record
from boyi.core.words import Words
from boyi.core.written import play_written
from boyi.study.review.judgement import INACCURACY, JUDGEMENTS, WRONG, Judgement, accuracy, judge, volatility
from boyi.study.review.look import Look
from boyi.study.review.opening import Opening

TURNING_POINTS = 3

FORMAT_VERSION = 1
"""Of the JSON; grows when a reader of today could misunderstand it."""


@dataclass(frozen=True)
class ReviewedMove:
    """A written move of the game."""

    number: int
    """From 1 on."""

    player: int | None
    """Who moved; None where chance acted by itself."""

    text: str
    """As the record has it: what chance added is part of it."""

    judgement: Judgement
    look: Look | None = None
    """None for what nobody decided, or was not searched."""

    refutation: tuple[str, ...] = ()
    """Of what was wrong: the moves that follow."""

    chance: Words | None = None
    """What chance brought."""

    stage: Words | None = None
    """The part of the game that begins with this move, in games that have parts."""

    @property
    def loss(self) -> float:
        return 0.0 if self.look is None or self.judgement == "forced" else self.look.loss

    @property
    def is_wrong(self) -> bool:
        return self.judgement in WRONG

    def to_json(self) -> dict[str, Any]:
        return {"number": self.number, "player": self.player, "text": self.text, "judgement": self.judgement,
                "look": None if self.look is None else self.look.to_json(), "refutation": list(self.refutation),
                "chance": _words_to_json(self.chance), "stage": _words_to_json(self.stage)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ReviewedMove:
        return cls(data["number"], data["player"], data["text"], data["judgement"],
                   None if data["look"] is None else Look.from_json(data["look"]), tuple(data["refutation"]),
                   _words_from_json(data["chance"]), _words_from_json(data["stage"]))


@dataclass(frozen=True)
class ReviewedPlayer:
    """How one player did."""

    accuracy: float | None
    """In percent, see `judgement.accuracy`; None for a player who had nothing to decide."""

    counts: Mapping[Judgement, int]
    """Moves of each class."""

    luck: float | None = None
    """What chance gave in all, in odds; None where it has no say."""

    def to_json(self) -> dict[str, Any]:
        return {"accuracy": self.accuracy, "counts": dict(self.counts), "luck": self.luck}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ReviewedPlayer:
        return cls(data["accuracy"], data["counts"], data["luck"])


@dataclass(frozen=True)
class TurningPoint:
    """One of the moves that decided the game."""

    number: int
    """Of the move."""

    swing: float
    """The change of odds for the player who moved: what the move cost, below 0, or what chance gave."""

    by_chance: bool = False

    def to_json(self) -> dict[str, Any]:
        return {"number": self.number, "swing": self.swing, "by_chance": self.by_chance}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TurningPoint:
        return cls(data["number"], data["swing"], data["by_chance"])


@dataclass(frozen=True)
class Review:
    """A game, looked over."""

    record: Record
    moves: tuple[ReviewedMove, ...]
    """All written moves."""

    players: tuple[ReviewedPlayer, ...]
    """By seat."""

    curves: tuple[tuple[float | None, ...], ...]
    """The odds of a player at the start and after each written move: of the first one where two play, else of each.
    None where they are not known: with more than two players a search values a position for the one to act."""

    turning_points: tuple[TurningPoint, ...] = ()
    """At most `TURNING_POINTS`, in the order of the game."""

    opening: Opening = field(default_factory=Opening)
    effort: str = ""
    """What each search was given: `1 s`, `20000 nodes`."""

    @property
    def wrong(self) -> tuple[ReviewedMove, ...]:
        """The inaccuracies, mistakes and blunders."""
        return tuple(move for move in self.moves if move.is_wrong)

    def to_json(self) -> dict[str, Any]:
        return {"version": FORMAT_VERSION, "record": self.record.to_text(), "effort": self.effort,
                "opening": self.opening.to_json(), "players": [player.to_json() for player in self.players],
                "turning_points": [point.to_json() for point in self.turning_points],
                "curves": [list(curve) for curve in self.curves], "moves": [move.to_json() for move in self.moves]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], find_game: Callable[[str], Game]) -> Review:
        return cls(Record.parse(data["record"], find_game), tuple(map(ReviewedMove.from_json, data["moves"])),
                   tuple(map(ReviewedPlayer.from_json, data["players"])), tuple(map(tuple, data["curves"])),
                   tuple(map(TurningPoint.from_json, data["turning_points"])), Opening.from_json(data["opening"]),
                   data["effort"])


def assemble(record: Record, looks: Iterable[Look], opening: Opening | None = None, effort: str = "") -> Review:
    """The review that follows from what was found about the decisions of a game."""
    by_number = {look.number: look for look in looks}
    moves, position = list[ReviewedMove](), record.begin()
    stage: Words | None = None
    for number, entry in enumerate(record.entries, 1):
        before = position.copy()
        play_written(position, entry.text, number)
        found = by_number.get(number)
        begins = before.stage() if before.stage() != stage else None
        stage = before.stage()
        judgement: Judgement = "forced" if found is None else judge(
            found.loss, is_best=found.is_best, is_forced=found.forced)
        moves.append(ReviewedMove(
            number, before.turn if before.turn >= 0 else None, entry.text, judgement, found,
            _refutation(found, by_number.get(number + 1)) if judgement in WRONG else (),
            _chance(before, position.history()[before.ply:]), begins))
    curves = _curves(moves, position)
    players = tuple(_player(moves, seat, curves, position.players) for seat in range(position.players))
    return Review(record, tuple(moves), players, curves, _turning_points(moves), opening or Opening(), effort)


def _refutation(found: Look | None, following: Look | None) -> tuple[str, ...]:
    """What follows a move that was wrong; where its line ended with chance, the best reply to what came."""
    if found is None:
        return ()
    return found.played.moves[1:] or (() if following is None else following.best.moves)


def _chance(before: Position, played: Sequence[int]) -> Words | None:
    """What chance brought with a written move."""
    walk, said = before.copy(), list[Words]()
    for move in played:
        if walk.turn == CHANCE and not walk.is_forfeit(move):
            said.append(walk.chance_words(move))
        walk.play(move)
    return Words("; ".join(one.en for one in said), "；".join(one.zh for one in said)) if said else None


def _curves(moves: Sequence[ReviewedMove], last: Position) -> tuple[tuple[float | None, ...], ...]:
    """A game that was resigned, or lost on time, ends with the odds of its last position: nothing plunges."""
    outcome = last.outcome()
    ends: list[float | None]
    if outcome is not None:
        ends = [(1 + score) / 2 for score in outcome.scores]
    else:
        ends = [None] * last.players
        if moves and moves[-1].look is not None and moves[-1].player is not None:
            ends[moves[-1].player] = moves[-1].look.after
            if last.players == 2:
                ends[1 - moves[-1].player] = 1 - moves[-1].look.after
    curves = []
    for seat in range(1 if last.players == 2 else last.players):
        curve: list[float | None] = []
        for move in moves:
            if move.look is None or (move.player != seat and last.players != 2):
                curve.append(None)
            else:
                curve.append(round(move.look.before if move.player == seat else 1 - move.look.before, 4))
        curves.append((*curve, ends[seat]))
    return tuple(curves)


def _player(moves: Sequence[ReviewedMove], seat: int, curves: Sequence[Sequence[float | None]],
            players: int) -> ReviewedPlayer:
    curve = curves[0 if players == 2 else seat]
    known = [number for number, odds in enumerate(curve) if odds is not None]
    weights = dict(zip(known, volatility([odds for odds in curve if odds is not None]), strict=True))
    own = [move for move in moves if move.player == seat and move.look is not None]
    chosen = [move for move in own if move.judgement != "forced"]
    score = accuracy([move.loss for move in chosen],
                     [weights.get(move.number, weights[move.number - 1]) for move in chosen])
    counts = Counter(move.judgement for move in own)
    lucks = [move.look.luck if move.player == seat else -move.look.luck for move in moves
             if move.look is not None and move.look.luck is not None]
    return ReviewedPlayer(None if score is None else round(score, 1), {name: counts[name] for name in JUDGEMENTS},
                          round(sum(lucks), 4) if lucks else None)


def _turning_points(moves: Sequence[ReviewedMove]) -> tuple[TurningPoint, ...]:
    """The moves that changed the odds most, by what they cost or by what chance gave."""
    points = []
    for move in moves:
        if move.look is None:
            continue
        if move.is_wrong:
            points.append(TurningPoint(move.number, -round(move.look.loss, 4)))
        if move.look.luck is not None and abs(move.look.luck) >= INACCURACY:
            points.append(TurningPoint(move.number, move.look.luck, by_chance=True))
    largest = sorted(points, key=lambda point: -abs(point.swing))[:TURNING_POINTS]
    return tuple(sorted(largest, key=lambda point: (point.number, point.by_chance)))


def _words_to_json(words: Words | None) -> list[str] | None:
    return None if words is None else [words.en, words.zh]


def _words_from_json(data: Sequence[str] | None) -> Words | None:
    return None if data is None else Words(*data)
