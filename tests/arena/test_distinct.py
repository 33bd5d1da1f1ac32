"""A game that repeats another is counted once: in matches, tournaments, ladders, tests, duels and tuning."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import boyi
from boyi.agents.agent import Clock
from boyi.agents.spec import read_spec
from boyi.arena import Distinct, Match, Pool, distinct, play_match, standings
from boyi.arena.bout import Bout
from boyi.arena.kept_event import KeptEvent
from boyi.arena.ladder import add_to_ladder
from boyi.arena.match import Played
from boyi.arena.openings import distinct_openings, read_openings
from boyi.arena.report import write_report
from boyi.arena.score import interval
from boyi.arena.sprt import Sprt
from boyi.arena.table import cross_table, rate_tournament, table
from boyi.arena.tournament import Tournament, play_tournament
from boyi.core.errors import RecordError
from boyi.core.position import Position
from boyi.core.record_grammar import read_course
from boyi.learn.training.duel import Contestant, Duel, play_duel
from boyi.learn.tuning.parameters import Parameter
from boyi.learn.tuning.trial import Trial, Tuning
from tests.cli import invoke
from tests.toys import find_game_or_toy

WEAK, STRONG = "alphabeta:nodes=20", "alphabeta:nodes=40"


def play(agents: Sequence[object], games: int, game: str = "othello", **conditions: int) -> tuple[Match, list[Played]]:
    match = Match(tuple(agents), find_game_or_toy(game).start(), games=games, **conditions)  # type: ignore[arg-type]
    return match, list(play_match(match))


def naive_count(match: Match, games: Sequence[Played]) -> int:
    """How many games are different: the position after the opening, the moves since, and who sat where."""
    names = [str(read_spec(str(entry))) for entry in match.entries]
    return len({(match.opening(game.number).to_text(), tuple(names[one] for one in game.contestants),
                 tuple(game.record.replay().history()[match.random_plies:])) for game in games})


# ---------------------------------------------------------------------- which games are repeated

def test_equal_agents_that_exchange_seats_play_one_game() -> None:
    match, games = play((WEAK, WEAK), 8, random_plies=6)
    assert [game.course for game in games[::2]] == [game.course for game in games[1::2]]
    counted = distinct(match, games)
    assert len(counted) == 4 == naive_count(match, games)
    # Neither of the two has the first move in all of them.
    assert [game.contestants for game in counted] == [(0, 1), (1, 0)] * 2
    for row in standings(match, games):
        assert row.wins + row.draws + row.losses == row.seats == 4
        assert (row.low, row.high) == interval(row.score, 4)


def test_the_same_opening_again() -> None:
    match, games = play((WEAK, STRONG), 24, random_plies=1, seed=3)   # which has four of them
    assert len(distinct(match, games)) == naive_count(match, games) == 8
    counted: Distinct[Played] = Distinct(match)
    assert [counted.add(game) for game in games[:2]] == [True, True]
    for game in games[2:]:
        counted.add(game)
    assert (len(counted.games), counted.repeated) == (8, 16)
    assert {game.contestants for game in counted.games} == {(0, 1), (1, 0)}


def test_openings_that_transpose_are_the_same() -> None:
    start = boyi.start("xiangqi")
    openings = read_openings("moves h2e2 h9g7 a3a4 b9c7\nmoves a3a4 b9c7 h2e2 h9g7\nmoves h2e2 b9c7", start)
    match = Match((WEAK, STRONG), start, games=6, openings=openings, longest=8)
    games = list(play_match(match))
    assert games[0].course != games[2].course
    assert [game.number for game in distinct(match, games)] == [0, 1, 4, 5]


def test_a_list_of_openings_that_begins_anew() -> None:
    start = boyi.start("othello")
    match = Match((WEAK, STRONG), start, games=12, openings=read_openings("moves f5 d6\nmoves f5 f6", start))
    assert [game.number for game in distinct(match, list(play_match(match)))] == [0, 1, 2, 3]


@pytest.mark.parametrize("agents", [("random", "random"), ("random", WEAK), ("mcts:nodes=4", "mcts:nodes=4"),
                                    ("level:1", "level:1")])
def test_what_is_drawn_anew_is_a_new_observation(agents: tuple[str, ...]) -> None:
    match, games = play(agents, 30, "tic_tac_toe", random_plies=0, longest=2)
    assert len({game.course for game in games}) < len(games)
    assert distinct(match, games) == games


@pytest.mark.parametrize("agents", [("random:seed=1", "random:seed=2"),
                                    ("strength:nodes=50,book=off", "level:9,seed=1")])
def test_what_is_not_drawn_anew_is_none(agents: tuple[str, ...]) -> None:
    match, games = play(agents, 10, random_plies=1, longest=3)
    assert len(distinct(match, games)) == naive_count(match, games) < len(games)


def test_chance_is_drawn_anew_in_every_round() -> None:
    equal = "expectimax:nodes=1"
    match, games = play((equal, equal), 6, "jieqi", random_plies=0, longest=6)
    assert [game.number for game in distinct(match, games)] == [0, 3, 4], "within a round both have the same chance"
    match, games = play(("random:seed=1", "random:seed=1"), 40, "einstein", random_plies=0, longest=1)
    assert len(distinct(match, games)) == 20 > len({game.course for game in games})


def test_more_than_two() -> None:
    start = boyi.start("chinese_checkers", players=3)
    equal = "multiplayer:nodes=1"
    for agents, new in (((equal, equal, equal), [0, 4]), ((equal, "multiplayer:nodes=2"), list(range(6)))):
        match = Match(agents, start, games=6, random_plies=3, longest=6)
        assert [game.number for game in distinct(match, list(play_match(match)))] == new


class First:
    """Plays the first legal move, and fails when there are few."""

    def __init__(self, least: int = 0) -> None:
        self.least = least

    def choose(self, observation: Position, clock: Clock) -> int:
        if len(observation.moves()) < self.least:
            raise RuntimeError("too few")
        return observation.moves()[0]


class Seeded(First):
    """The same, if it were not given a seed."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()


def test_objects_of_a_program() -> None:
    match, games = play((First(), First), 4, random_plies=0)
    assert [game.number for game in distinct(match, games)] == [0, 1], "two objects, which nobody knows to be equal"
    match, games = play((First, Seeded), 4, random_plies=0)
    assert distinct(match, games) == games


def test_failures_are_all_counted() -> None:
    match, games = play((First(), First(100)), 4, random_plies=0)
    assert [row.failures for row in standings(match, games)] == [0, 4]


def test_who_plays_by_random_numbers() -> None:
    othello, jieqi = boyi.start("othello"), boyi.start("jieqi")
    # A level that plays the best move draws from its book only.
    stochastic = {"random": True, "random:seed=1": False, "level:1": True, "level:1,seed=1": False,
                  "strength:nodes=9": True, "strength:nodes=9,book=off": False,
                  "strength:nodes=9,temperature=1,book=off": True, "alphabeta:nodes=5": False,
                  "mcts:nodes=5": True, "mcts:nodes=5,seed=1": False, "uci:some-engine": False}
    for text, expected in stochastic.items():
        assert read_spec(text, trusted=True).is_stochastic(othello) == expected, text
    for text, expected in {"expectimax:nodes=5": False, "expectimax:outcomes=sample": True,
                           "expectimax:outcomes=sample,seed=2": False, "expectimax:preset=it2": False}.items():
        assert read_spec(text).is_stochastic(jieqi) == expected, text
    liuzhou = boyi.start("liuzhou")
    for text, expected in {"mcts:net=liuzhou": False, "mcts:net=liuzhou,gumbel=on": False,
                           "mcts:net=liuzhou,gumbel=on,gumbel_noise=1": True, "mcts:net=liuzhou,rollouts=on": True,
                           "mcts:net=liuzhou,root_noise=0.2": True}.items():
        assert read_spec(text).is_stochastic(liuzhou) == expected, text


def test_a_network_plays_the_same_whatever_its_seed() -> None:
    """Why `mcts:net=…` is not stochastic, though it takes a seed."""
    courses = set()
    for seed in range(3):
        agents = [f"mcts:net=liuzhou,simulations=8,seed={seed}{one}" for one in (1, 2)]
        match = Match(agents, boyi.start("liuzhou"), games=1, longest=40, seed=1)
        courses.add(match.play(0).course)
    assert len(courses) == 1


def test_the_moves_of_a_record() -> None:
    for game in play(("random:seed=1", "random:seed=2"), 2)[1]:
        assert read_course(game.record.to_text()) == game.course
    noted = ('[Boyi "1"]\n[Comment "] 1. a1"]\n\n{before ] all} 1. f5 {clk 0:01:00 took 0:00:01; "d6"} "d \\"6" c3\n'
             '4. e6\n')
    assert read_course(noted) == ("f5", '"d \\"6"', "c3", "e6")
    assert read_course("") == ()


# ---------------------------------------------------------------------- where they are counted

@pytest.fixture(scope="module")
def tournament() -> tuple[Tournament, list[Bout]]:
    event = Tournament((WEAK, STRONG, "random:seed=1"), boyi.start("othello"), rounds=6, random_plies=1, seed=2)
    return event, list(play_tournament(event, {}))


def test_tournaments(tournament: tuple[Tournament, list[Bout]], tmp_path: Path) -> None:
    event, bouts = tournament
    counted = distinct(event, bouts)
    assert len(counted) == len({(bout.contestants, bout.course) for bout in bouts}) < len(bouts)
    ratings = rate_tournament(event, bouts)
    assert ratings == rate_tournament(event, counted)
    assert sum(row.games for row in table(event, bouts, ratings)) == 2 * len(counted)
    assert sum(times for _, times in cross_table(event, bouts).values()) == 2 * len(counted)
    assert all(row.elo.error > 0 for row in ratings.rows)
    page = write_report(event, bouts, ratings)
    assert f"{len(bouts) - len(counted)} games repeated an earlier one" in page
    assert "repeated" not in write_report(event, counted, ratings)
    add_to_ladder(tmp_path / "ratings.json", event, "x", bouts)
    (pool,) = json.loads((tmp_path / "ratings.json").read_text(encoding="utf-8"))["pools"]
    assert sum(result["times"] for result in pool["results"]["x"]) == len(counted)


@pytest.mark.parametrize("openings", ["", "moves f5 d6\nmoves f5 f6\nmoves f5 d6"])
@pytest.mark.parametrize("agents", [(WEAK, WEAK), (WEAK, "random"), (WEAK, STRONG, "random:seed=1")])
def test_a_journal_alone_tells_as_much(agents: tuple[str, ...], openings: str) -> None:
    """Whoever reads a journal counts as whoever played it."""
    start = boyi.start("othello")
    event = Tournament(agents, start, rounds=5, random_plies=2, seed=3, match_games=8 if len(agents) == 2 else None,
                       openings=read_openings(openings, start) if openings else ())
    bouts = list(play_tournament(event, {}))
    kept = KeptEvent(json.loads(json.dumps(event.settings())))
    assert distinct(kept, bouts) == distinct(event, bouts)
    assert kept.identities == event.identities


def test_other_files_are_no_journals() -> None:
    settings = Tournament((WEAK, STRONG), boyi.start("othello")).settings()
    assert KeptEvent({**settings, "contestants": ["uci:rm -rf", "nobody"]}).identities == ("uci:rm -rf", "nobody")
    for change in ({"start": 5}, {"start": "x"}, {"openings": 5}, {"random_plies": 10**9}, {"seed": "x"},
                   {"contestants": None}):
        with pytest.raises(RecordError):
            KeptEvent({**settings, **change})
    with pytest.raises(RecordError, match="does not say how its games began"):
        KeptEvent({})


def test_said_aloud(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    match = ["match", "othello", WEAK, WEAK, "--games", "6", "--random-plies", "8", "--seed", "1"]
    assert "3 of 6 games repeated an earlier one and count once" in invoke(*match).out
    assert "6 局中有 3 局与先前的某局完全相同，只计一次" in invoke(*match, language="zh").out
    report = invoke(*match, "--json").json
    assert (report["repeated"], len(report["games"])) == (3, 6)
    assert sum(report["standings"][0][result] for result in ("wins", "draws", "losses")) == 3
    match[3] = STRONG
    assert "repeated" not in invoke(*match).out
    event = ["tournament", "othello", WEAK, STRONG, "--rounds", "8", "--random-plies", "1", "--seed", "1"]
    assert "8 of 16 games repeated an earlier one and count once" in invoke(*event).out
    assert invoke(*event, "--json").json["repeated"] == 8


def test_a_test_counts_no_pair_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four openings decide nothing, however often they are played; when nothing new comes, the test ends."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("boyi.cli._match_watcher.MOST_REPEATS", 10)
    match = ["match", "othello", WEAK, "random:seed=1", "--random-plies", "1", "--seed", "1", "--sprt",
             "elo0=0,elo1=300", "--games", "400"]
    report = invoke(*match, "--json").json
    assert sum(report["sprt"]["pairs"]) == 4
    assert len(report["games"]) == report["repeated"] + 8 < 100
    assert report["sprt"]["verdict"] is None
    shown = invoke(*match, "--games", "30").out
    assert "games only repeat earlier ones" in invoke(*match).out and "only repeat" not in shown


# ---------------------------------------------------------------------- learning

def test_duels() -> None:
    """Between two models; one test of many pairs has as many observations as there are openings."""
    agents = Contestant("one", WEAK), Contestant("two", "random:seed=1")
    duel = Duel(agents, boyi.start("othello"), 30, seed=1, random_plies=1)
    with Pool(1) as pool:
        score, finishes = play_duel(duel, pool)
        assert (score.games, score.repeated, len(finishes)) == (8, 22, 8)
        assert score.facts()["games"] == 8 and score.facts()["repeated"] == 22
        tested, _ = play_duel(duel, pool, Sprt(elo0=0, elo1=300))
        assert tested.verdict is None
        score, finishes = play_duel(Duel((agents[0], Contestant("r", "random")), duel.start, 10, 1, 1), pool)
        assert (score.games, score.repeated) == (10, 0) and "repeated" not in score.facts()


def test_tuning() -> None:
    def tuning(agent: str, game: str = "othello") -> Tuning:
        return Tuning(agent, boyi.start(game), (Parameter("x", 1.0, 0.0, 2.0, False),), 4, random_plies=1)

    def count(tuning: Tuning, *, failures: int = 0) -> int:
        return len({tuning.identify(Trial("check", number, (1.0,), (2.0,), failures=failures)) for number in range(40)})

    assert count(tuning("alphabeta:nodes=10")) == 4
    assert count(tuning("alphabeta:nodes=10"), failures=1) == 40
    assert count(tuning("alphabeta:nodes=10,seconds=1")) == count(tuning("alphabeta")) == count(
        tuning("mcts:nodes=10")) == count(tuning("expectimax:nodes=10", "jieqi")) == 40
    one = tuning("alphabeta:nodes=10")
    assert one.identify(Trial("check", 0, (1.0,), (2.0,))) != one.identify(Trial("check", 0, (1.0,), (3.0,)))


# ---------------------------------------------------------------------- openings

def test_distinct_openings() -> None:
    start = boyi.start("othello")
    openings = distinct_openings(start, 4, 100, 7)
    assert len({opening.to_text() for opening in openings}) == len(openings) == 100
    match = Match((WEAK, WEAK), start, games=2, random_plies=4, seed=7)
    assert openings[0].history() == match.opening(0).history(), "the first are those that a match draws"
    assert len(distinct_openings(start, 0, 5, 1)) == 1
    assert len(distinct_openings(start, 2, 50, 1)) == 12
