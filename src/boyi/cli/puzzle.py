"""boyi puzzle: solve puzzles in the terminal."""

from __future__ import annotations

import datetime
import random
import sys
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import GameArgument, LanguageOption, print_json, read_language
from boyi.cli._screen import Preferences, Screen
from boyi.cli._terminal import Terminal
from boyi.cli.puzzles import find_puzzles
from boyi.core.errors import IllegalMoveError, OptionError, TextError
from boyi.core.position import Position
from boyi.core.words import Words
from boyi.games import find_game

if TYPE_CHECKING:
    from boyi.study.puzzles.collection import Puzzles
    from boyi.study.puzzles.puzzle import Puzzle

QUESTION = Words("Puzzle {id} of {title}, rated {rating}. {name} to act: find the best move.",
                 "{title}第 {id} 题，难度 {rating}。轮到{name}：找出最佳着法。")
HELP = Words("Type a move, or: hint, solution, next, quit.", "请输入着法，或：提示、答案、下一题、退出。")
LAST = Words("{name} has just played {move}.", "{name}刚走了 {move}。")
RIGHT = Words("Right.", "正确。")
REPLY = Words("{name} replies {move}.", "{name}应以 {move}。")
FORCED = Words("{name} can only play {move}.", "{name}只能走 {move}。")
AS_GOOD = Words("Not the move of the solution, but as good. Solved.", "与答案不同，但同样是好着。解开了。")
WRONG = Words("{move} is not it. Try again, or: hint, solution.", "{move} 不对。再试试，或：提示、答案。")
HINT = Words("Look at {point}.", "看看 {point}。")
HINT_NONE = Words("It touches no point of the board.", "此着不涉及盘上的点。")
SOLUTION = Words("The solution: {moves}", "答案：{moves}")
SOLVED = Words("Solved. Themes: {themes}.", "解开了。主题：{themes}。")
SHOWN = Words("Themes: {themes}.", "主题：{themes}。")
ALL_DONE = Words("There are no more puzzles of this kind.", "这类题做完了。")
SCORE = Words("{solved} of {tried} solved at the first attempt.", "共 {tried} 题，一次解开 {solved} 题。")

COMMANDS = {"hint": "hint", "提示": "hint", "solution": "solution", "答案": "solution", "next": "next",
            "下一题": "next", "quit": "quit", "exit": "quit", "退出": "quit", "help": "help", "?": "help",
            "帮助": "help"}


class Leaving(Exception):  # noqa: N818  (a wish, not an error)
    """The person has had enough."""


def register(app: typer.Typer) -> None:
    app.command("puzzle")(command)


def command(
    game: GameArgument,
    theme: Annotated[str | None, typer.Option(metavar="THEME", help="Only puzzles of this theme; `list` lists "
                                                                    "them.")] = None,
    rating: Annotated[int | None, typer.Option(min=0, max=5_000, help="About as hard as this.")] = None,
    name: Annotated[str | None, typer.Option("--id", metavar="ID", help="This puzzle.")] = None,
    day: Annotated[bool, typer.Option("--day", help="The puzzle of the day.")] = False,
    number: Annotated[int, typer.Option("--number", "-n", min=1, max=10_000, help="How many, one after another.")] = 1,
    file: Annotated[Path | None, typer.Option("--file", metavar="FILE", help="Puzzles of this file; else those that "
                                                                            "come with the game.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, max=2**62, help="Decides which puzzles come.")] = None,
    notation: Annotated[str | None, typer.Option(help="How moves are written; any notation can be typed.")] = None,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with ASCII only.")] = False,
    as_json: Annotated[bool, typer.Option(
        "--json", help="Talk on standard error, and print how it went as JSON in the end.")] = False,
    language: LanguageOption = None,
) -> None:
    """Solve puzzles: find the only good move, to the end of the line. A move that is as good is accepted."""
    speech = read_language(language)
    chosen = find_game(game)
    puzzles = find_puzzles(chosen, file)
    if theme == "list":
        from boyi.study.puzzles.themes import themes_of
        if as_json:
            print_json({"game": game, "themes": dict(puzzles.themes)})
            return
        for known, title in themes_of(chosen).items():
            if known in puzzles.themes:
                print(f"{puzzles.themes[known]:>6}  {known:<16}  {title.say(speech)}")
        return
    if name is not None and (day or theme is not None or rating is not None):
        raise OptionError("--id names a puzzle; leave --day, --theme and --rating out")
    if notation is not None:
        chosen.notation(notation)
    screen = Screen(Terminal(sys.stderr if as_json else sys.stdout),
                    Preferences(language=speech, notation=notation, ascii_only=ascii_only))
    generator = random.Random(seed)
    tried: dict[str, bool] = {}
    """By id: was it solved at the first attempt?"""

    try:
        for _ in range(number):
            puzzle = _choose(puzzles, generator, name=name, day=day and not tried, theme=theme,
                             rating=rating, without=tried)
            if puzzle is None or puzzle.id in tried:
                screen.say(ALL_DONE)
                break
            tried[puzzle.id] = False
            tried[puzzle.id] = Attempt(puzzles, puzzle, screen).run()
    except (EOFError, Leaving):
        pass
    if number > 1:
        screen.say(SCORE, solved=sum(tried.values()), tried=len(tried))
    if as_json:
        print_json({"game": game, "puzzles": [
            {"id": one, "rating": puzzles.find(one).rating, "themes": list(puzzles.find(one).themes), "solved": solved}
            for one, solved in tried.items()]})


def _choose(puzzles: Puzzles, generator: random.Random, *, name: str | None, day: bool, theme: str | None,
            rating: int | None, without: Collection[str]) -> Puzzle | None:
    if name is not None:
        return puzzles.find(name)
    if day:
        return puzzles.of_day(datetime.datetime.now(datetime.UTC).date())
    return puzzles.choose(generator, theme=theme, rating=rating, without=without)


class Attempt:
    """A person at one puzzle."""

    def __init__(self, puzzles: Puzzles, puzzle: Puzzle, screen: Screen) -> None:
        self._puzzles, self._puzzle, self._screen = puzzles, puzzle, screen
        self._steps = list(puzzle.steps(puzzles.game, puzzles.options))
        self._solver = self._steps[0].position.turn
        self._clean = True
        """Nothing wrong was tried, and no help was asked for."""

    def run(self) -> bool:
        """Ask until it is solved or given up; was it solved at the first attempt?"""
        question, screen = self._steps[0].position, self._screen
        screen.say(QUESTION, id=self._puzzle.id, title=question.game.title.say(screen.language),
                   rating=self._puzzle.rating, name=screen.name(question, self._solver))
        if self._puzzle.lead:
            screen.say(LAST, name=screen.name(question, (self._solver + 1) % question.players),
                       move=" ".join(self._puzzle.lead))
        screen.say(HELP)
        themes = self._themes()
        for number, step in enumerate(self._steps):
            if not step.asked:
                words = REPLY if step.position.turn != self._solver else FORCED
                screen.say(words, name=screen.name(step.position, step.position.turn),
                           move=screen.format(step.position, step.move))
                continue
            screen.show_board(step.position, self._solver)
            outcome = self._ask(step.position, step.move, number)
            if outcome == "given up":
                screen.say(SHOWN, themes=themes)
                return False
            if outcome == "as good":
                screen.say(AS_GOOD)
                break
            screen.say(RIGHT)
        screen.say(SOLVED, themes=themes)
        return self._clean

    def _ask(self, position: Position, expected: int, number: int) -> str:
        """Ask for one move: "right", "as good" or "given up"."""
        from boyi.study.puzzles.answer import accepts

        screen = self._screen
        while True:
            line = screen.ask(position).strip()
            if not line:
                continue
            wish = COMMANDS.get(line.lower())
            if wish == "quit":
                raise Leaving
            if wish == "help":
                screen.say(HELP)
            elif wish == "hint":
                self._clean = False
                path = position.path(expected)
                screen.say(HINT if path else HINT_NONE, point=path[0] if path else "")
            elif wish in ("solution", "next"):
                screen.say(SOLUTION, moves=" ".join(screen.format(step.position, step.move)
                                                    for step in self._steps[number:]))
                return "given up"
            else:
                try:
                    move = position.game.read_move(position, line)[0]
                    if not position.is_legal(move):
                        raise IllegalMoveError(f"{line[:40]} is not legal here")
                except (TextError, IllegalMoveError) as error:
                    words = texts.NOT_LEGAL if isinstance(error, IllegalMoveError) else texts.NOT_READ
                    screen.say(words, error=error, line=line[:40], moves=screen.examples(position))
                    continue
                if move == expected:
                    return "right"
                if accepts(position, move, expected):
                    return "as good"
                self._clean = False
                screen.say(WRONG, move=screen.format(position, move))

    def _themes(self) -> str:
        from boyi.study.puzzles.themes import themes_of

        titles, language = themes_of(self._puzzles.game), self._screen.language
        return texts.BETWEEN_NAMES.say(language).join(
            titles[name].say(language) for name in self._puzzle.themes if name in titles)
