"""What was measured, for all to read: the files of one folder, as tables, curves and pictures.

The folder is named when the server starts (`boyi serve --results DIR`), and nothing outside of it is ever read: a name
that leads out of it, by `..` or by a link, is no name of a result. What a result is, is seen from its content:

    NAME.json of the lab      with NAME.md and NAME.svg: a question, its answer, tables and a plot
    a journal of a tournament *.jsonl that begins so: a table with ratings, and a cross table
    a file of ratings         the ladder of `boyi tournament --ladder`
    a folder of a training run  with metrics.jsonl: every series of numbers in it, drawn over its iterations

Files that are none of these are not shown. A file that is just being written may end in half a line; that line is left
out.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from boyi.arena.bout import Bout
from boyi.arena.distinct import distinct
from boyi.arena.kept_event import KeptEvent
from boyi.arena.rating import Finish, Ratings, rate
from boyi.core.errors import BoyiError, OptionError, shorten
from boyi.core.words import Words
from boyi.games import all_games
from boyi.learn.files import read_objects
from boyi.learn.training.folder import RunFolder
from boyi.learn.training.results import Series, read_settings, series, to_number

Kind = Literal["lab", "tournament", "ratings", "run"]

DEEPEST, MOST_SHOWN, MOST_BYTES = 5, 500, 50_000_000
"""Folders below the named one; results listed; bytes of a file that is read."""

MOST_POINTS = 400
"""Of a curve: more than a screen has columns for."""

WIDEST_CROSS_TABLE = 30
MOST_FACTS = 200

PICTURES = {".svg": "image/svg+xml", ".png": "image/png"}


class ResultSummary(Struct, frozen=True):
    """A result as it is listed."""

    path: str
    """Within the folder, with slashes; the address of the result."""

    kind: Kind
    title: Words
    date: str


class ResultTable(Struct, frozen=True):
    """A table; `numeric` says which columns are numbers."""

    title: Words
    head: list[Words]
    rows: list[list[str]]
    numeric: list[bool]


class RatingMark(Struct, frozen=True):
    """A rating and its 95 % interval."""

    name: str
    elo: float
    low: float
    high: float


class Curve(Struct, frozen=True):
    """A series of numbers; where an error is known, `low` and `high` are as long as `values`."""

    name: str
    steps: list[float]
    values: list[float]
    low: list[float]
    high: list[float]


class ResultInfo(Struct, frozen=True):
    """All that is shown of a result."""

    path: str
    kind: Kind
    title: Words
    date: str
    facts: list[tuple[str, str]]
    """Settings, by name."""

    text: str
    """In Markdown, in both languages one after the other; of the lab."""

    picture: str
    """The path of a picture, if there is one."""

    ratings: list[RatingMark]
    curves: list[Curve]
    tables: list[ResultTable]


class Results:
    """A folder of results."""

    def __init__(self, folder: str) -> None:
        self._root: Path | None = None
        if folder:
            self._root = Path(folder).resolve()
            if not self._root.is_dir():
                raise OptionError(f"results: {shorten(folder)} is not a folder")

    def list(self) -> list[ResultSummary]:
        """Everything that can be shown, the latest first."""
        if self._root is None:
            return []
        found = [(path.stat().st_mtime, path, kind) for path, kind in self._find(self._root, DEEPEST)]
        found.sort(key=lambda item: (-item[0], item[1]))
        return [ResultSummary(self._name(path), kind, _title(path, kind), _date(changed))
                for changed, path, kind in found[:MOST_SHOWN]]

    def show(self, name: str) -> ResultInfo | None:
        """A result; None where there is none of that name."""
        path = self._path(name)
        kind = None if path is None else _kind(path)
        if path is None or kind is None:
            return None
        title, changed = _title(path, kind), path.stat().st_mtime
        parts: dict[str, Any] = {"text": "", "picture": "", "facts": [], "ratings": [], "curves": [], "tables": []}
        parts |= {"lab": self._lab, "tournament": _tournament, "ratings": _ladder, "run": _run}[kind](path)
        return ResultInfo(path=self._name(path), kind=kind, title=title, date=_date(changed), **parts)

    def picture(self, name: str) -> tuple[bytes, str] | None:
        """A picture and what kind of one; None where there is none of that name."""
        path = self._path(name)
        if path is None or path.suffix not in PICTURES or not _is_readable(path):
            return None
        return path.read_bytes(), PICTURES[path.suffix]

    # ------------------------------------------------------------------ names

    def _path(self, name: str) -> Path | None:
        """The file or folder of this name, if it lies in the folder of results."""
        if self._root is None or not name or "\0" in name or "\\" in name or len(name) > 1000:
            return None
        parts = name.split("/")
        if any(part.startswith(".") or not part for part in parts):   # hidden ones too
            return None
        try:
            path = (self._root / name).resolve()
        except (OSError, RuntimeError):   # a link that leads to itself
            return None
        # Not through links even within the folder: what is listed is where it is listed.
        return path if path == self._root / name and path.exists() else None

    def _name(self, path: Path) -> str:
        assert self._root is not None
        return path.relative_to(self._root).as_posix()

    def _find(self, folder: Path, depth: int) -> Iterator[tuple[Path, Kind]]:
        try:
            inside = sorted(folder.iterdir())
        except OSError:   # a folder that we may not read
            return
        for path in inside:
            if path.name.startswith(".") or path.is_symlink():
                continue
            kind = _kind(path)
            if kind is not None:
                yield path, kind
            elif path.is_dir() and depth > 0:
                yield from self._find(path, depth - 1)

    # ------------------------------------------------------------------ the lab

    def _lab(self, path: Path) -> dict[str, Any]:
        """A report of `boyi lab`: its page has the numbers of its data as tables already."""
        page, picture = path.with_suffix(".md"), path.with_suffix(".svg")
        return {"text": page.read_text(encoding="utf-8", errors="replace") if _is_readable(page) else "",
                "picture": self._name(picture) if _is_readable(picture) else ""}


# ---------------------------------------------------------------------- telling what is what

def _kind(path: Path) -> Kind | None:
    if path.is_symlink():
        return None
    if path.is_dir():
        return "run" if _is_readable(RunFolder(path).metrics) else None
    if not _is_readable(path):
        return None
    if path.suffix == ".jsonl":
        first = _first_line(path, path.stat().st_mtime_ns)
        return "tournament" if first is not None and first.get("boyi") == "tournament" else None
    if path.suffix == ".json":
        found = _read_json(path)
        if not isinstance(found, dict):
            return None
        if found.get("boyi") == "ratings":
            return "ratings"
        if isinstance(found.get("experiment"), str) and isinstance(found.get("question"), dict):
            return "lab"
    return None


def _title(path: Path, kind: Kind) -> Words:
    if kind == "lab":
        question = (_read_json(path) or {})["question"]
        return Words(str(question.get("en", path.stem)), str(question.get("zh", path.stem)))
    if kind == "tournament":
        settings = _first_line(path, path.stat().st_mtime_ns) or {}
        game, count = _game_title(settings.get("game")), len(settings.get("contestants") or ())
        return Words(f"{game.en}: a tournament of {count}", f"{game.zh}：{count} 方循环赛"
                    if settings.get("pairing") == "everybody" else f"{game.zh}：{count} 方比赛")
    if kind == "run":
        game = _game_title(_run_settings(path).get("card.game"))
        return Words(": ".join(filter(None, (path.name, game.en))), "：".join(filter(None, (path.name, game.zh))))
    games = [_game_title(pool.get("game")) for pool in _pools(path)]
    return Words(f"{path.stem}: {', '.join(dict.fromkeys(game.en for game in games)) or '–'}",
                f"{path.stem}：{'、'.join(dict.fromkeys(game.zh for game in games)) or '–'}")


def _game_title(name: object) -> Words:
    game = all_games().get(str(name))
    return Words(str(name or ""), str(name or "")) if game is None else game.title


def _is_readable(path: Path) -> bool:
    try:
        return path.is_file() and not path.is_symlink() and path.stat().st_size <= MOST_BYTES
    except OSError:
        return False


def _date(changed: float) -> str:
    return datetime.fromtimestamp(changed, UTC).date().isoformat()


def _read_json(path: Path) -> Any:
    try:
        return _parsed(path, path.stat().st_mtime_ns)
    except OSError:
        return None


@lru_cache(maxsize=256)
def _parsed(path: Path, _changed: int) -> Any:
    """What is in a file; None for one that is no JSON. Kept until the file changes."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


@lru_cache(maxsize=256)
def _first_line(path: Path, _changed: int) -> dict[str, Any] | None:
    try:
        with path.open("rb") as file:
            found = json.loads(file.readline(1_000_000))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


# ---------------------------------------------------------------------- tournaments

AGENT, GAMES, RESULT = Words("agent", "选手"), Words("games", "局数"), Words("won–drawn–lost", "胜–和–负")
PLACE, ELO = Words("mean place", "平均名次"), Words("Elo, 95 %", "等级分（95%）")
TABLE, CROSS = Words("Table", "排名"), Words("Points against each other", "相互得分")


def _tournament(path: Path) -> dict[str, Any]:
    return _counted(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _counted(path: Path, _changed: int) -> dict[str, Any]:
    """A tournament's journal: rated, and counted up."""
    settings = _first_line(path, _changed) or {}
    names = [str(name) for name in settings.get("contestants") or ()]
    bouts: list[Bout] = []
    for entry in read_objects(path):
        seats, places = entry.get("contestants"), entry.get("places")
        if "meeting" in entry and isinstance(seats, list) and isinstance(places, list) and len(seats) == len(places) \
                and all(isinstance(seat, int) and 0 <= seat < len(names) for seat in seats):
            with suppress(TypeError, ValueError):
                bouts.append(Bout.parse({"number": 0, "reason": "", "moves": 0, "failures": [], "record": "", **entry}))
    counted = _distinct(settings, bouts)
    finishes = [Finish(tuple(names[seat] for seat in bout.contestants), bout.places) for bout in counted]
    facts = [(name, _short(settings[name])) for name in (
        "game", "options", "pairing", "rounds", "random_plies", "seed", "time") if settings.get(name) not in (None, {})]
    facts.append(("games", str(len(finishes))))
    if len(bouts) > len(counted):
        facts.append(("repeated", str(len(bouts) - len(counted))))
    try:
        ratings = rate(finishes) if finishes else None
    except BoyiError:   # nobody met another
        ratings = None
    if ratings is None:
        return {"facts": facts}
    tables = [_table(ratings, finishes), *_cross(ratings, finishes)]
    return {"facts": facts, "ratings": _marks(ratings), "tables": tables}


def _distinct(settings: Mapping[str, Any], bouts: list[Bout]) -> list[Bout]:
    """The games without those that repeat another one; all of them where the journal does not say how they began."""
    try:
        return distinct(KeptEvent(settings), sorted(bouts, key=lambda bout: bout.slot))
    except (BoyiError, IndexError, TypeError):   # a file that nobody wrote with Boyi
        return bouts


def _marks(ratings: Ratings) -> list[RatingMark]:
    return [RatingMark(row.name, round(row.elo.value, 1), round(row.elo.low, 1), round(row.elo.high, 1))
            for row in ratings.rows]


def _table(ratings: Ratings, finishes: list[Finish]) -> ResultTable:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    places: Counter[str] = Counter()
    for finish in finishes:
        best, worst = min(finish.places), max(finish.places)
        for name, place in zip(finish.players, finish.places, strict=True):
            counts[name]["drawn" if best == worst else "won" if place == best else "lost"] += 1
            places[name] += place
    rows = [[row.name, str(row.games), "–".join(str(counts[row.name][one]) for one in ("won", "drawn", "lost")),
             f"{places[row.name] / max(1, sum(counts[row.name].values())):.2f}"] for row in ratings.rows]
    return ResultTable(TABLE, [AGENT, GAMES, RESULT, PLACE], rows, [False, True, True, True])


def _cross(ratings: Ratings, finishes: list[Finish]) -> Iterator[ResultTable]:
    names = [row.name for row in ratings.rows]
    if not 2 < len(names) <= WIDEST_CROSS_TABLE:
        return
    doubled: Counter[tuple[str, str]] = Counter()
    games: Counter[tuple[str, str]] = Counter()
    for finish in finishes:
        for name, place in zip(finish.players, finish.places, strict=True):
            for other, theirs in zip(finish.players, finish.places, strict=True):
                if name != other:
                    doubled[name, other] += 2 if place < theirs else 1 if place == theirs else 0
                    games[name, other] += 1
    rows = [[f"{number} {name}", *(f"{doubled[name, other] / 2:g}/{games[name, other]}" if games[name, other] else "·"
                                   for other in names)] for number, name in enumerate(names, 1)]
    yield ResultTable(CROSS, [AGENT, *(Words(str(number), str(number)) for number in range(1, len(names) + 1))], rows,
                      [False, *(True for _ in names)])


def _ladder(path: Path) -> dict[str, Any]:
    """A file of ratings: one table for each game and its options."""
    pools = _pools(path)
    tables, marks = [], []
    for pool in pools:
        rows = [row for row in pool.get("ratings", []) if _is_rating(row)]
        game, options = _game_title(pool.get("game")), _short(pool.get("options") or "")
        tables.append(ResultTable(
            Words(f"{game.en} {options}".strip(), f"{game.zh} {options}".strip()), [AGENT, GAMES, ELO],
            [[str(row["agent"]), str(row["games"]),
              f"{round(row['elo']):+d} ({round(row['low']):+d} … {round(row['high']):+d})".replace("-", "−")]
             for row in rows],
            [False, True, True]))
        if len(pools) == 1:
            marks = [_mark(row) for row in rows]
    return {"ratings": marks, "tables": tables}


def _mark(row: Mapping[str, Any]) -> RatingMark:
    return RatingMark(str(row["agent"]), row["elo"], row["low"], row["high"])


def _pools(path: Path) -> list[dict[str, Any]]:
    pools = (_read_json(path) or {}).get("pools")
    return [pool for pool in pools if isinstance(pool, dict)] if isinstance(pools, list) else []


def _is_rating(row: object) -> bool:
    return isinstance(row, dict) and "agent" in row and "games" in row and all(
        to_number(row.get(name)) is not None for name in ("elo", "low", "high"))


# ---------------------------------------------------------------------- training runs

def _run(path: Path) -> dict[str, Any]:
    """Every series of numbers in the metrics of a run."""
    folder = RunFolder(path)
    rated = _read_json(folder.ratings) if _is_readable(folder.ratings) else None
    rows = rated.get("ratings") if isinstance(rated, dict) else None
    return {"facts": [(name, _short(value)) for name, value in _run_settings(path).items()][:MOST_FACTS],
            "curves": [_curve(one) for one in series(read_objects(folder.metrics))],
            "ratings": [_mark(row) for row in rows if _is_rating(row)] if isinstance(rows, list) else []}


def _run_settings(path: Path) -> dict[str, Any]:
    folder = RunFolder(path)
    return read_settings(folder) if _is_readable(folder.config) else {}


def _curve(one: Series) -> Curve:
    kept = _thinned(sorted(one.values.items()))
    known = bool(one.errors) and all(step in one.errors for step, _ in kept)
    return Curve(one.name, [step for step, _ in kept], [value for _, value in kept],
                 [value - one.errors[step] for step, value in kept] if known else [],
                 [value + one.errors[step] for step, value in kept] if known else [])


def _thinned(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Not more points than can be seen: of each stretch the lowest and the highest, so that no peak is lost."""
    if len(points) <= MOST_POINTS:
        return points
    kept = []
    stretches = MOST_POINTS // 2
    for number in range(stretches):
        stretch = points[number * len(points) // stretches:(number + 1) * len(points) // stretches]
        ends = {min(stretch, key=lambda point: point[1]), max(stretch, key=lambda point: point[1])}
        kept += sorted(ends)
    return kept


def _short(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={_short(one)}" for name, one in value.items())
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 200 else text[:199] + "…"
