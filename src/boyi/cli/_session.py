"""One game at a terminal: whose turn it is, and what may be seen of it.

The session holds the true position. A person or an agent is only ever shown
`position.observe(player)`, and what chance adds is drawn here. How things look is
up to the screen (`_screen`), what can be typed besides moves to the commands (`_typed`).
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Sequence
from typing import Any, Literal

from boyi.agents.agent import Agent, AgentError, Clock, close_agent
from boyi.agents.human import HumanAgent
from boyi.agents.level import LEVEL
from boyi.agents.spec import AgentSpec
from boyi.cli import _texts as texts
from boyi.cli._handing import Handed, Thinking
from boyi.cli._replay import find_last, find_seat
from boyi.cli._screen import Screen
from boyi.cli._typed import Quit, Resign, SeatChanged, TakeBack, find_command
from boyi.cli.judge import verdict
from boyi.core.draws import sample_chance
from boyi.core.errors import BoyiError, IllegalMoveError, OptionError, shorten
from boyi.core.outcome import Outcome
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.words import Language, Words
from boyi.kit.ladder import find_ladder

AI_LEVEL = 5
"""Who plays for a person who hands over without naming a level."""

Ending = Literal["over", "quit", "end of input"]
"""How a session came to its end."""


class Session:
    """A game in progress, with a person or an agent in every seat."""

    def __init__(self, position: Position, seats: Sequence[AgentSpec], screen: Screen, *, note: str = "",
                 ) -> None:
        self.position = position
        self._note = note
        """What is said behind the names of those who play."""

        self.seats = tuple(seats)
        self.screen = screen
        self.humans = [seat for seat, spec in enumerate(seats) if spec.kind.name == "human"]
        self.agents: list[Agent] = [
            HumanAgent(screen.ask, self._obey, self._refuse) if seat in self.humans
            else spec.fill(seed=screen.preferences.seed + seat).make() for seat, spec in enumerate(seats)]
        self.viewer = self.humans[0] if self.humans else None
        """The seat whose view is shown; None when only programs play and everything may be seen."""

        self.turned = 0
        """By how many seats the board has been turned."""

        self.decisions = 0
        """Moves that were made here; what chance added does not count."""

        self.resigned: int | None = None
        self.left: dict[int, int] = {}
        """Seats that were given up by the rules of the game, and after how many moves."""

        self.asked: list[int] = []
        """After how many moves a person was asked: where undo goes back to."""

        self.handed = Handed(screen.preferences.seed, AI_LEVEL)
        self._input_ended = False
        """Has the pipe nothing more to say, while the AI plays for a person?"""

    # ------------------------------------------------------------------ the game

    def run(self) -> Ending:
        """Play until the game is over or the person leaves."""
        language = self.screen.language
        seats = texts.BETWEEN_SEATS.say(language).join(
            texts.say(texts.SEAT, language, name=name.say(language), agent=name_agent(spec, self.position, language))
            for name, spec in zip(self.position.board.seat_names, self.seats, strict=True))
        self.screen.say(texts.WELCOME, title=self.position.game.title.say(language), seats=seats + self._note)
        if self.humans:
            self.screen.say(texts.TYPE_A_MOVE)
        try:
            while self._play_to_the_end():
                pass
        except (EOFError, Quit) as leaving:
            if self.outcome() is None:
                return "quit" if isinstance(leaving, Quit) else "end of input"
        finally:
            self.handed.close()
            for agent in self.agents:
                close_agent(agent)
        return "over"

    def _play_to_the_end(self) -> bool:
        """Play, then let people look back; True when they took a move back and the game goes on."""
        while self.resigned is None and self.position.turn != OVER:
            try:
                self._step()
            except TakeBack:
                self._take_back()
            except Resign:
                self._resign(self.position.turn)
            except SeatChanged:
                continue
            except KeyboardInterrupt:
                if not self.handed.agents:
                    raise
                with contextlib.suppress(SeatChanged):
                    self.resume("")
        self.show_board()
        self._announce_end()
        return bool(self.humans) and self._look_back()

    def _step(self) -> None:
        """One move of the player to act, or of chance."""
        position, turn = self.position, self.position.turn
        if turn == CHANCE:
            self._draw()
            return
        forced = position.forced_move()
        if forced is not None:
            self._play(forced, texts.FORCED)
            return
        is_person = turn in self.humans and turn not in self.handed.agents
        if is_person:
            self.viewer = turn
            self.asked = [ply for ply in self.asked if ply < position.ply] + [position.ply]
        if turn in self.humans:
            self.show_board()
        if is_person and self.screen.preferences.hints:
            self.screen.list_moves(self.visible())
        try:
            move = self._choose(turn)
        except AgentError as error:
            if error.fault == "resignation":
                raise Resign from error
            raise
        self._play(move, texts.PLAYS)

    def _choose(self, turn: int) -> int:
        """The move of the player to act. While the AI plays for a person, what is typed is heard all the time."""
        agent, observation = self.handed.agents.get(turn, self.agents[turn]), self.position.observe(turn)
        if not self.handed.agents or (turn in self.humans and turn not in self.handed.agents):
            return agent.choose(observation, Clock())
        if self.screen.terminal.is_typed:
            return Thinking(agent, observation).wait(self._listen)
        if turn in self.handed.agents:
            self._read_before_move(turn)
        return agent.choose(observation, Clock())

    def _listen(self, seconds: float) -> None:
        """Do what a person types within this time; Ctrl-C takes their seat back."""
        if not self.handed.agents:
            time.sleep(seconds)   # what they type now is for when they are asked
            return
        try:
            line = self.screen.terminal.listen(seconds)
        except KeyboardInterrupt:
            line = "resume"
        if line is not None:
            self._hear(line)

    def _read_before_move(self, turn: int) -> None:
        """Do what the next line of a pipe says, before the AI moves for a person."""
        while not self._input_ended:
            prompt = texts.say(texts.PROMPT_HANDED, self.screen.language, name=self.screen.name(self.position, turn),
                               level=self.handed.levels[turn])
            try:
                line = self.screen.terminal.ask(prompt)
            except EOFError:
                self._input_ended = True
                return
            if not line.strip():
                return
            self._hear(line)

    def _hear(self, line: str) -> None:
        """Do what a line asks while the AI plays for a person."""
        command, argument = find_command(line.strip())
        if command is not None and command.while_handed:
            command.action(self, argument)
        else:
            for seat, level in self.handed.levels.items():
                self.screen.say(texts.STILL_HANDED, name=self.screen.name(self.position, seat), level=level)

    def _play(self, move: int, words: Words) -> None:
        text, name = self.screen.format(self.position, move), self.screen.name(self.position, self.position.turn)
        self.position.play(move)
        self.decisions += 1
        self.screen.say(words, number=self.decisions, name=name, move=text)

    def _draw(self) -> None:
        """Let chance decide. The same seed and place in the game draw the same, also after an undo."""
        generator = random.Random(f"{self.screen.preferences.seed} {self.position.ply}")
        move = sample_chance(self.position, generator)
        words, seen = self.position.chance_words(move), self.visible().ply
        self.position.play(move)
        if self.visible().ply > seen:   # else it is another player's secret
            self.screen.say(texts.DRAWN, what=words.say(self.screen.language))

    def _resign(self, seat: int) -> None:
        """Give up a seat. Where the rules know what that means the others play on."""
        if self.position.forfeit(seat) is None:
            self.resigned = seat
            return
        self.position.resign(seat)
        self.decisions += 1
        self.screen.say(texts.RESIGNS, name=self.screen.name(self.position, seat))
        self.left[seat] = self.position.ply
        if self.left.keys() >= set(self.humans) and self.position.turn != OVER:
            raise Quit   # nobody is left to play for

    def hand_over(self, argument: str) -> None:
        """托管: let the AI play the person's seat, at a level or at the one that was named last."""
        ladder = find_ladder(self.position.game, self.position.players)
        try:
            level = ladder.read(argument) if argument else ladder.number(self.handed.level)
        except OptionError:
            self.screen.say(texts.NO_LEVEL, line=shorten(argument), highest=len(ladder))
            return
        seat = self.viewer if self.viewer is not None else self.position.turn
        self.handed.hand_over(self.position, seat, level)
        self.screen.say(texts.HANDED, name=self.screen.name(self.position, seat), level=self.handed.levels[seat])
        if self.position.turn == seat:
            raise SeatChanged

    def resume(self, argument: str) -> None:
        """The person plays again: in the seat that is named, or in all that were handed over."""
        seats = list(self.handed.agents)
        if argument:
            named = self._find_seat(argument)
            if named is None:
                return
            seats = [seat for seat in seats if seat == named]
        if not seats:
            self.screen.say(texts.NOT_HANDED)
        for seat in seats:
            self.handed.take_back(seat)
            self.screen.say(texts.RESUMED, name=self.screen.name(self.position, seat))
        if self.position.turn in seats:
            raise SeatChanged

    def replay(self, argument: str) -> None:
        """Show the last move once more, or the last one of a player."""
        seat = self._find_seat(argument) if argument else None
        if argument and seat is None:
            return
        last = find_last(self.visible(), seat)
        if last is not None:
            self.screen.replay(last, self._below())
        elif seat is None:
            self.screen.say(texts.NO_LAST_MOVE)
        else:
            self.screen.say(texts.NO_LAST_MOVE_OF, name=self.screen.name(self.position, seat))

    def _find_seat(self, text: str) -> int | None:
        """The seat of a player that a person names; if there is none, that is said."""
        names = self.position.board.seat_names
        seat = find_seat(text, names)
        if seat is None:
            known = texts.BETWEEN_NAMES.say(self.screen.language).join(
                f"{number} {name.say(self.screen.language)}" for number, name in enumerate(names, 1))
            self.screen.say(texts.NO_PLAYER, line=shorten(text), names=known)
        return seat

    def earlier(self) -> list[int]:
        """Where undo can go back to, the nearest last."""
        if self.resigned is not None:
            return [*self.asked]   # only the resignation is taken back
        return [ply for ply in self.asked if ply < self.position.ply]

    def _take_back(self) -> None:
        target = self.earlier()[-1]
        with contextlib.suppress(SeatChanged):   # where a person decided, a person decides again
            if self.handed.agents:
                self.resume("")
        if self.resigned is not None:
            self.resigned = None
            self.screen.say(texts.RESIGNATION_BACK)
            return
        taken = []
        while self.position.ply > target:
            move = self.position.undo()
            if self.position.turn != CHANCE:
                taken.append(self.screen.format(self.position, move))
                self.decisions -= 1
        self.left = {seat: ply for seat, ply in self.left.items() if ply <= target}
        self.screen.say(texts.TAKEN_BACK, moves=" ".join(reversed(taken)))

    def _announce_end(self) -> None:
        language, outcome = self.screen.language, self.outcome()
        if outcome is None:
            return
        self.screen.say(texts.GAME_OVER, words=outcome.words.say(language))
        if self.resigned is None:
            for sentence in self.position.explain():
                self.screen.terminal.write("  " + sentence.say(language))

    def _look_back(self) -> bool:
        """After the end: save, undo, look. True when the game goes on."""
        while True:
            line = self.screen.terminal.ask(texts.AFTERWARDS.say(self.screen.language)).strip()
            if not line:
                return False
            command, argument = find_command(line)
            if command is None or not command.afterwards:
                self.screen.say(texts.NOT_AFTERWARDS)
                continue
            try:
                command.action(self, argument)
            except TakeBack:
                self._take_back()
                return True

    # ------------------------------------------------------------------ what is known

    def outcome(self) -> Outcome | None:
        """How the game ended, on the board or by resignation."""
        return self.position.outcome() if self.resigned is None else self.position.resign(self.resigned)

    def visible(self) -> Position:
        """The position as far as the person at the screen may know it; all of it once the game is over."""
        if self.viewer is None or self.outcome() is not None:
            return self.position
        return self.position.observe(self.viewer)

    # ------------------------------------------------------------------ the person at the terminal

    def show_board(self) -> None:
        self.screen.show_board(self.visible(), self._below())

    def _below(self) -> int:
        """The seat at the bottom. Where several people share the screen it does not turn with every move."""
        below = self.humans[0] if len(self.humans) == 1 else 0
        return (below + self.turned) % self.position.players

    def _obey(self, line: str, observation: Position) -> bool:
        """Do what a line asks if it is a command and not a move."""
        command, argument = find_command(line)
        if command is None:
            return False
        command.action(self, argument)
        return True

    def _refuse(self, error: BoyiError, line: str, observation: Position) -> None:
        words = texts.NOT_LEGAL if isinstance(error, IllegalMoveError) else texts.NOT_READ
        self.screen.say(words, error=error, line=shorten(line)[1:-1], moves=self.screen.examples(observation))


def name_agent(spec: AgentSpec, position: Position, language: Language) -> str:
    """What to call an agent in a seat: as it was written where it has settings, else in words."""
    if spec.kind is LEVEL and len(spec.values) == 1:
        ladder, level = find_ladder(position.game, position.players), spec.values["level"]
        number = ladder.number(level if isinstance(level, str) else int(level))
        return texts.say(texts.LEVEL, language, level=ladder.write(number, language))
    return str(spec) if spec.values else spec.kind.title.say(language)


def summary(session: Session, ending: Ending) -> dict[str, Any]:
    """What JSON says of a session: the judgement of its position, and how it got there."""
    position, outcome = session.visible(), session.outcome()
    walk = position.game.parse(position.start_text, **position.options)
    moves = []
    for move in position.history():
        moves.append(walk.format_move(move))
        walk.play(move)
    facts = verdict(position) | {"agents": [str(spec) for spec in session.seats], "moves": moves, "ending": ending}
    if session.resigned is not None and outcome is not None:
        facts |= {"turn": "over", "over": True, "result": list(outcome.results), "reason": outcome.reason,
                  "words": {"en": outcome.words.en, "zh": outcome.words.zh},
                  "places": list(outcome.places) if position.players > 2 else None, "legal_moves": []}
    return facts
