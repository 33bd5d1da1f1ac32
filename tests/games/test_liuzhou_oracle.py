"""Liuzhou qi against three witnesses: the naive engine, recorded games, and the statistics of random play."""

from __future__ import annotations

import gzip
import math
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from boyi import OVER, find_game, perft, playout
from boyi.core.position import Position
from boyi.games.liuzhou.position import LiuzhouPosition
from tests.data import FACTS
from tests.games import liuzhou_naive as naive
from tests.scale import scaled

GAME = find_game("liuzhou")
TRACES = FACTS / "liuzhou" / "traces.tsv.gz"


# ---------------------------------------------------------------------- the naive engine

def agree(position: Position, game: naive.Game) -> list[str]:
    """Do both engines see the same position? Returns the legal actions."""
    actions = naive.legal_actions(game)
    assert sorted(position.format_move(move) for move in position.moves()) == sorted(actions)
    assert position.to_text() == naive.text(game)
    assert perft(position, 1) == len(actions)
    outcome = position.outcome()
    if game.result is None:
        assert position.turn == "bw".index(game.side)
        assert outcome is None
    else:
        assert position.turn == OVER
        assert outcome is not None
        assert outcome.scores == {"b": (1, -1), "w": (-1, 1), "draw": (0, 0)}[game.result]
    return actions


def rare_events(before: naive.Game, action: str, after: naive.Game) -> Iterator[str]:
    """The things worth seeing that an action brought about."""
    rules = after.rules
    too_few = [side for side in "bw" if naive.stone_count(after, side) < rules.threshold]
    opponents = naive.unmarked(after, naive.opponent(after.side))
    if before.phase == "clear" and after.phase == "forced":
        yield "clear without marks"
    if before.phase == "move" and action[0] == "x":
        yield "removal by a side without a move"
    if before.phase == "counter" and after.result is None and not naive.steps(after):
        yield "still without a move after the exchange"
    if before.phase == "clear" and len(too_few) == 2:
        yield "both below the threshold"
    if after.result in ("b", "w"):
        yield f"won in the phase {before.phase}"
        if before.phase == "capture" and after.actions == rules.action_limit:
            yield "winning capture as the last action"
        if before.phase == "capture" and after.pending:
            yield "pending capture dropped by a win"
    if after.result == "draw":
        if after.actions == rules.action_limit:
            yield "action limit"
        if after.quiet == rules.quiet_limit:
            yield "quiet limit"
        if after.pending and before.phase == "move":
            yield ("action limit" if after.actions == rules.action_limit else "quiet limit") + " by a move that earned"
    if before.phase == "mark" and before.pending > 1 and after.phase != "mark":
        yield "second mark lapsed"
    if before.phase == after.phase == "place" and before.side == after.side:
        yield "placing alone"
    if before.phase == "place" and after.phase != "mark":
        arrived = naive.place_of(action)
        if naive.earned(after, arrived):
            yield "first mark lapsed"
    if after.pending > 2:
        yield "more than two earned at once"
    if after.pending and after.result is None:
        ordinary = naive.ordinary_points(after)
        yield f"{after.phase}: no stone is ordinary" if not ordinary else (
            f"{after.phase}: some stones are ordinary" if ordinary != opponents else f"{after.phase}: all are ordinary")
        if after.phase == before.phase:
            newly = ordinary - naive.ordinary_points(before)
            if newly:
                yield f"{after.phase}: a broken shape freed its mates"


EXPECTED = {
    "clear without marks", "removal by a side without a move", "still without a move after the exchange",
    "both below the threshold", "won in the phase clear", "won in the phase capture", "won in the phase counter",
    "winning capture as the last action", "pending capture dropped by a win",
    "action limit", "quiet limit", "action limit by a move that earned", "quiet limit by a move that earned",
    "placing alone", "first mark lapsed", "second mark lapsed",
    "mark: no stone is ordinary", "mark: some stones are ordinary", "mark: all are ordinary",
    "capture: no stone is ordinary", "capture: some stones are ordinary", "capture: all are ordinary",
    "mark: a broken shape freed its mates", "capture: a broken shape freed its mates",
}


def composed(rules: naive.Rules, choice: random.Random) -> naive.Game:
    """A start for a random game, often one that lies close to something rare."""
    stones: dict[tuple[int, int], str] = {}
    points = choice.sample(naive.POINTS, 36)
    late = choice.randint(120, 143)   # short games, so that there are many
    quiet = choice.choice([0, 20, 34])
    side, other = choice.choice([("b", "w"), ("w", "b")])

    def put(stone: str, count: int) -> None:
        for _ in range(count):
            stones[points.pop()] = stone

    def put_on(chosen: set[tuple[int, int]], stone: str) -> None:
        for where in chosen:
            stones[where] = stone
            points.remove(where)

    kinds = {"start": 2, "full": 3, "placing": 6, "marking": 4, "few": 4, "crowded": 2, "blocks": 2, "enclosed": 6}
    kind = choice.choices(list(kinds), list(kinds.values()))[0]
    if kind == "start":
        return naive.Game(rules)
    if kind == "full":         # nearly nothing or nearly everything is marked
        for colour in "bw":
            marked = choice.choice([0, 0, 18, 18, choice.randint(12, 18)])
            put(colour.upper(), marked)
            put(colour, 18 - marked)
        return naive.Game(rules, stones, "w", "clear", 0, choice.randint(100, 143), 0)
    if kind in ("placing", "marking"):
        # The side to act has its stones together; of the other's few are unmarked, and those may be a shape.
        shape = choice.choice(naive.SQUARES + naive.LINES)
        bare = choice.choice([set(), shape, {choice.choice(naive.POINTS)}])
        put_on(bare, other)
        if choice.random() < 0.5:
            points.sort()
        put(side, choice.randint(9, 15))
        put(other.upper(), choice.randint(9, 18) - len(bare))
        if kind == "placing":
            return naive.Game(rules, stones, side, "place", 0, late, 0)
        if bare:
            return naive.Game(rules, stones, side, "mark", choice.randint(1, 2), late, 0)
        return naive.Game(rules)
    if kind == "few":          # few stones of one side
        put(side, choice.randint(rules.threshold, rules.threshold + 2))
        put(other, choice.randint(8, 18))
    elif kind == "crowded":    # few empty points, so that a side may be stuck
        put(side, 18)
        put(other, choice.randint(15, 17))
    elif kind == "blocks":     # many shapes
        points.sort()
        put(side, choice.randint(9, 18))
        put(other, choice.randint(9, 18))
    else:                      # triangles in the corners, fenced in by the opponent
        for down, right in choice.sample([(False, False), (False, True), (True, False), (True, True)], 4):
            size = choice.randint(1, 3)
            for inside, stone in ((True, side), (False, other)):
                corner = {(5 - r if down else r, 5 - c if right else c) for r, c in naive.POINTS
                          if (r + c < size if inside else r + c == size)}
                put_on(corner & set(points), stone)
            if choice.random() < 0.5:
                break
        put(other, min(choice.choice([0, 3, 6]), len(points)))
        if not all(rules.threshold <= list(stones.values()).count(colour) <= 18 for colour in "bw"):
            return naive.Game(rules)
    return naive.Game(rules, stones, side, "move", 0, late, quiet)


def choose(game: naive.Game, actions: list[str], choice: random.Random) -> str:
    """A random action; half of the time one that earns something, if there is one."""
    if game.phase in ("place", "move") and actions[0][0] != "x" and choice.random() < 0.5:
        earning = []
        for action in actions:
            arrived = naive.place_of(action[-2:])
            stones = dict(game.stones)
            stones.pop(naive.place_of(action[:2]), None)
            stones[arrived] = game.side
            if naive.earned(naive.Game(game.rules, stones), arrived):
                earning.append(action)
        if earning:
            return choice.choice(earning)
    return choice.choice(actions)


@pytest.mark.parametrize("preset", ["document", "reference"])
def test_agrees_with_the_naive_engine(preset: str) -> None:
    rules = naive.DOCUMENT if preset == "document" else naive.REFERENCE
    choice = random.Random(f"liuzhou {preset}")
    met: Counter[str] = Counter()
    positions = 0
    while positions < scaled(100_000):
        game = composed(rules, choice)
        position = GAME.parse(naive.text(game), rules=preset)
        texts = []
        while actions := agree(position, game):
            action = choose(game, sorted(actions), choice)
            texts.append(position.to_text())
            after = naive.play(game, action)
            position.play(action)
            met.update(rare_events(game, action, after))
            positions += 1
            game = after
        again = GAME.parse(position.to_text(), rules=preset)
        assert (again.to_text(), again.outcome()) == (position.to_text(), position.outcome())
        for expected in reversed(texts):
            position.undo()
            assert position.to_text() == expected
    # One stone fences nobody in, so that the one who cannot move never takes the last one.
    missing = EXPECTED | {"more than two earned at once" if preset == "document" else "won in the phase move"}
    missing -= set(met)
    assert not missing, f"never met: {sorted(missing)}"


@pytest.mark.parametrize("options", [
    {"rules": "document", "action_limit": 20, "quiet_limit": 5},
    {"rules": "document", "threshold": 4, "action_limit": 500, "quiet_limit": 500},
    {"rules": "reference", "shapes": "sum", "quiet_limit": 1},
    {"rules": "reference", "threshold": 1, "action_limit": 36},
], ids=str)
def test_other_options_agree_with_the_naive_engine(options: dict[str, object]) -> None:
    chosen = GAME.resolve(options)
    rules = naive.Rules(**{name: value for name, value in chosen.items() if name != "rules"})  # type: ignore[arg-type]
    choice = random.Random(str(options))
    for _ in range(scaled(100)):
        game, position = naive.Game(rules), GAME.start(**options)
        while actions := agree(position, game):
            action = choose(game, sorted(actions), choice)
            game = naive.play(game, action)
            position.play(action)


def naive_perft(game: naive.Game, depth: int) -> int:
    actions = naive.legal_actions(game)
    return len(actions) if depth == 1 else sum(naive_perft(naive.play(game, action), depth - 1) for action in actions)


@pytest.mark.parametrize("preset", ["document", "reference"])
def test_perft_agrees_with_the_naive_engine(preset: str) -> None:
    choice = random.Random("perft")
    rules = naive.DOCUMENT if preset == "document" else naive.REFERENCE
    for _ in range(scaled(100)):
        game = composed(rules, choice)
        position = GAME.parse(naive.text(game), rules=preset)
        assert perft(position, 2) == naive_perft(game, 2)
        assert position.to_text() == naive.text(game)


# ---------------------------------------------------------------------- recorded games

PHASES = {1: "place", 2: "mark", 3: "clear", 4: "move", 5: "capture", 6: "forced", 7: "counter"}


def point(number: str) -> str:
    return "abcdef"[int(number) % 6] + str(int(number) // 6 + 1)


def action_text(recorded: str) -> str:
    kind, _, where = recorded.partition(":")
    if kind == "process_removal":
        return "clear"
    prefix = {"place": "", "mark": "!", "move": ""}.get(kind, "x")
    return prefix + "-".join(point(number) for number in where.split("-"))


def state_text(recorded: str) -> tuple[str, str | None]:
    """The position text of a recorded state, and the winner (`b w draw`) or None."""
    cells, *pairs = recorded.split(" ")
    values = {name: int(value) for name, value in (pair.split("=") for pair in pairs)}
    rows = [cells[i:i + 6] for i in range(0, 36, 6)]
    for run in range(6, 0, -1):
        rows = [row.replace("." * run, str(run)) for row in rows]
    side = "b" if values["pl"] == 1 else "w"
    if values["ph"] == 6:    # how many forced removals are done follows from whose turn it is
        assert values["fr"] == (side == "b")
    text = (f"{'/'.join(rows)} {side} {PHASES[values['ph']]} {values['pm'] + values['pc']} "
            f"{values['mc']} {values['msc']}")
    return text, {1: "b", -1: "w", 0: "draw"}[values["win"]] if values["over"] else None


def recorded_games() -> list[list[list[str]]]:
    games: list[list[list[str]]] = []
    with gzip.open(TRACES, "rt") as lines:
        for line in lines:
            if line.strip() == "G":
                games.append([])
            else:
                games[-1].append(line.rstrip("\n").split("\t"))
    return games


def test_recorded_games_replay_state_for_state() -> None:
    games = recorded_games()
    assert len(games) == 60
    for game in games:
        position = GAME.start(rules="reference")
        for action, legal, state in game:
            assert len(position.moves()) == int(legal)
            position.play(action_text(action))
            text, result = state_text(state)
            assert position.to_text() == text
            outcome = position.outcome()
            if result is None:
                assert outcome is None
            else:
                assert outcome is not None
                assert outcome.winner == {"b": 0, "w": 1, "draw": None}[result]
            parsed = GAME.parse(text, rules="reference")
            assert parsed.moves() == position.moves()
        assert position.outcome() is not None


# ---------------------------------------------------------------------- statistics of random play

def test_random_play_has_the_known_statistics() -> None:
    """What 20,000 random games of the reference program gave, within the sampling error of both."""
    theirs, ours = 20_000, scaled(20_000)
    results: Counter[int | None] = Counter()
    sums: Counter[str] = Counter()
    squares: Counter[str] = Counter()
    for seed in range(ours):
        position = GAME.start(rules="reference")
        assert isinstance(position, LiuzhouPosition)
        game: Counter[str] = Counter(actions=playout(position, seed))
        outcome = position.outcome()
        assert outcome is not None
        results[outcome.winner] += 1
        while position.ply:
            action = position.format_move(position.undo())
            kind = position.phase + (" x" if action[0] == "x" else "")
            game[kind] += 1
            game[kind + " branching"] += perft(position, 1)
        for kind, count in game.items():
            sums[kind] += count
            squares[kind] += count * count
    assert sums["place"] == 36 * ours

    def close(kind: str, known: float, rounding: float) -> None:
        mean = sums[kind] / ours
        variance = squares[kind] / ours - mean * mean
        assert abs(mean - known) < 4 * math.sqrt(variance / ours + variance / theirs) + rounding, (kind, mean)

    close("actions", 127, 0.5)
    close("mark", 2.39, 0.005)
    close("move", 79.8, 0.05)
    close("capture x", 6.7, 0.05)
    close("move x", 0.26, 0.005)
    assert abs(sums["place branching"] / sums["place"] - 18.5) < 0.05
    assert abs(sums["move branching"] / sums["move"] - 9.2) < 0.2
    for winner, share in ((0, 0.035), (1, 0.037), (None, 0.928)):
        spread = math.sqrt(share * (1 - share) * (1 / ours + 1 / theirs))
        assert abs(results[winner] / ours - share) < 4 * spread + 0.0005, results
