"""What is no move and no position is refused in words, and nothing has changed."""

from __future__ import annotations

import random

from boyi.conformance.case import Case
from boyi.conformance.expect import ConformanceError, ensure, refused, same, same_snapshot, snapshot, standing
from boyi.conformance.property import asked_of_a_game, asked_of_walks
from boyi.core.errors import BoyiError, IllegalMoveError, TextError, shorten
from boyi.core.position import CHANCE, Position
from boyi.search.playout import playout

__all__ = [
    "numbers_that_are_not_legal_are_refused", "texts_that_are_no_moves_are_refused",
    "texts_that_are_no_positions_are_refused", "things_that_are_no_moves_are_refused",
    "things_that_are_no_positions_are_refused",
]

FOREIGN = "0123456789²１٣ -+=/;,:.!?*@#()[]{}\\\n\t\0abcdefghijkXOxoRKPpéß将炮二平五前진ｄ\U0001f600"
NO_MOVES: tuple[object, ...] = (None, 0.5, b"a1", [], {}, object(), float("nan"), 1 + 0j)
NO_POSITIONS: tuple[object, ...] = (None, 7, b"", [], "", " ", "\0", "x" * 1_000_000, "/" * 1_000_000, "9" * 10_000)


def damaged(text: str, rng: random.Random) -> str:
    """A text with a few accidents."""
    for _ in range(rng.randint(1, 3)):
        at, other = rng.randint(0, len(text)), rng.randint(0, len(text))
        low, high = min(at, other), max(at, other)
        text = rng.choice([
            text[:at] + text[at + 1:],
            text[:at] + rng.choice(FOREIGN) + text[at:],
            text[:at] + rng.choice(FOREIGN) + text[at + 1:],
            text[:at] + rng.choice(text or "x") + text[at + 1:],
            text[:low] + text[high:],
            text[:high] + text[low:],
            text.swapcase(),
            text.translate({digit: digit - 48 + 0xFF10 for digit in range(48, 58)}),
            text * 2,
        ])
    return text


def scribble(rng: random.Random, longest: int) -> str:
    """Any characters, the usual ones more often than the others."""
    return "".join(rng.choice(FOREIGN) if rng.random() < 0.8 else chr(rng.choice([rng.randrange(0xD800),
                                                                                    rng.randrange(0xE000, 0x110000)]))
                   for _ in range(rng.randint(0, longest)))


@asked_of_walks()
def numbers_that_are_not_legal_are_refused(case: Case, seed: int, plies: int) -> None:
    """A number that is not among the moves is refused as an illegal move."""
    position = case.walk(seed, plies)
    rng = random.Random(seed)
    moves, before = position.moves(), snapshot(position)
    # Near misses too: legal numbers with one bit changed.
    wrong = [rng.randrange(300), rng.randrange(2**32 + 2), -rng.randrange(1, 2**40), 2**32, 2**63, 2**64 + 1, 10**30,
             *(move ^ 1 << bit for move in moves[:3] for bit in range(32))]
    for move in wrong:
        if move in moves:
            continue
        ensure(not position.is_legal(move), f"is_legal({move}), and it is not among the moves")
        if not (position.is_forfeit(move) and _leaves(position, move)):
            refused(IllegalMoveError, f"move {move}", position.play, move)
    same_snapshot(position, before, "after moves that were refused")


def _leaves(position: Position, move: int) -> bool:
    """A forfeit may be played by who is still in the game; it is taken back at once."""
    try:
        position.play(move)
    except IllegalMoveError:
        return False
    same(position.undo(), move, "undo of a forfeit returns")
    return True


@asked_of_a_game()
def things_that_are_no_moves_are_refused(case: Case) -> None:
    """What is neither a number nor a text is no move."""
    position = case.walk(1, 5)
    before = snapshot(position)
    for thing in NO_MOVES:
        ensure(not position.is_legal(thing), f"is_legal({thing!r})")
        refused(BoyiError, f"move {thing!r}", position.play, thing)
        same_snapshot(position, before, f"after {thing!r} was refused")


@asked_of_walks(30)
def texts_that_are_no_moves_are_refused(case: Case, seed: int, plies: int) -> None:
    """A text is played as a legal move, or refused in words: any text, and damaged moves in every notation."""
    position = case.walk(seed, plies)
    rng = random.Random(seed)
    before = snapshot(position)
    texts = [scribble(rng, 12)]
    for move in rng.sample(position.moves(), min(3, len(position.moves()))):
        texts.append(damaged(position.format_move(move), rng))
        if position.turn != CHANCE:
            texts += [damaged(notation.format(position, move), rng) for notation in case.game.notations.values()]
    for text in texts:
        try:
            position.play(text)
        except BoyiError:
            refused(BoyiError, f"move {shorten(text)}", position.play, text)
        except Exception as error:
            raise ConformanceError(f"move {shorten(text)} raises {type(error).__name__} ({error})") from error
        else:
            ensure(position.ply > before["ply"], f"move {shorten(text)} is accepted, and nothing was played")
            first = position.history()[before["ply"]]
            while position.ply > before["ply"]:
                position.undo()
            ensure(first in before["moves"] or position.is_forfeit(first), f"{shorten(text)} plays an illegal move")
        same_snapshot(position, before, f"after move {shorten(text)} was read")


@asked_of_walks(30)
def texts_that_are_no_positions_are_refused(case: Case, seed: int, plies: int) -> None:
    """A text is read as a position that works, or refused in words: any text, and damaged positions."""
    position = case.walk(seed, plies)
    before = snapshot(position)
    rng = random.Random(seed)
    for text in (scribble(rng, 30), *(damaged(before["to_text"], rng) for _ in range(5))):
        try:
            position.set_text(text)
        except TextError:
            refused(TextError, f"position {shorten(text)}", position.set_text, text)
            same_snapshot(position, before, f"after position {shorten(text)} was refused")
            continue
        except Exception as error:
            raise ConformanceError(f"position {shorten(text, 200)} raises {type(error).__name__} ({error}) and not "
                                   "TextError") from error
        try:
            _works(case, position, seed)
        except Exception as error:
            raise ConformanceError(f"{shorten(text, 200)} is accepted as a position: {type(error).__name__}: {error}"
                                   ) from error
        position = case.walk(seed, plies)


def _works(case: Case, position: Position, seed: int) -> None:
    """A position that was just read is written as it is read, and can be played on and back."""
    same(position.history(), [], "history of what was read")
    same(position.start_text, position.to_text(), "start_text")
    same(case.parse(position.to_text()).to_text(), position.to_text(), "its text, read and written again,")
    same(position.fingerprint, position.recomputed_fingerprint(), "fingerprint")
    ensure(set(standing(position.stones())) <= set(position.board.index), "a stone stands on no point")
    playout(position, seed, 30)
    while position.ply:
        position.undo()
    same(position.to_text(), position.start_text, "the text after moves that were taken back")


@asked_of_a_game()
def things_that_are_no_positions_are_refused(case: Case) -> None:
    """What is no text, an empty text and an endless one are no positions."""
    position = case.walk(1, 5)
    before = snapshot(position)
    for thing in NO_POSITIONS:
        refused(TextError, f"position {shorten(thing)}", position.set_text, thing)
        same_snapshot(position, before, f"after position {shorten(thing)} was refused")
