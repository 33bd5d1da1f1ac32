"""A run on one page of HTML that needs no other file: its curves as SVG, its ladder, its evaluations and its settings.

What to look for when more data does not make a stronger player: a validation loss that rises while the loss falls
(overfitting), a learning rate that has fallen to zero too early, a policy that no longer moves (KL) or has become
narrow (entropy), games that all end in draws.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from boyi.core.words import Language, Words
from boyi.learn.training.folder import RunFolder, name_checkpoint
from boyi.learn.training.results import Series, series

WIDTH, HEIGHT = 430, 230
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 12, 30
LEGEND = 14
"""Room above the lines to say which is which, where there are several."""

MOST_TICKS = 5
COLOURS = ("#3b7dd8", "#d8663b", "#3ba55d", "#9b59b6")

STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 0; } figcaption { font-weight: 600; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; }
svg { max-width: 100%; height: auto; }
"""

TITLE = Words("Training {game}", "训练 {game}")
SUMMARY = Words("{iterations} iterations, {games} games, {samples} samples, {minutes:.1f} minutes",
                "{iterations} 次迭代，{games} 局，{samples} 个样本，{minutes:.1f} 分钟")
LADDER = Words("Ladder: Elo with 95 % intervals, {anchor} is 0", "等级分及 95 % 区间，以 {anchor} 为 0")
EVALUATIONS = Words("Evaluations", "测评")
SETTINGS = Words("Settings", "设置")
ITERATION = Words("iteration", "迭代")
NOTHING = Words("nothing yet", "尚无数据")
EVALUATION_HEADERS = (
    Words("iteration", "迭代"), Words("minutes", "分钟"), Words("against random", "对随机"),
    Words("against the level", "对级别"), Words("against the best before", "对此前最佳"), Words("promoted", "晋升"))
LADDER_HEADERS = (Words("agent", "棋手"), Words("games", "局数"), Words("Elo", "等级分"), Words("±", "±"))


@dataclass(frozen=True)
class Plot:
    """What one picture shows."""

    title: Words
    series: tuple[tuple[str, Words], ...]
    """Names of metrics, and what to call them. Where there is an error to one (`elo_error`), it is a bar."""

    unit: float = 1.0


PLOTS = (
    Plot(Words("Elo against iterations", "等级分"), (("elo", Words("Elo", "等级分")),)),
    Plot(Words("Score in evaluations, %", "测评得分率，%"),
         (("random_score", Words("against random", "对随机")), ("level_score", Words("against the level", "对级别")),
          ("best_score", Words("against the best before", "对此前最佳"))), unit=0.01),
    Plot(Words("Losses: training and held out", "损失：训练与留出"),
         (("loss", Words("training", "训练")), ("validation_loss", Words("held out", "留出")))),
    Plot(Words("Losses by part", "各项损失"),
         (("policy_loss", Words("policy", "策略")), ("value_loss", Words("value", "价值")),
          ("validation_policy_loss", Words("policy, held out", "策略（留出）")),
          ("validation_value_loss", Words("value, held out", "价值（留出）")))),
    Plot(Words("Decisive games, %", "分出胜负的对局，%"), (("decisive", Words("decisive", "分出胜负")),), unit=0.01),
    Plot(Words("Score of the first player, %", "先手得分率，%"),
         (("first_move_score", Words("first player", "先手")),), unit=0.01),
    Plot(Words("Moves a game", "每局步数"), (("game_length", Words("moves", "步数")),)),
    Plot(Words("Entropy of the policy, nats", "策略熵（纳特）"), (("policy_entropy", Words("entropy", "熵")),)),
    Plot(Words("KL of the policy between iterations, nats", "相邻迭代策略 KL（纳特）"),
         (("policy_kl", Words("KL", "KL")),)),
    Plot(Words("Learning rate", "学习率"), (("lr", Words("rate", "学习率")),)),
    Plot(Words("Replay ratio", "样本复用率"), (("replay_ratio", Words("looks per sample", "每样本次数")),)),
    Plot(Words("Window, samples", "窗口样本数"), (("window", Words("window", "窗口")),)),
)


def write_report(folder: RunFolder, language: Language = "en") -> str:
    """The page of a run."""
    def say(words: Words, **values: object) -> str:
        return escape(words.say(language).format(**values))

    config, rows, ratings = folder.read_config(), folder.read_metrics(), folder.read_ratings()
    evaluations = folder.read_evaluations().values()
    title = say(TITLE, game=config["card"]["game"])
    last = rows[-1] if rows else {"iteration": 0, "games": 0, "samples": 0, "time": 0.0}
    # The latest ladder knows more of early checkpoints than was known when they were evaluated.
    if ratings is not None:
        rated = {row["agent"]: row for row in ratings["ratings"]}
        rows = [{**row, "elo": one["elo"], "elo_error": (one["high"] - one["low"]) / 2}
                if (one := rated.get(name_checkpoint(row["iteration"]))) else row for row in rows]
    found = {one.name: one for one in series(rows)}
    figures = "\n".join(
        f"<figure><figcaption>{say(plot.title)}</figcaption>{draw(plot, found, language)}</figure>" for plot in PLOTS)
    parts = [
        f'<!doctype html>\n<html lang="{language}">\n<head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>'
        f"<style>{STYLE}</style></head>\n<body>\n<h1>{title}</h1>",
        "<p>" + say(SUMMARY, iterations=last["iteration"], games=last["games"], samples=last["samples"],
                    minutes=last["time"] / 60) + "</p>",
        f'<div class="plots">{figures}</div>']
    if evaluations:
        minutes = {row["iteration"]: row["time"] / 60 for row in rows}
        cells = [[str(one["iteration"]), f"{minutes.get(one['iteration'], math.nan):.1f}",
                  *(_score(one.get(name)) for name in ("random", "level", "best")),
                  "✓" if one["promoted"] else ""] for one in evaluations]
        parts.append(f"<h2>{say(EVALUATIONS)}</h2>\n" + _table([say(header) for header in EVALUATION_HEADERS], cells))
    if ratings is not None:
        cells = [[escape(row["agent"]), str(row["games"]), f"{row['elo']:+.0f}",
                  f"{(row['high'] - row['low']) / 2:.0f}"] for row in ratings["ratings"]]
        parts.append(f"<h2>{say(LADDER, anchor=ratings['anchor'])}</h2>\n"
                     + _table([say(header) for header in LADDER_HEADERS], cells))
    parts.append(f"<h2>{say(SETTINGS)}</h2>\n<pre>{escape(json.dumps(config, ensure_ascii=False, indent=1))}</pre>")
    return "\n".join([*parts, "</body>\n</html>\n"])


def _score(facts: Mapping[str, Any] | None) -> str:
    if facts is None:
        return "–"
    opponent = f"{facts['opponent']}: " if "opponent" in facts else f"{facts['level']}: " if "level" in facts else ""
    return f"{opponent}{facts['wins']}-{facts['draws']}-{facts['losses']} {100 * facts['score']:.1f} %"


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{header}</th>" for header in headers)
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>'


# ---------------------------------------------------------------------- pictures

def draw(plot: Plot, found: Mapping[str, Series], language: Language = "en") -> str:
    """A plot as SVG: a line per series, a dot where points are few."""
    lines: list[tuple[str, list[tuple[float, float, float]]]] = []
    for name, words in plot.series:
        if name in found:
            lines.append((words.say(language), [
                (iteration, value / plot.unit, found[name].errors.get(iteration, 0.0) / plot.unit)
                for iteration, value in found[name].values.items()]))
    if not lines:
        return f"<p>{escape(NOTHING.say(language))}</p>"
    everything = [point for _, points in lines for point in points]
    left, right = min(point[0] for point in everything), max(point[0] for point in everything)
    low, high = min(y - error for _, y, error in everything), max(y + error for _, y, error in everything)
    if right == left:
        left, right = left - 1, right + 1
    if high - low < 1e-9:
        low, high = low - max(abs(low) * 0.1, 1e-6), high + max(abs(high) * 0.1, 1e-6)

    top = TOP + (LEGEND if len(lines) > 1 else 0)

    def across(x: float) -> float:
        return LEFT + (x - left) / (right - left) * (WIDTH - LEFT - RIGHT)

    def down(y: float) -> float:
        return top + (high - y) / (high - low) * (HEIGHT - top - BOTTOM)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
             f'height="{HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="11" fill="currentColor">'
             f"<title>{escape(plot.title.say(language))}</title>"]
    for tick in ticks(low, high):
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{down(tick):.1f}" y2="{down(tick):.1f}" '
                     f'stroke="currentColor" stroke-opacity=".15"/>'
                     f'<text x="{LEFT - 5}" y="{down(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for tick in ticks(left, right):
        parts.append(f'<text x="{across(tick):.1f}" y="{HEIGHT - BOTTOM + 14}" text-anchor="middle">{tick:g}</text>')
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 3}" text-anchor="end">{escape(ITERATION.say(language))}'
                 f"</text>")
    for number, (_, points) in enumerate(lines):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{across(x):.1f},{down(y):.1f}" for x, y, _ in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        for x, y, error in points:
            if error:
                parts.append(f'<line x1="{across(x):.1f}" x2="{across(x):.1f}" y1="{down(y - error):.1f}" '
                             f'y2="{down(y + error):.1f}" stroke="{colour}" stroke-opacity=".6"/>')
            if len(points) <= 40:
                parts.append(f'<circle cx="{across(x):.1f}" cy="{down(y):.1f}" r="2.2" fill="{colour}"/>')
    if len(lines) > 1:
        labels = (f'<tspan dx="{10 if number else 0}" fill="{COLOURS[number % len(COLOURS)]}">{escape(label)}</tspan>'
                  for number, (label, _) in enumerate(lines))
        parts.append(f'<text x="{LEFT}" y="{TOP}">{"".join(labels)}</text>')
    return "".join([*parts, "</svg>"])


def ticks(low: float, high: float) -> list[float]:
    """Round numbers between two others, a handful.

    >>> ticks(0, 0.9)
    [0.0, 0.2, 0.4, 0.6, 0.8]
    """
    rough = (high - low) / MOST_TICKS
    step = 10.0 ** math.floor(math.log10(rough))
    step *= next((factor for factor in (1, 2, 5) if factor * step >= rough * (1 - 1e-9)), 10)
    return [round(number * step, 10) for number in range(math.ceil(low / step), math.floor(high / step) + 1)]
