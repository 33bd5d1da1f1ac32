"""A tournament on one page: the ratings as a plot (SVG, or PNG by matplotlib), and everything as HTML that needs no
other file.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from html import escape
from io import BytesIO

from boyi.arena.bout import Bout
from boyi.arena.distinct import distinct
from boyi.arena.rating import Ratings
from boyi.arena.table import Row, cross_table, table
from boyi.arena.tournament import Tournament
from boyi.core.words import Language, Words
from boyi.kit.picture.plots import COLOURS, new_figure, save

__all__ = ["draw_ratings", "plot_ratings", "write_report"]

ROW_HEIGHT = 26
NAMES_WIDTH = 260
PLOT_WIDTH = 460
MARGIN = 16
LONGEST_NAME = 38
MOST_TICKS = 8

NAMES_INCHES, PLOT_INCHES, ROW_INCHES = 3.2, 5.0, 0.32
"""The same for PNG."""

WIDEST_CROSS_TABLE = 40

STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; }
svg { max-width: 100%; height: auto; }
"""

TITLE = Words("Tournament of {title}", "{title}锦标赛")
RATINGS = Words("Ratings with 95 % intervals", "等级分及其 95 % 区间")
TABLE = Words("Table", "排名")
CROSS = Words("Cross table: how often the row came before the column", "交叉表：行在列之前的次数")
FAILURES = Words("Failures", "故障")
SETTINGS = Words("Settings", "设置")
HEADERS = (Words("agent", "棋手"), Words("games", "局数"), Words("W-D-L", "胜-和-负"), Words("score", "得分率"),
           Words("mean place", "平均名次"), Words("Elo", "等级分"), Words("LOS", "更强概率"), Words("failures", "故障"))
FACTS = (
    Words("{games} of {all} games, seed {seed}; ended by {reasons}",
          "{all} 局中已完成 {games} 局，种子 {seed}；终局原因：{reasons}"),
    Words("The first seat is worth {value:+d} ± {error:.0f} Elo over the last; equals draw {draws:.0%} of their games.",
          "先手（首席）相对末席值 {value:+d} ± {error:.0f} 分；势均力敌时和棋占 {draws:.0%}。"),
)
REPEATED = Words("{repeated} games repeated an earlier one and count once.",
                 "其中 {repeated} 局与先前的某局完全相同，只计一次。")
GROUPS = Words("Ratings do not compare across groups that never met: {groups}",
               "以下各组从未相遇，等级分不可跨组比较：{groups}")


def draw_ratings(ratings: Ratings) -> str:
    """Everybody's rating as a dot with its interval, the strongest on top, as SVG."""
    rows = ratings.rows
    low = min((row.elo.low for row in rows), default=-1.0)
    high = max((row.elo.high for row in rows), default=1.0)
    if high - low < 1:
        low, high = low - 1, high + 1
    width, height = NAMES_WIDTH + PLOT_WIDTH + 2 * MARGIN, ROW_HEIGHT * (len(rows) + 1) + 2 * MARGIN
    bottom = MARGIN + ROW_HEIGHT * len(rows)

    def across(elo: float) -> str:
        return f"{MARGIN + NAMES_WIDTH + (elo - low) / (high - low) * PLOT_WIDTH:.1f}"

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
             f'height="{height}" role="img" font-family="system-ui, sans-serif" font-size="13" fill="currentColor" '
             f'stroke="none">', "<title>Elo, 95 %</title>",
             "<style>:root { color: #222 } @media (prefers-color-scheme: dark) { :root { color: #ddd } }</style>"]
    for tick in _ticks(low, high):
        parts.append(f'<line x1="{across(tick)}" x2="{across(tick)}" y1="{MARGIN}" y2="{bottom}" stroke="currentColor" '
                     f'stroke-opacity="{0.5 if tick == 0 else 0.15}"/>')
        parts.append(f'<text x="{across(tick)}" y="{bottom + 18}" text-anchor="middle">{tick:+g}</text>'
                     if tick else f'<text x="{across(0)}" y="{bottom + 18}" text-anchor="middle">0</text>')
    for number, row in enumerate(rows):
        middle = MARGIN + ROW_HEIGHT * (number + 0.5)
        parts.append(
            f'<g><title>{escape(row.name)}: {round(row.elo.value):+d} ± {row.elo.error:.0f}</title>'
            f'<text x="{MARGIN}" y="{middle + 4:.1f}">{escape(_shorten(row.name))}</text>'
            f'<line x1="{across(row.elo.low)}" x2="{across(row.elo.high)}" y1="{middle:.1f}" y2="{middle:.1f}" '
            f'stroke="#2f7ed8" stroke-width="3" stroke-opacity="0.6"/>'
            f'<circle cx="{across(row.elo.value)}" cy="{middle:.1f}" r="4.5" fill="#2f7ed8"/></g>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def plot_ratings(ratings: Ratings) -> bytes:
    """The same as the bytes of a PNG file, for places that take no SVG."""
    rows = ratings.rows
    values = [row.elo.value for row in rows]
    errors = [[row.elo.value - row.elo.low for row in rows], [row.elo.high - row.elo.value for row in rows]]
    with new_figure(NAMES_INCHES + PLOT_INCHES, 1.0 + ROW_INCHES * max(1, len(rows))) as figure:
        axes = figure.subplots()
        axes.grid(axis="x")
        axes.grid(visible=False, axis="y")
        axes.axvline(0, color="#8a8a8a", linewidth=1.2, zorder=1)
        axes.errorbar(values, range(len(rows)), xerr=errors, color=COLOURS[0], ecolor=f"{COLOURS[0]}99", elinewidth=3,
                      linestyle="none", marker="o", markersize=6)
        axes.set_yticks(range(len(rows)), [_shorten(row.name) for row in rows], parse_math=False)
        axes.set_ylim(max(1, len(rows)) - 0.5, -0.5)   # the strongest on top
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("Elo, 95 %")
        axes.xaxis.set_major_formatter(lambda elo, _: f"{elo:+g}" if elo else "0")
        file = BytesIO()
        save(figure, file, "png")
    return file.getvalue()


def _shorten(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME - 1] + "…"


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers between two others, a handful.

    >>> _ticks(-130, 270)
    [-100, -50, 0, 50, 100, 150, 200, 250]
    """
    rough = (high - low) / MOST_TICKS
    step = 10 ** math.floor(math.log10(rough))
    step *= next((factor for factor in (1, 2, 5) if factor * step >= rough), 10)
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]


def write_report(tournament: Tournament, bouts: Sequence[Bout], ratings: Ratings, language: Language = "en") -> str:
    """Plot, table, cross table, failures and settings, as one page of HTML."""
    def say(words: Words, **values: object) -> str:
        return escape(words.say(language).format(**values))

    rows = table(tournament, bouts, ratings)
    title = say(TITLE, title=tournament.start.game.title.say(language))
    reasons = Counter(bout.reason for bout in bouts)
    first = ratings.advantages[0]
    facts = [say(FACTS[0], games=len(bouts), all=tournament.games, seed=tournament.seed,
                 reasons=", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items())) or "–"),
             say(FACTS[1], value=round(first.value), error=first.error, draws=ratings.draws)]
    repeated = len(bouts) - len(distinct(tournament, bouts))
    if repeated:
        facts.append(say(REPEATED, repeated=repeated))
    if len(ratings.groups) > 1:
        facts.append(say(GROUPS, groups="; ".join(", ".join(group) for group in ratings.groups)))
    parts = [
        f'<!doctype html>\n<html lang="{language}">\n<head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>'
        f"<style>{STYLE}</style></head>\n<body>\n<h1>{title}</h1>",
        *(f"<p>{fact}</p>" for fact in facts),
        f'<h2>{say(RATINGS)}</h2>\n<div class="wide">{draw_ratings(ratings)}</div>',
        f"<h2>{say(TABLE)}</h2>\n{_table([say(header) for header in HEADERS], [_cells(row) for row in rows])}"]
    if 2 < len(rows) <= WIDEST_CROSS_TABLE:
        cross = cross_table(tournament, bouts)
        lines = []
        for place, row in enumerate(rows):
            results = [cross.get((row.contestant, other.contestant)) for other in rows]
            lines.append([f"{place + 1} {escape(row.agent)}", *(
                "·" if result is None else f"{result[0]:g}/{result[1]}" for result in results)])
        parts.append(f"<h2>{say(CROSS)}</h2>\n" + _table(["", *(str(place + 1) for place in range(len(rows)))], lines))
    failures = [f"<li>{escape(tournament.names[bout.contestants[failure.seat]])}: {escape(failure.message)}</li>"
                for bout in bouts for failure in bout.failures]
    if failures:
        parts.append(f"<h2>{say(FAILURES)}</h2>\n<ul>{''.join(failures)}</ul>")
    settings = "".join(f"<li>{escape(name)}: {escape(str(value))}</li>" for name, value in tournament.settings().items()
                       if name not in ("start", "openings", "contestants", "models", "code"))
    return "\n".join([*parts, f"<h2>{say(SETTINGS)}</h2>\n<ul>{settings}</ul>", "</body>\n</html>\n"])


def _cells(row: Row) -> list[str]:
    return [escape(row.agent), str(row.games), f"{row.wins}-{row.draws}-{row.losses}", f"{100 * row.score:.1f} %",
            f"{row.mean_place:.2f}", f"{round(row.elo):+d} ± {(row.elo_high - row.elo_low) / 2:.0f}",
            "" if row.superiority is None else f"{100 * row.superiority:.1f} %", str(row.failures)]


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of cells that are HTML already."""
    head = "".join(f"<th>{header}</th>" for header in headers)
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>'
