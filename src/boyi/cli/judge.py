"""boyi judge: who acts, whether the game is over, and why."""

from __future__ import annotations

from typing import Any

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import GameArgument, Output, Start, name_turn, play_moves, print_json
from boyi.cli._groups import with_groups
from boyi.cli._table import align
from boyi.core.position import CHANCE, Position
from boyi.core.words import Language, Words


def register(app: typer.Typer) -> None:
    app.command("judge")(with_groups(command))


def command(
    game: GameArgument,
    *,
    place: Start,
    output: Output,
) -> None:
    """Play the moves, then say who acts, whether and how the game is over, and why.

    Where the game is over before the last move, the rest is not played, and that is said too.
    """
    speech, position = output.speech, place.start(game)
    unplayed = play_moves(position, place.moves)
    if output.as_json:
        print_json(verdict(position) | {"unplayed": unplayed})
        return
    lines = describe(position, speech)
    if unplayed:
        lines.append((texts.JUDGE_UNPLAYED.say(speech), " ".join(unplayed)))
    print("\n".join(align(lines)))


def verdict(position: Position) -> dict[str, Any]:
    """The judgement as JSON has it (documented in docs/cli.md)."""
    outcome = position.outcome()
    return {
        "game": position.game.name,
        "options": dict(position.options),
        "players": position.players,
        "seats": [_both(name) for name in position.board.seat_names],
        "ply": position.ply,
        "turn": name_turn(position.turn),
        "check": position.checked,
        "repetitions": position.repetitions,
        "over": outcome is not None,
        "result": None if outcome is None else list(outcome.results),
        "places": None if outcome is None or position.players == 2 else list(outcome.places),
        "reason": None if outcome is None else outcome.reason,
        "words": None if outcome is None else _both(outcome.words),
        "explanation": [_both(sentence) for sentence in position.explain()],
        "legal_moves": [position.format_move(move) for move in position.moves()],
        "text": position.to_text(),
    }


def describe(position: Position, language: Language) -> list[tuple[str, str]]:
    """The judgement for people: a list of headings and what stands beside them."""
    names = [name.say(language) for name in position.board.seat_names]
    outcome = position.outcome()
    lines = [(texts.JUDGE_GAME, position.game.title.say(language))]
    if position.options:
        lines.append((texts.JUDGE_OPTIONS, " ".join(f"{name}={value}" for name, value in position.options.items())))
    lines.append((texts.JUDGE_POSITION, position.to_text()))
    if outcome is None:
        if position.turn == CHANCE:
            actor = texts.CHANCE.say(language)
        else:
            actor = texts.say(texts.PLAYER, language, name=names[position.turn], number=position.turn)
        if position.checked:
            actor += texts.CHECK.say(language)
        if position.repetitions:
            actor += texts.say(texts.REPEATED, language, count=position.repetitions)
        lines += [(texts.JUDGE_TURN, actor),
                  (texts.JUDGE_MOVES, " ".join(position.format_move(move) for move in position.moves()))]
    else:
        lines += [(texts.JUDGE_OVER, outcome.words.say(language)),
                  (texts.JUDGE_RESULT, _per_player(names, outcome.results, signed=True))]
        if position.players > 2:
            lines.append((texts.JUDGE_PLACES, _per_player(names, outcome.places, signed=False)))
    shown = [(heading.say(language), text) for heading, text in lines]
    for number, sentence in enumerate(position.explain()):
        shown.append((texts.JUDGE_WHY.say(language) if number == 0 else "", sentence.say(language)))
    return shown


def _both(words: Words) -> dict[str, str]:
    return {"en": words.en, "zh": words.zh}


def _per_player(names: list[str], numbers: tuple[int, ...], *, signed: bool) -> str:
    return "  ".join(f"{name} {number:+d}" if signed and number else f"{name} {number}"
                     for name, number in zip(names, numbers, strict=True))
