"""The card of a model: what it was trained for, kept inside its file.

A network is numbers that mean something only together with the game, its rules, and the encoder that made features of
positions and names of moves. A model has its card in the metadata of its file (`Card.to_text` under the key `KEY`), and
a reader compares it with what is about to be played.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from boyi.core.encoder import Encoder
from boyi.core.errors import BoyiError, OptionError, RecordError, shorten
from boyi.core.game import Game, Options
from boyi.core.position import Position

KEY = "boyi"
FORMAT_VERSION = 1


@dataclass(frozen=True)
class Card:
    """What a model was trained for."""

    game: str
    """By name."""

    rules_version: int
    """Of the game, see `Game.rules_version`."""

    options: Mapping[str, bool | int | str]
    """The rule options, all of them."""

    encoder_version: int
    """See `Encoder.version`."""

    planes: int
    points: int
    scalars: int
    policy_size: int
    """The shape of the encoder, once more: a check against files put together by hand."""

    notes: Mapping[str, Any] = field(default_factory=dict)
    """Anything that is worth remembering: data, command, time, rating."""

    format_version: int = FORMAT_VERSION

    @classmethod
    def of(cls, position: Position, **notes: Any) -> Card:
        """The card of a model for games like that of a position."""
        encoder = position.game.make_encoder(position.options)
        return cls(position.game.name, position.game.rules_version, dict(position.options), encoder.version,
                   encoder.planes, encoder.points, encoder.scalars, encoder.policy_size, notes)

    def to_text(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)

    @classmethod
    def parse(cls, text: str) -> Card:
        try:
            facts = json.loads(text)
            if not isinstance(facts, dict):
                raise TypeError("not an object")
            if facts.get("format_version") != FORMAT_VERSION:
                raise OptionError(f"its card has the format {shorten(facts.get('format_version'))}; this Boyi reads "
                                  f"format {FORMAT_VERSION}")
            card = cls(**facts)
            whole = (card.rules_version, card.encoder_version, card.planes, card.points, card.scalars, card.policy_size)
            if not (isinstance(card.game, str) and isinstance(card.options, dict) and isinstance(card.notes, dict)
                    and all(type(number) is int for number in whole)):
                raise TypeError("a field of another kind")
        except (ValueError, TypeError, RecursionError) as error:
            if isinstance(error, BoyiError):
                raise
            raise OptionError(f"its card {shorten(text)} cannot be read: {error}") from error
        return card

    def prepare(self, game: Game) -> tuple[Options, Encoder]:
        """The options and the encoder that the model goes with; refuses, in words, what it was not trained for."""
        if self.game != game.name:
            raise OptionError(f"it was trained for {shorten(self.game)} and not for {game.name}")
        if self.rules_version != game.rules_version:
            raise OptionError(f"it was trained under version {self.rules_version} of the rules of {game.name}, and "
                              f"here they have version {game.rules_version}")
        try:
            options = game.resolve(self.options)
        except OptionError as error:
            raise OptionError(f"it was trained under rules that are not known here: {error}") from error
        encoder = game.make_encoder(options)
        if self.encoder_version != encoder.version:
            raise OptionError(f"it was trained with version {self.encoder_version} of the encoder of {game.name}, and "
                              f"here it has version {encoder.version}; train it anew, or use the Boyi that made it")
        for name in ("planes", "points", "scalars", "policy_size"):
            if getattr(self, name) != getattr(encoder, name):
                raise OptionError(f"its card says {name} = {getattr(self, name)}, and the encoder of {game.name} has "
                                  f"{getattr(encoder, name)}")
        return options, encoder


def check_card(wanted: Card, found: Card, what: str) -> None:
    """Refuse, in words, what was made for another game, other rules or another encoder."""
    if found.game != wanted.game:
        raise RecordError(f"{what} is of {shorten(found.game)} and not of {wanted.game}")
    if found.rules_version != wanted.rules_version or dict(found.options) != dict(wanted.options):
        theirs = {**found.options, "rules_version": found.rules_version}
        ours = {**wanted.options, "rules_version": wanted.rules_version}
        raise RecordError(f"{what} was made under other rules of {wanted.game}: {differing(theirs, ours)}")
    for name in ("encoder_version", "planes", "points", "scalars", "policy_size"):
        if getattr(found, name) != getattr(wanted, name):
            raise RecordError(f"{what} was made with another encoder of {wanted.game}: {name} is "
                              f"{getattr(found, name)} (here {getattr(wanted, name)}); make it anew, or use the Boyi "
                              f"that made it")


def differing(one: Mapping[str, object], other: Mapping[str, object]) -> str:
    """In words, which options differ: `threshold=4 (here 1)`."""
    return ", ".join(f"{name}={one.get(name)} (here {other.get(name)})"
                     for name in sorted({*one, *other}) if one.get(name) != other.get(name))
