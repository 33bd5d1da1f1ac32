"""A review as an HTML file that needs nothing else: boards, curve, mistakes and what was better."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from boyi.core.position import Position
from boyi.core.result import format_result
from boyi.core.words import Language, Words
from boyi.kit.picture import svg
from boyi.study.review import texts
from boyi.study.review.findings import Review, ReviewedMove
from boyi.study.review.judgement import INACCURACY, JUDGEMENTS, WRONG
from boyi.study.review.look import LookLine

PLAYED_COLOUR, BETTER_COLOUR = "#c0392b", "#1e8449"
"""Of the arrows: the move that was played, and the better one."""

COLOURS = {"inaccuracy": "#8f6f00", "mistake": "#c2410c", "blunder": "#b3261e"}
SHOWN_MOVES = 8
"""Of a line."""

WIDTH, HEIGHT, MARGIN = 760, 200, 10
"""Of the curve, in pixels."""

STYLE = """
:root { color-scheme: light dark; --ink: #22252b; --paper: #faf7ef; --pale: #d8d0bf; --soft: #6f6a60; --played: #c0392b;
        --better: #1e7a43; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e4da; --paper: #1d1f23; --pale: #45484f; --soft: #a9a498;
        --played: #f08a7c; --better: #6fc48d; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
       margin: 0 auto; padding: 1rem; }
h1, h2 { font-weight: 600; } h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
table { border-collapse: collapse; } th, td { padding: .2rem .8rem .2rem 0; text-align: left; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; } .soft { color: var(--soft); }
.curve { width: 100%; height: auto; }
.mistake { display: grid; grid-template-columns: minmax(12rem, 20rem) 1fr; gap: 1.2rem;
           border-top: 1px solid var(--pale); padding: 1rem 0; } .mistake svg { width: 100%; height: auto; }
@media (max-width: 40rem) { .mistake { grid-template-columns: 1fr; } }
.tag { color: #fff; border-radius: .3rem; padding: .1rem .5rem; font-size: .9rem; }
.moves { display: flex; flex-wrap: wrap; gap: .1rem .8rem; padding: 0; list-style: none; }
.played { color: var(--played); } .better { color: var(--better); }
"""


def write_page(review: Review, language: Language) -> str:
    """The whole file."""
    return "\n".join(_Page(review, language).lines()) + "\n"


class _Page:
    """One page in the making; its methods yield lines of HTML."""

    def __init__(self, review: Review, language: Language) -> None:
        self.review = review
        self.language = language
        self.positions = list(review.record.positions())
        self.board = self.positions[0].board

    def say(self, words: Words, **values: object) -> str:
        return escape(words.say(self.language).format(**values))

    def name(self, seat: int | None) -> str:
        """A player by the colour, and by name where the record has one."""
        if seat is None:
            return ""
        colour = self.board.seat_names[seat].say(self.language)
        names = self.review.record.players
        return f"{colour} ({names[seat]})" if seat < len(names) and names[seat] else colour

    def lines(self) -> Iterator[str]:
        record = self.review.record
        title = f"{record.game.title.say(self.language)} · {texts.TITLE.say(self.language)}"
        yield "<!doctype html>"
        yield f'<html lang="{"zh-CN" if self.language == "zh" else "en"}"><head><meta charset="utf-8">'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
        yield f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main>"
        yield f"<h1>{escape(title)}</h1>"
        facts = [" – ".join(self.name(seat) for seat in range(len(self.review.players))), format_result(record.result),
                 record.event, record.date]
        yield f"<p>{escape('  ·  '.join(fact for fact in facts if fact))}</p>"
        yield from self.opening()
        yield from self.players()
        yield from self.curve()
        yield from self.turning_points()
        yield from self.mistakes()
        yield from self.moves()
        yield f'<p class="soft">{self.say(texts.SEARCHED, effort=self.review.effort)}</p>'
        yield "</main></body></html>"

    def opening(self) -> Iterator[str]:
        opening, said = self.review.opening, []
        if opening.name is not None:
            said.append(escape(opening.name.say(self.language)))
        if opening.left_book is not None:
            said.append(self.say(texts.LEFT_BOOK, number=opening.left_book))
        if said:
            yield f"<p>{' · '.join(said)}</p>"

    def players(self) -> Iterator[str]:
        shown = [judgement for judgement in JUDGEMENTS if judgement != "forced"]
        lucky = any(player.luck is not None for player in self.review.players)
        heads = [texts.ACCURACY, *(texts.JUDGEMENT_WORDS[one] for one in shown), *((texts.LUCK,) if lucky else ())]
        yield '<div class="scroll"><table><tr><th></th>'
        yield "".join(f'<th class="number">{self.say(head)}</th>' for head in heads) + "</tr>"
        for seat, player in enumerate(self.review.players):
            cells = ["–" if player.accuracy is None else f"{player.accuracy:.1f} %",
                     *(str(player.counts[one]) for one in shown)]
            if lucky:
                cells.append("–" if player.luck is None else f"{100 * player.luck:+.0f} %")
            yield f"<tr><th>{escape(self.name(seat))}</th>"
            yield "".join(f'<td class="number">{cell}</td>' for cell in cells) + "</tr>"
        yield "</table></div>"

    def curve(self) -> Iterator[str]:
        """The odds over the game, with mistakes, turns of chance and the parts of the game marked."""
        curves, moves = self.review.curves, self.review.moves
        steps = max(1, len(moves))

        def x(number: int) -> float:
            return round(MARGIN + (WIDTH - 2 * MARGIN) * number / steps, 1)

        def y(odds: float) -> float:
            return round(MARGIN + (HEIGHT - 2 * MARGIN) * (1 - odds), 1)

        two = len(curves) == 1
        caption = self.say(texts.CURVE, name=self.name(0)) if two else self.say(texts.CURVES)
        yield f"<h2>{caption}</h2>"
        yield (f'<svg class="curve" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{caption}">'
               f'<rect x="{x(0)}" y="{y(1)}" width="{WIDTH - 2 * MARGIN}" height="{HEIGHT - 2 * MARGIN}" fill="none" '
               f'stroke="var(--pale)"/><path d="M{x(0)} {y(0.5)}H{x(steps)}" stroke="var(--pale)"/>')
        for row, (number, stage) in enumerate((move.number, move.stage) for move in moves if move.stage is not None):
            at = x(number - 1)
            yield (f'<path d="M{at} {y(0)}V{y(1)}" stroke="var(--soft)" stroke-dasharray="3 3"/><text x="{at + 4}" '
                   f'y="{y(0) - 5 - 13 * (row % 3)}" font-size="12" fill="var(--soft)">{self.say(stage)}</text>')
        for seat, curve in enumerate(curves):
            known = [(x(number), y(odds)) for number, odds in enumerate(curve) if odds is not None]
            colour = "var(--ink)" if two else self.board.seat_colours[seat]
            if known:
                way = "L".join(f"{px} {py}" for px, py in known)
                yield f'<path d="M{way}" fill="none" stroke="{colour}" stroke-width="1.8" stroke-linejoin="round"/>'
        for move in moves:
            shown = self.shown_odds(move)
            if shown is None or move.look is None:
                continue
            words = f"{move.number}. {move.text}"
            if move.is_wrong:
                yield (f'<circle cx="{x(move.number)}" cy="{y(shown)}" r="4.5" fill="{COLOURS[move.judgement]}">'
                       f"<title>{escape(words)} {self.say(texts.JUDGEMENT_WORDS[move.judgement])}</title></circle>")
            if move.look.luck is not None and abs(move.look.luck) >= INACCURACY and move.chance is not None:
                top = y(shown)
                yield (f'<path d="M{x(move.number)} {top - 6}l5 6l-5 6l-5 -6Z" fill="#2f6690">'
                       f"<title>{escape(words)} {self.say(move.chance)} {100 * move.look.luck:+.0f} %</title></path>")
        yield "</svg>"

    def shown_odds(self, move: ReviewedMove) -> float | None:
        """Where a move is marked on the curve: the odds after it."""
        curves = self.review.curves
        if len(curves) == 1:
            return curves[0][move.number]
        return None if move.look is None else move.look.after

    def turning_points(self) -> Iterator[str]:
        if not self.review.turning_points:
            return
        yield f"<h2>{self.say(texts.TURNING_POINTS)}</h2><ol>"
        for point in self.review.turning_points:
            move = self.review.moves[point.number - 1]
            said = texts.say_turning_point(point, move, self.name(move.player), self.language)
            yield f'<li value="{point.number}">{escape(said)}</li>'
        yield "</ol>"

    def mistakes(self) -> Iterator[str]:
        yield f"<h2>{self.say(texts.MISTAKES)}</h2>"
        if not self.review.wrong:
            yield f"<p>{self.say(texts.NO_MISTAKES)}</p>"
        for move in self.review.wrong:
            yield from self.mistake(move)

    def mistake(self, move: ReviewedMove) -> Iterator[str]:
        look = move.look
        assert look is not None and move.player is not None
        before = self.positions[move.number - 1].observe(move.player)
        yield f'<section class="mistake" id="m{move.number}"><div>'
        yield self.picture(before, move.player, look.played, look.best)
        yield "</div><div>"
        yield (f'<h3>{move.number}. {escape(self.name(move.player))} <span class="tag" '
               f'style="background:{COLOURS[move.judgement]}">{self.say(texts.JUDGEMENT_WORDS[move.judgement])}'
               f"</span></h3>")
        yield (f'<p><b class="played">{self.say(texts.PLAYED, move=move.text)}</b> '
               f'{100 * look.after:.0f} %<br><span class="soft">{self.say(texts.FOLLOWS)}: '
               f"{_line(move.refutation)}</span></p>")
        yield (f'<p><b class="better">{self.say(texts.BETTER)}: {escape(look.best.moves[0])}</b> '
               f'{100 * look.before:.0f} %<br><span class="soft">{_line(look.best.moves)}</span></p>')
        if look.only_move:
            yield f"<p>{self.say(texts.ONLY_MOVE)}</p>"
        if move.chance is not None and look.luck is not None:
            yield f'<p class="soft">{self.say(move.chance)}: {100 * look.luck:+.0f} %</p>'
        yield "</div></section>"

    def picture(self, before: Position, seat: int, played: LookLine, better: LookLine) -> str:
        return svg.draw(before, seat=seat, last_move=(), arrows=(
            (played.path, PLAYED_COLOUR), (better.path, BETTER_COLOUR)))

    def moves(self) -> Iterator[str]:
        yield f'<h2>{self.say(texts.ALL_MOVES)}</h2><ul class="moves">'
        for move in self.review.moves:
            text = f"{move.number}. {escape(move.text)}{texts.MARKS.get(move.judgement, '')}"
            if move.judgement in WRONG:
                text = f'<a href="#m{move.number}"><b>{text}</b></a>'
            yield f"<li>{text}</li>"
        yield "</ul>"


def _line(moves: tuple[str, ...]) -> str:
    return escape(" ".join(moves[:SHOWN_MOVES]))
