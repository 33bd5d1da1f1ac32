"""Finds puzzles: in games of the engine against itself, in records, and in endings put together by chance.

Every position of a game gets a *first look*, a search of few nodes that compares the best moves. Where one stands out
it is examined (`examiner`) with `CHECK` times the nodes. In self-play the first look also chooses the move: one side or
both play a good deal worse than they see (a temperature, and moves without a look), so that there is something to
punish.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from boyi.agents.interruption import search
from boyi.agents.level import choose_line
from boyi.agents.searching import expect, find_scale
from boyi.core.draws import sample_chance
from boyi.core.errors import BoyiError, OptionError, RecordError, TextError
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.record import Record
from boyi.core.searcher import Limits, Result, Searcher
from boyi.core.written import written_moves
from boyi.games import find_game
from boyi.study.puzzles.examiner import Examiner, Solved
from boyi.study.puzzles.puzzle import Puzzle, make_id
from boyi.study.puzzles.rating import rate_by_levels
from boyi.study.puzzles.themes import find_themes

COMPOSED = "composed"
"""The source of endings that were put together by chance."""

CHECK = 10
"""Times the nodes of the first look."""

LENIENCE = 0.8
"""The first look asks for this share of the margin and of the odds only."""

STRICTNESS = 1.4
"""What stands out must be better by this number of margins: with fewer, a fifth does not hold when it is verified."""

LINES = 4
"""Moves that the first look compares in self-play."""

STRONG, WEAK = (0.0, 0.1), (0.25, 0.5, 0.9)
"""Temperatures, in units of the evaluator's scale. A side with WEAK plays like a low level."""

BLUNDERS = 0.2
"""The share of its moves that a weak side plays without having looked at all."""

RANDOM_PLIES = 2, 8
"""The number of random moves that begin a game is drawn between the two."""

LONGEST_GAME = 200
"""Plies."""

MOST_PER_GAME = 6
COMPOSED_PER_TASK = 40
"""Endings that are tried in one task."""

EASY_NODES = 80
"""A single move that is found with fewer nodes and does not end the game is no puzzle."""


@dataclass(frozen=True, kw_only=True)
class MakerSettings:
    """How puzzles are made."""

    game: str
    nodes: int = 5_000
    """Of the first look; what stands out is examined with `CHECK` times as many."""

    seed: int = 0

    def __post_init__(self) -> None:
        if self.nodes < 1:
            raise OptionError(f"nodes is {self.nodes} and must be at least 1")


class Maker:
    """Makes puzzles of one game."""

    def __init__(self, settings: MakerSettings) -> None:
        self.settings = settings
        self.game = find_game(settings.game)
        self.examiner = Examiner(self.game, CHECK * settings.nodes, strictness=STRICTNESS)

    # ------------------------------------------------------------------ where positions come from

    def from_play(self, number: int) -> list[Puzzle]:
        """The puzzles of one game of self-play; the number decides which."""
        generator = random.Random(f"{self.settings.seed} puzzles {number}")
        searcher = self.examiner.make_searcher()
        position = self.game.start()
        temperatures = [generator.choice(WEAK if player == number % position.players or generator.random() < 0.5
                                         else STRONG) for player in range(position.players)]
        opening = generator.randint(*RANDOM_PLIES)
        found, rest = list[Puzzle](), 0
        while position.turn != OVER and position.ply < LONGEST_GAME and len(found) < MOST_PER_GAME:
            if position.turn == CHANCE:
                position.play(sample_chance(position, generator))
                continue
            legal = position.moves()
            if position.ply < opening or len(legal) == 1:
                position.play(generator.choice(legal))
                continue
            result = self._first_look(searcher, position)
            rest -= 1
            if rest <= 0 and self._stands_out(position, searcher, result):
                puzzle = self._examine(position, "self-play")
                if puzzle is not None:
                    found.append(puzzle)
                    rest = len(puzzle.solution) + 1     # what follows is the same puzzle
            temperature = temperatures[position.turn]
            if temperature in WEAK and generator.random() < BLUNDERS:
                position.play(generator.choice(legal))
            else:
                position.play(choose_line(result.lines, temperature * find_scale(searcher), generator).moves[0])
        return found

    def from_record(self, record: Record, name: str) -> list[Puzzle]:
        """The puzzles of a game that was played."""
        if record.game is not self.game or record.options != self.game.resolve():
            raise RecordError(f"a record of {record.game.name} under other rules than {self.game.name} has by default")
        searcher, found, rest = self.examiner.make_searcher(), list[Puzzle](), 0
        for position in record.positions():
            rest -= 1
            if position.turn < 0 or rest > 0 or len(position.moves()) < 2:
                continue
            if self._stands_out(position, searcher):
                puzzle = self._examine(position, name)
                if puzzle is not None:
                    found.append(puzzle)
                    rest = len(puzzle.solution) + 1
        return found

    def from_composed(self, number: int) -> list[Puzzle]:
        """Puzzles among some endings that the game puts together by chance."""
        compose = self.examiner.facts.compose
        if compose is None:
            raise BoyiError(f"{self.game.name} does not say how endings are put together")
        generator = random.Random(f"{self.settings.seed} composed {number}")
        found, searcher = [], self.examiner.make_searcher()
        for _ in range(COMPOSED_PER_TASK):
            try:
                position = self.game.parse(compose(generator))
            except TextError:
                continue
            if position.turn < 0 or len(position.moves()) < 2:
                continue
            if self.examiner.facts.judge is not None and self.examiner.prove(position) is None:
                continue     # an ending that is too long to be solved
            if self._stands_out(position, searcher):
                puzzle = self._examine(position, COMPOSED)
                if puzzle is not None:
                    found.append(puzzle)
        return found

    # ------------------------------------------------------------------ what becomes of them

    def _first_look(self, searcher: Searcher, position: Position) -> Result:
        view = position.observe(position.turn) if position.has_secrets else position
        return search(searcher, view, Limits(nodes=self.settings.nodes, lines=LINES))

    def _stands_out(self, position: Position, searcher: Searcher, result: Result | None = None) -> bool:
        """Does one move seem to be the only good one? `result` is that of the first look, if there was one."""
        proven = self.examiner.prove(position)
        if proven is not None:
            best, second = sorted(proven.values(), reverse=True)[:2]
            return self.examiner.is_good_alone(best, second)
        result = result or self._first_look(searcher, position)
        if len(result.lines) < 2:
            return False
        best, second = (expect(searcher, line) for line in result.lines[:2])
        return self.examiner.is_good_alone(best / LENIENCE, second / LENIENCE)

    def _examine(self, position: Position, source: str) -> Puzzle | None:
        """The puzzle that a position is, seen by the player to act; None if it is none."""
        start, lead = find_lead(position)
        question = self.game.parse(start)
        for text in lead:
            for move in question.parse_moves(text):
                question.play(move)
        if question.turn != position.turn:
            return None
        solved = self.examiner.solve(question)
        if solved is None or is_too_easy(solved) or (source == COMPOSED and solved.line.wins_in == 1):
            return None     # of endings that are over at once there would be more than of all others
        texts = tuple(text for text, _ in written_moves(question.copy(), solved.line.moves))
        puzzle = Puzzle(make_id(start, lead), start, lead, texts, find_themes(solved.line), solved.rating, source)
        rating = rate_by_levels(puzzle, self.game, {})
        return puzzle if rating is None else replace(puzzle, rating=rating)


def find_lead(position: Position) -> tuple[str, tuple[str, ...]]:
    """The text of the position before the opponent's last turn, as the player to act knows it, and that turn.

    A turn is all that was done since the player acted last; with more than two players, by all of them.
    """
    player, history = position.turn, position.history()
    replay = position.game.parse(position.start_text, **position.options)
    begins = len(history)
    for number, move in enumerate(history):
        if replay.turn == player:
            begins = len(history)
        elif replay.turn >= 0 and begins == len(history):
            begins = number
        replay.play(move)
    for _ in history[begins:]:
        replay.undo()
    view = replay.observe(player)
    start = view.to_text()
    lead = list[str]()
    known = position.game.parse(start, **position.options)
    try:
        lead = [text for text, _ in written_moves(known, list(_as_seen(known.copy(), history[begins:])))]
    except BoyiError:
        lead = []
    seen = position.observe(player).to_text()
    return (start, tuple(lead)) if lead and known.to_text() == seen else (seen, ())


def _as_seen(view: Position, moves: list[int]) -> Iterator[int]:
    """The moves that a viewer is told of: what chance showed only to others cannot be played here."""
    for move in moves:
        if view.is_legal(move):
            view.play(move)
            yield move


def is_too_easy(solved: Solved) -> bool:
    """A single move that is seen at once and does not end the game."""
    return len(solved.looks) == 1 and solved.looks[0].found < EASY_NODES and solved.line.wins_in != 1
