"""Features of a line of the board, found by one automaton in one scan.

A row, column or diagonal is a word over the letters

    E  empty        B  a disc of the player looked at        W  a disc of the other
    #  the border, before the first point and after the last

and a feature is a regular expression: it occurs wherever a piece of the word that matches it ends. All expressions
together become one automaton, as in the textbooks:

1. `parse`: text → tree (letters, `.`, `[BE]`, `[^W]`, `|`, `( )`, `* + ?`)
2. `Nfa.of`: tree → nondeterministic automaton (Thompson 1968), one labelled end per expression
3. `Dfa.of`: sets of its states → deterministic automaton (Rabin and Scott 1959). It begins anew at every letter,
   so that overlapping occurrences are all found.
4. `Dfa.minimal`: states that no continuation tells apart are one (Moore 1956)
5. `Dfa.scan`: a table of transitions; one look-up per point, and every state says which features end here
6. `line_values`: the sums for all 3^n lines of n points, which is what the `lines` evaluator looks up

    >>> automaton = compile_features({"outflanked": "EB+W", "wedge": "BWB"})
    >>> automaton.scan("EBBWBEEE")
    {'outflanked': 1, 'wedge': 1}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise, product

from boyi.core.errors import TextError, shorten

LETTERS = "EBW#"

# ---------------------------------------------------------------------- 1. expressions


@dataclass(frozen=True)
class Expression:
    """A node of the tree: a set of letters, or an operation on parts."""

    kind: str
    """letters, join, choice, star (any number), plus (at least one) or option (at most one)."""

    parts: tuple[Expression, ...] = ()
    letters: frozenset[str] = frozenset()


def parse(text: str) -> Expression:
    """Read a regular expression; blanks are ignored."""
    reader = _Reader(text)
    tree = reader.choice()
    if reader.next:
        raise reader.error(f"{reader.next!r} where the expression should go on or end")
    return tree


class _Reader:
    """Recursive descent: choice > join > repetition > atom."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str) or len(text) > 200:
            raise TextError(f"{shorten(text)} is not an expression of at most 200 characters")
        self.text = text
        self.rest = [character for character in text if not character.isspace()]
        self.depth = 0

    @property
    def next(self) -> str:
        return self.rest[0] if self.rest else ""

    def error(self, fault: str) -> TextError:
        return TextError(f"expression {shorten(self.text)}: {fault}; it is made of the letters E, B, W and # "
                         "(the border) and of . [BE] [^W] | ( ) * + ?")

    def choice(self) -> Expression:
        parts = [self.join()]
        while self.next == "|":
            self.rest.pop(0)
            parts.append(self.join())
        return parts[0] if len(parts) == 1 else Expression("choice", tuple(parts))

    def join(self) -> Expression:
        parts = []
        while self.next and self.next not in "|)":
            parts.append(self.repetition())
        if not parts:
            raise self.error("something is missing")
        return parts[0] if len(parts) == 1 else Expression("join", tuple(parts))

    def repetition(self) -> Expression:
        atom = self.atom()
        while self.next and self.next in "*+?":
            atom = Expression({"*": "star", "+": "plus", "?": "option"}[self.rest.pop(0)], (atom,))
        return atom

    def atom(self) -> Expression:
        character = self.rest.pop(0)
        if character in LETTERS:
            return Expression("letters", letters=frozenset(character))
        if character == ".":
            return Expression("letters", letters=frozenset(LETTERS))
        if character == "(":
            inner = self.choice()
            if self.next != ")":
                raise self.error("a ) is missing")
            self.rest.pop(0)
            return inner
        if character == "[":
            if "]" not in self.rest:
                raise self.error("a ] is missing")
            end = self.rest.index("]")
            inside, self.rest = self.rest[:end], self.rest[end + 1:]
            negated = inside[:1] == ["^"]
            letters = frozenset(inside[1:] if negated else inside)
            if not letters or letters - set(LETTERS):
                raise self.error(f"[{''.join(inside)}] is not a set of letters")
            return Expression("letters", letters=frozenset(LETTERS) - letters if negated else letters)
        raise self.error(f"{character!r} means nothing")


# ---------------------------------------------------------------------- 2. nondeterministic


@dataclass
class Nfa:
    """States are numbers; a step reads a letter, or nothing."""

    steps: list[dict[str, set[int]]] = field(default_factory=list)
    """Per state: where each letter leads; the letter "" is a step that reads nothing."""

    ends: dict[int, str] = field(default_factory=dict)
    """The features that end at a state."""

    start: int = 0

    @classmethod
    def of(cls, features: Mapping[str, str]) -> Nfa:
        """One automaton for all expressions, by Thompson's construction."""
        nfa = cls()
        nfa.start = nfa._state()
        for name, text in features.items():
            first, last = nfa._build(parse(text))
            nfa._step(nfa.start, "", first)
            nfa.ends[last] = name
            if last in nfa.closure([first]):
                raise TextError(f"expression {shorten(text)} also matches no letters at all, which are everywhere")
        return nfa

    def _state(self) -> int:
        self.steps.append({})
        return len(self.steps) - 1

    def _step(self, source: int, letter: str, target: int) -> None:
        self.steps[source].setdefault(letter, set()).add(target)

    def _build(self, tree: Expression) -> tuple[int, int]:
        """The first and last state of a part."""
        if tree.kind == "join":
            built = [self._build(part) for part in tree.parts]
            for (_, last), (first, _) in pairwise(built):
                self._step(last, "", first)
            return built[0][0], built[-1][1]
        first, last = self._state(), self._state()
        if tree.kind == "letters":
            for letter in sorted(tree.letters):
                self._step(first, letter, last)
            return first, last
        for part in tree.parts:
            inner_first, inner_last = self._build(part)
            self._step(first, "", inner_first)
            self._step(inner_last, "", last)
            if tree.kind in ("star", "plus"):
                self._step(inner_last, "", inner_first)
        if tree.kind in ("star", "option"):
            self._step(first, "", last)
        return first, last

    def closure(self, states: Iterable[int]) -> frozenset[int]:
        """These states and all that are reached from them reading nothing."""
        reached = set(states)
        waiting = list(reached)
        while waiting:
            for state in self.steps[waiting.pop()].get("", ()):
                if state not in reached:
                    reached.add(state)
                    waiting.append(state)
        return frozenset(reached)


# ---------------------------------------------------------------------- 3. to 5. deterministic


@dataclass(frozen=True)
class Dfa:
    """A table: per state where each letter of LETTERS leads, and which features end there. State 0 is the start."""

    steps: tuple[tuple[int, ...], ...]
    ends: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, nfa: Nfa) -> Dfa:
        """The sets of states that the other can be in, numbered as they are met."""
        start = nfa.closure([nfa.start])
        numbers = {start: 0}
        waiting = [start]
        steps: list[tuple[int, ...]] = []
        for states in waiting:                 # it grows while it is read
            row = []
            for letter in LETTERS:
                # Reading on also means: a new occurrence may begin after this letter.
                reached = nfa.closure([nfa.start, *(target for state in states
                                                    for target in nfa.steps[state].get(letter, ()))])
                if reached not in numbers:
                    numbers[reached] = len(waiting)
                    waiting.append(reached)
                row.append(numbers[reached])
            steps.append(tuple(row))
        return cls(tuple(steps), tuple(frozenset(nfa.ends[state] for state in states if state in nfa.ends)
                                       for states in waiting))

    def minimal(self) -> Dfa:
        """The least automaton that finds the same: split classes of states until no letter tells members apart."""
        classes: list[object] = list(self.ends)
        while True:
            signatures: list[object] = [(classes[state], tuple(classes[target] for target in row))
                                  for state, row in enumerate(self.steps)]
            numbers: dict[object, int] = {}
            for one in signatures:
                numbers.setdefault(one, len(numbers))
            if len(numbers) == len(set(classes)):
                break
            classes = [numbers[one] for one in signatures]
        order: dict[object, int] = {}
        waiting = [0]
        for state in waiting:                  # states by the order in which they are met, one per class
            if classes[state] not in order:
                order[classes[state]] = state
                waiting += self.steps[state]
        place = {one: number for number, one in enumerate(order)}
        return Dfa(tuple(tuple(place[classes[target]] for target in self.steps[state]) for state in order.values()),
                   tuple(self.ends[state] for state in order.values()))

    def scan(self, line: str) -> dict[str, int]:
        """How often each feature occurs in a line of E, B and W; the borders are added here."""
        if set(line) - set("EBW"):
            raise TextError(f"{shorten(line)} is not a line: it takes the letters E, B and W")
        counts: dict[str, int] = {}
        state = 0
        for letter in f"#{line}#":
            state = self.steps[state][LETTERS.index(letter)]
            for name in sorted(self.ends[state]):
                counts[name] = counts.get(name, 0) + 1
        return counts


def compile_features(features: Mapping[str, str]) -> Dfa:
    """From expressions to the least automaton."""
    return Dfa.of(Nfa.of(features)).minimal()


# ---------------------------------------------------------------------- 6. values of lines


@dataclass(frozen=True)
class Feature:
    """Something to find in a line, and what it is worth in hundredths of a disc."""

    expression: str
    edge: int
    """In a line along the border."""

    inner: int
    """In another row or column."""

    diagonal: int


FEATURES: Mapping[str, Feature] = {
    "disc": Feature("B", 149, 91, -98),
    "anchored": Feature("#B+", 110, -2, -24),
    "near the border": Feature("#EB", -313, 28, -58),
    "third from the border": Feature("#EEB", 175, 11, 18),
    "free": Feature("[#E] B+ [#E]", 4, 47, 18),
    "outflankable": Feature("E B+ W", -269, 8, -40),
    "pressing": Feature("W+ B", 0, 0, 0),
    "wedge": Feature("B W B", 50, 20, 21),
    "taking the border": Feature("#W+B", -74, 32, 3),
    "whole": Feature("#B+#", -280, 7, 46),
    "frontier": Feature("B E", -103, -139, -93),
}
"""The ancestor's three (`free`: B…B with no W at its ends; `outflankable`; `pressing`) and more.

The worths are a least-squares fit (`tools/line_weights.py`: 10.2 discs off on average with 20 to 34 empty points, where
the patterns are 5.6 to 10.2 off). `pressing` is worth nothing, and must be: read both ways, W+B occurs as often
for one side as for the other.
"""

KINDS = ("edge", "inner", "diagonal")


@cache
def automaton() -> Dfa:
    """The one that finds all FEATURES."""
    return compile_features({name: feature.expression for name, feature in FEATURES.items()})


def words(length: int) -> list[str]:
    """All lines of that many points, by their number in base 3 (E 0, B 1, W 2; the first point is the lowest digit)."""
    return ["".join(reversed(letters)) for letters in product("EBW", repeat=length)]


@cache
def line_counts(length: int) -> tuple[tuple[int, ...], ...]:
    """Per line and feature: occurrences read both ways, of B less those of W."""
    own = {}
    for line in words(length):
        found = automaton().scan(line)
        own[line] = [found.get(name, 0) for name in FEATURES]
    exchange = str.maketrans("BW", "WB")
    rows = []
    for line in words(length):
        other = line.translate(exchange)
        rows.append(tuple(a + b - c - d for a, b, c, d in zip(
            own[line], own[line[::-1]], own[other], own[other[::-1]], strict=True)))
    return tuple(rows)


def line_values(kind: str, length: int) -> list[int]:
    """What each line of a kind is worth to B, in hundredths of a disc."""
    worth = [getattr(feature, kind) for feature in FEATURES.values()]
    return [sum(count * each for count, each in zip(row, worth, strict=True)) for row in line_counts(length)]
