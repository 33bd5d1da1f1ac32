"""The rules of a room, without a server around it."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from functools import partial
from typing import Any, get_args

import msgspec
import pytest

from boyi.core.draws import draws_of
from boyi.games import find_game
from boyi.games.jieqi.draws import DRAWS
from boyi.server.protocol import events, messages, views
from boyi.server.protocol.events import Ended, Event, Moved, TakenBack
from boyi.server.protocol.messages import (
    AnswerDraw,
    AnswerTakeback,
    Chat,
    Claim,
    Close,
    HandOver,
    Join,
    Kick,
    Leave,
    Move,
    OfferDraw,
    OfferTakeback,
    Ready,
    Rematch,
    Resign,
    Resume,
    SetAi,
    Sit,
    Stand,
    Start,
)
from boyi.server.protocol.parts import ClockRule
from boyi.server.protocol.refusals import Refusal
from boyi.server.rooms import EngineMove, Identity, Moment, Pause, Presence, Room, Tick, asking, clock, telling
from tests.scale import scaled
from tests.server import Table

SIX = ("ada", "bob", "cyd", "dan", "eve", "fay")
KINDS: list[tuple[str, dict[str, Any]]] = [
    ("tic_tac_toe", {}), ("othello", {}), ("xiangqi", {"quiet_limit": 20}), ("jieqi", {"quiet_limit": 20}),
    ("liuzhou", {}), *(("chinese_checkers", {"players": players, "turn_limit": 8}) for players in range(2, 7))]


def result(table: Table) -> Any:
    game = table.room.state.game
    assert game is not None and game.result is not None
    return game.result


# ---------------------------------------------------------------------- whole games

@pytest.mark.parametrize(("game", "options"), KINDS, ids=[f"{game}-{rest.get('players', 2)}" for game, rest in KINDS])
def test_whole_game_of_people_and_ai(game: str, options: dict[str, Any]) -> None:
    """Whoever hears the events knows what a newcomer is told (`Table` compares); replay gives the same room."""
    generator = random.Random(f"{game} {options}")
    players = find_game(game).start(**options).players
    table = Table(game, options).seat(*SIX[:players - 1], 3)
    for seat in table.play_out(generator):
        last = telling.last_move(table.room, seat, None)
        assert last is not None and last.before
        person = table.room.state.seats[seat].person
        if person is not None and table.turn is not None and generator.random() < 0.1:
            handed = table.room.state.seats[seat].level is not None
            table.do(person, Resume) if handed else table.do(person, HandOver, level=2)
    assert table.room.state.phase == "finished"
    again = Room.replay("table", table.events)
    assert msgspec.to_builtins(again.state) == msgspec.to_builtins(table.room.state)
    record = telling.record(table.room)
    position = record.replay()
    outcome = position.outcome()
    assert outcome is not None and list(outcome.places) == result(table).places
    if position.game.has_chance:
        draws_of(position.game).verify(position, bytes.fromhex(record.tags["Seed"]), record.tags["Commitment"])


def test_last_move_of_every_seat_shows_where_it_began() -> None:
    table = Table("chinese_checkers", {"players": 3, "turn_limit": 5}).seat("ada", "bob", "cyd")
    assert telling.last_move(table.room, 1, 0) is None
    made: dict[int, tuple[str, str]] = {}
    for _ in range(9):
        seat = table.turn
        assert seat is not None and table.room.state.game is not None
        before = table.room.state.game.standing.position
        table.play(telling.turn(table.room, seat).moves[-1].text)  # type: ignore[union-attr]
        made[seat] = before, table.room.state.game.plies[-1].text
        for other, (earlier, text) in made.items():
            last = telling.last_move(table.room, other, 0)
            assert last is not None and (last.before, last.text) == (earlier, text)
            assert last.path[0] in {stone.point for stone in last.stones} and last.changes
    with pytest.raises(Refusal, match="no such seat"):
        telling.last_move(table.room, 3, None)


# ---------------------------------------------------------------------- people

def test_nobody_acts_out_of_place() -> None:
    table = Table()
    assert table.refused("ada", Sit, seat=0) == "not_joined"
    table.do("ada", Join)
    assert table.refused("ada", Join) == "joined"
    assert table.refused("ada", Sit, seat=2) == "unknown_seat"
    assert table.refused("ada", Ready) == "not_seated"
    assert table.refused("ada", Move, move="a1") == "not_playing"
    table.do("ada", Sit, seat=0)
    assert table.refused("ada", Sit, seat=1) == "seated"
    table.do("bob", Join)
    assert table.refused("bob", Sit, seat=0) == "seat_taken"
    assert table.refused("bob", SetAi, seat=1, level=3) == "not_host"
    assert table.refused("bob", Kick, person="ada") == "not_host"
    assert table.refused("ada", Start) == "not_ready"
    table.do("bob", Sit, seat=1)
    assert table.refused("ada", Start) == "not_ready"
    table.do("bob", Ready)
    assert table.refused("bob", Start) == "not_host"
    table.do("ada", Start)
    assert table.refused("bob", Move, move="a1") == "not_your_turn"
    assert table.refused("ada", Move, move="z9") == "illegal_move"
    assert table.refused("ada", Stand) == "playing"
    assert table.refused("ada", Close) == "playing"
    assert table.refused("ada", Resume) == "not_handed_over"
    assert table.refused("ada", AnswerDraw, accept=True) == "nothing_offered"
    table.do("cyd", Join)
    assert table.refused("cyd", Move, move="a1") == "not_seated"
    assert table.refused("cyd", Resign) == "not_seated"
    table.do("cyd", Chat, text="good luck")
    with pytest.raises(Refusal) as refusal:
        table.room.decide(Move(id=1, seen=1, move="a1"), table.moment())
    assert refusal.value.code == "spectator"


def test_kicked_for_good_and_host_passes_on() -> None:
    table = Table()
    for person in ("ada", "bob", "cyd"):
        table.do(person, Join)
    table.do("bob", Sit, seat=0)
    table.do("ada", Kick, person="bob")
    assert table.room.state.seats[0].person is None
    assert table.refused("bob", Join) == "banned"
    assert table.refused("ada", Kick, person="ada") == "unknown_person"
    table.do("ada", Leave)
    assert table.room.state.host == "cyd"
    table.do("cyd", Leave)
    assert table.room.state.phase == "closed"
    assert table.refused("dan", Join) == "closed"


def test_repeated_request_is_done_once_and_a_late_one_not_at_all() -> None:
    table = Table().seat("ada", "bob")
    by = Identity("ada", "Ada", False, "c")
    table.ids["ada"] += 5
    number = table.ids["ada"]
    request = Move(id=number, seen=table.room.seq, move="a1")
    done = table.commit(table.room.decide(request, table.moment(), by))
    again = table.room.decide(request, table.moment(), by)
    assert again.events == () and again.seq == done.seq
    with pytest.raises(Refusal) as refusal:
        table.room.decide(Chat(id=number - 1, seen=0, text="late"), table.moment(), by)
    assert refusal.value.code == "late"
    # Another client of the same person counts for itself; what is on disk remembers both.
    table.commit(table.room.decide(Chat(id=1, seen=0, text="hi"), table.moment(), Identity("ada", "Ada", False, "d")))
    replayed = Room.replay("table", table.events)
    assert replayed.decide(request, table.moment(), by).seq == done.seq


def test_move_must_have_seen_its_turn() -> None:
    table = Table().seat("ada", "bob")
    table.play("a1")
    before = table.room.seq - 1
    assert table.refused("bob", Move, seen=before, move="b2") == "stale"
    assert table.refused("bob", Move, seen=table.room.seq + 1, move="b2") == "stale"
    table.do("ada", Chat, text="well?")
    table.do("bob", Move, seen=before + 1, move="b2")   # what has nothing to do with the turn need not be seen


# ---------------------------------------------------------------------- 托管

def test_hand_over_and_resume_at_any_moment() -> None:
    table = Table("othello", rated=True).seat("ada", "bob", account=True)
    generator = random.Random(1)
    assert asking.engine_request(table.room) is None
    table.do("ada", HandOver, level=4)
    request = asking.engine_request(table.room)
    assert request is not None and (request.seat, request.level) == (0, 4)
    assert table.refused("ada", Move, move="f5") == "handed_over"
    answer = table.answer(generator)
    table.do("ada", Resume)
    with pytest.raises(Refusal, match="gone on"):
        table.internal(answer)                          # late: the seat is hers again
    table.play("f5")
    table.do("ada", HandOver, level=1)                  # not her turn; it stays until she resumes
    table.play("d6")
    for _ in range(3):
        table.internal(table.answer(generator))
        table.play(telling.turn(table.room, 1).moves[0].text)  # type: ignore[union-attr]
    game = table.room.state.game
    assert game is not None and game.assisted == [0] and not game.rated
    table.do("bob", Resign)
    assert result(table).places == [1, 2] and not result(table).rated
    assert table.room.state.seats[0].level is None


def answer_late(table: Table, answer: EngineMove) -> None:
    """An answer of the AI arrives; it counts only if the seat is still in the hands that were asked."""
    epoch = table.room.state.seats[answer.seat].epoch
    table.internal(answer)
    assert answer.epoch == epoch


def test_take_back_race() -> None:
    """The controller flips in the very millisecond of the AI's answer: one move each turn, whichever comes first."""
    generator = random.Random(3)
    races = 0
    while races < scaled(10_000):
        table = Table("othello", check=False).seat("ada", "bob")
        while table.turn is not None and races < scaled(10_000):
            seat, plies, seen = table.turn, len(table.room.refereed.log), table.room.seq
            person = table.person(seat)
            if table.room.state.seats[seat].level is None:
                table.do(person, HandOver, level=1)
            answers = [table.answer(generator)]
            mine = table.room.refereed.position.format_move(answers[0].move)
            if generator.random() < 0.3:                # changed twice: an earlier answer may still be on its way
                table.do(person, HandOver, level=2)
                answers.append(table.answer(generator))
            steps: list[Callable[[], object]] = [partial(answer_late, table, answer) for answer in answers]
            steps.append(partial(table.do, person, Resume))
            steps.append(partial(table.do, person, Move, seen=seen, move=mine))
            generator.shuffle(steps)
            for step in steps:
                try:
                    step()
                except Refusal as refusal:
                    assert refusal.code in ("stale", "handed_over", "not_handed_over", "game_over", "not_your_turn")
            choices = sum(ply.chosen for ply in table.room.refereed.log[plies:])
            # If it was resumed before the answer and the person had tried too early, nobody has moved yet.
            assert choices == 1 or (choices == 0 and table.turn == seat)
            races += 1


def test_ai_may_fill_seats_and_play_alone() -> None:
    table = Table("liuzhou")
    table.do("ada", Join)
    table.do("ada", SetAi, seat=0, level=1)
    table.do("ada", SetAi, seat=1, level=9)
    table.do("ada", SetAi, seat=1, level=None)
    assert table.refused("ada", Start) == "not_ready"
    table.do("ada", SetAi, seat=1, level=2)
    table.do("ada", Start)
    table.do("ada", Leave)
    assert len(list(table.play_out(random.Random(1)))) > 50
    assert result(table).reason
    table.now += 60_000
    table.internal(Tick())
    assert table.room.state.phase == "closed"


# ---------------------------------------------------------------------- off the board

def test_draw_by_agreement() -> None:
    table = Table().seat("ada", "bob")
    table.do("ada", OfferDraw)
    assert table.refused("ada", OfferDraw) == "offered"
    table.do("bob", AnswerDraw, accept=False)
    assert table.refused("ada", OfferDraw) == "offered"    # not twice at the same move
    table.play("a1")
    table.do("ada", OfferDraw)
    offer = table.room.seq
    table.play("b2")                                       # moving on is an answer too
    assert table.refused("bob", AnswerDraw, accept=True) == "nothing_offered"
    table.do("bob", OfferDraw)
    assert table.refused("ada", AnswerDraw, seen=offer, accept=True) == "stale"
    table.do("ada", AnswerDraw, accept=True)
    assert result(table).places == [1, 1] and result(table).reason == "agreement"
    against_ai = Table().seat("ada", 1)
    assert against_ai.refused("ada", OfferDraw) == "not_allowed"


def test_resigning_where_the_others_play_on() -> None:
    table = Table("chinese_checkers", {"players": 3, "turn_limit": 5}).seat("ada", "bob", "cyd")
    assert table.refused("ada", Move, move="resign:C") == "illegal_move"      # nobody makes another one leave
    table.play(telling.turn(table.room, 0).moves[0].text)  # type: ignore[union-attr]
    table.do("cyd", Resign)
    assert table.turn == 1 and table.refused("cyd", Resign) == "game_over"
    assert table.refused("ada", OfferTakeback) == "not_allowed"
    table.do("bob", Leave)
    assert result(table).places == [1, 2, 3] or result(table).places == [1, 3, 2]
    assert telling.record(table.room).replay().outcome() is not None


def test_takeback_needs_consent_of_persons_only() -> None:
    table = Table("othello").seat("ada", "bob")
    assert table.refused("ada", OfferTakeback) == "nothing_to_take_back"
    table.play("f5")
    before = table.room.state.game.standing.position  # type: ignore[union-attr]
    table.play("d6")
    table.play("c3")
    table.do("bob", OfferTakeback)
    table.do("ada", AnswerTakeback, accept=False)
    assert table.refused("ada", AnswerTakeback, accept=True) == "nothing_offered"
    table.do("bob", OfferTakeback)
    table.do("ada", AnswerTakeback, accept=True)
    assert isinstance(table.events[-1].body, TakenBack) and table.turn == 1
    assert table.room.state.game.standing.position == before  # type: ignore[union-attr]
    alone = Table("othello").seat("ada", 2)
    generator = random.Random(1)
    alone.play("f5")
    late = alone.answer(generator)
    alone.do("ada", OfferTakeback)                          # the AI agrees, and its answer comes too late
    assert alone.turn == 0
    with pytest.raises(Refusal, match="gone on"):
        alone.internal(late)


def test_takeback_never_across_a_reveal() -> None:
    table = Table("jieqi").seat("ada", "bob")
    covered = next(move.text for move in telling.turn(table.room, 0).moves if move.path[0] != "e0")  # type: ignore[union-attr]
    table.play(covered)
    assert table.refused("ada", OfferTakeback) == "revealed"
    assert Table("jieqi", rated=True).seat("ada", "bob", account=True).refused("ada", OfferTakeback) == "not_allowed"


def test_rematch_turns_the_seats() -> None:
    table = Table().seat("ada", "bob")
    assert table.refused("ada", Rematch) == "playing"
    table.do("bob", Resign)
    table.do("ada", Rematch)
    assert table.refused("ada", Rematch) == "offered"
    table.do("bob", Rematch)
    assert [seat.person for seat in table.room.state.seats] == ["bob", "ada"]
    assert table.room.state.game.number == 2 and table.turn == 0  # type: ignore[union-attr]


def test_rated_needs_accounts() -> None:
    table = Table(rated=True)
    table.do("ada", Join)
    assert table.refused("ada", Sit, seat=0) == "different_seats"
    assert table.refused("ada", SetAi, seat=0, level=1) == "different_seats"
    table.do("bob", Join, account=True, agent="level:3")
    assert table.refused("bob", Sit, seat=0) == "different_seats"
    rated = Table(rated=True).seat("ada", "bob", account=True)
    rated.do("ada", Resign)
    assert result(rated).rated


# ---------------------------------------------------------------------- time

CLOCK = ClockRule(10_000, 1_000)


def test_clock_counts_turns() -> None:
    table = Table("othello", clock=CLOCK).seat("ada", "bob")
    table.now += 4_000
    table.play("f5")
    table.now += 2_000
    table.play("d6")
    assert table.room.state.game.clocks_ms == [7_000, 9_000]  # type: ignore[union-attr]
    assert table.room.deadline() == table.now + 7_000 + clock.MOST_CREDIT_MS
    table.now += 7_000
    assert table.refused("ada", Move, move="c3") == "flag"
    table.internal(Tick())
    assert table.turn == 0                                   # what is on its way may yet be in time
    table.do("ada", Move, lag=1, move="c3")


def test_flag_loses_or_hands_over() -> None:
    table = Table("othello", clock=CLOCK).seat("ada", "bob")
    table.now += 10_500
    table.internal(Tick())
    assert result(table).places == [2, 1] and result(table).reason == "time"
    table = Table("othello", clock=CLOCK, ai_on_flag=True).seat("ada", "bob")
    table.now += 10_500
    table.internal(Tick())
    assert asking.engine_request(table.room) is not None and table.room.deadline() is None
    assert table.refused("ada", Resume) == "flag"
    table.now += 60_000
    table.internal(table.answer(random.Random(1)))           # the AI plays on without a clock
    assert table.turn == 1


def test_lag_credit_is_capped() -> None:
    """Somebody who pretends to be infinitely slow gains the store once, then what is refilled."""
    table = Table("othello", clock=ClockRule(600_000)).seat("ada", "bob")
    gained = 0
    for number in range(20):
        table.now += 5_000
        seat = table.turn
        assert seat is not None
        turn = telling.turn(table.room, seat)
        assert turn is not None
        table.do(table.person(seat), Move, lag=10**9 if seat == 0 else 0, move=turn.moves[0].text)
        given = [event.body.credit_ms for event in table.events if isinstance(event.body, Moved)]
        assert max(given) <= clock.MOST_CREDIT_MS
        gained = sum(given)
        assert gained <= clock.BANK_MS + clock.REFILL_MS * (number + 1)
    hers = sum(ply.seat == 0 and ply.chosen for ply in table.room.refereed.log)   # a pass that is forced takes no time
    assert table.room.state.game.clocks_ms[0] == 600_000 - 5_000 * hers + gained  # type: ignore[index, union-attr]


def test_time_stands_still_while_the_server_does() -> None:
    table = Table("othello", clock=CLOCK).seat("ada", "bob")
    table.now += 3_000
    table.internal(Pause())
    room = Room.replay("table", table.events)                # hours later; the room's clock has not moved
    assert room.state.at == table.now
    assert room.state.game.clocks_ms == [7_000, 10_000]  # type: ignore[union-attr]
    assert room.deadline() == table.now + 7_000 + clock.MOST_CREDIT_MS


def test_away_then_claimed_or_replaced() -> None:
    table = Table("othello", clock=ClockRule(60_000)).seat("ada", "bob")
    table.internal(Presence("bob", False))
    assert table.internal(Presence("bob", False)).events == ()
    assert table.refused("ada", Claim) == "not_away"
    table.now += 30_000
    table.internal(Presence("bob", True))
    assert table.refused("ada", Claim) == "not_away"
    table.internal(Presence("bob", False))
    table.now += 29_999
    assert table.refused("ada", Claim) == "not_away"
    table.now += 1
    table.do("ada", Claim)
    assert result(table).reason == "abandoned" and result(table).places == [1, 2]

    table = Table("othello", ai_on_disconnect=True, ai_level=7).seat("ada", "bob")
    table.internal(Presence("ada", False))
    assert table.room.deadline() == table.now + 300_000
    table.now += 300_000
    table.internal(Tick())
    request = asking.engine_request(table.room)
    assert request is not None and request.level == 7
    assert table.refused("bob", Claim) == "not_away"         # somebody plays
    table.internal(Presence("ada", True))
    table.do("ada", Resume)
    assert table.turn == 0 and asking.engine_request(table.room) is None


def test_who_stays_away_between_games_has_left() -> None:
    table = Table()
    table.do("ada", Join)
    table.do("bob", Join)
    table.internal(Presence("ada", False))
    table.now += 60_000
    table.internal(Tick())
    assert [person.person for person in table.room.state.persons] == ["bob"] and table.room.state.host == "bob"


# ---------------------------------------------------------------------- secrets

def test_every_stored_body_is_public_or_has_a_view() -> None:
    stored = {events.kind_of(body) for body in get_args(events.StoredBody)}
    public = {events.kind_of(body) for body in get_args(views.PublicBody)}
    assert stored == public
    own = {events.kind_of(body) for body in get_args(events.Public)}
    assert stored - own == {"created", "started", "moved", "taken_back", "resigned"}
    assert not {"seed", "password"} & {
        name for body in get_args(views.PublicBody) if body is not Ended for name in body.__struct_fields__}


def test_seed_and_password_stay_until_the_end() -> None:
    table = Table("jieqi", seed=bytes(range(32)))
    table.room.password = "scrypt$hash"
    table.seat("ada", "bob")
    generator = random.Random(2)
    for _ in table.play_out(generator, longest=40):
        pass
    seen = "".join(text for told in table.told.values() for text in told)
    seen += "".join(messages.encode(messages.Room(telling.view(table.room, viewer))) for viewer in (None, 0, 1))
    seen += "".join(telling.record(table.room, viewer).to_text() for viewer in (None, 0, 1))
    assert bytes(range(32)).hex() not in seen and "scrypt" not in seen
    assert DRAWS.commitment(bytes(range(32))) in seen
    table.do("ada", Resign)
    assert bytes(range(32)).hex() in table.told[None][-1]
    record = telling.record(table.room)
    DRAWS.verify(record.replay(), bytes.fromhex(record.tags["Seed"]), record.tags["Commitment"])


def test_ai_is_given_its_own_view() -> None:
    table = Table("jieqi")
    table.do("ada", Join)
    table.do("ada", SetAi, seat=0, level=1)
    table.do("ada", SetAi, seat=1, level=1)
    table.do("ada", Start)
    generator = random.Random(4)
    for _ in range(30):
        request = asking.engine_request(table.room)
        assert request is not None and request.observation.viewer == "wb"[request.seat]  # type: ignore[attr-defined]
        table.internal(table.answer(generator))


def test_illegal_move_tells_nothing_that_the_player_does_not_know() -> None:
    table = Table("jieqi").seat("ada", "bob")
    with pytest.raises(Refusal) as refusal:
        table.do("ada", Move, move="a0a9")
    assert refusal.value.code == "illegal_move" and "a0a9" in refusal.value.detail
    with pytest.raises(Refusal) as refusal:
        table.do("ada", Move, move="b2e2R")                 # a player does not say what chance brings
    assert refusal.value.code == "illegal_move"


# ---------------------------------------------------------------------- the machine itself

def test_events_follow_without_gaps() -> None:
    table = Table()
    with pytest.raises(ValueError, match="cannot follow"):
        table.room.apply(Event(5, 0, events.Paused()))
    table.do("ada", Join)
    with pytest.raises(ValueError, match="not the last"):
        table.room.public(table.events[0], None)
    with pytest.raises(Refusal):
        table.room.decide(EngineMove(0, 0, 0, 0), Moment(0))


@pytest.mark.parametrize("seed", range(max(3, scaled(100))))
def test_any_sequence_of_commands(seed: int) -> None:
    """Whatever people try, in whatever order: refusals change nothing, all viewers agree, replay gives the same."""
    generator = random.Random(seed)
    game, options = generator.choice([("tic_tac_toe", {}), ("othello", {}), ("jieqi", {}),
                                      ("chinese_checkers", {"players": 3, "turn_limit": 4})])
    table = Table(game, options, clock=generator.choice([None, ClockRule(30_000, 500)]),
                  ai_on_flag=generator.random() < 0.5, ai_on_disconnect=generator.random() < 0.5)
    people = ("ada", "bob", "cyd")
    seats = len(table.room.state.seats)
    table.seat(*people[:seats])
    for _ in range(200):
        table.now += generator.choice([0, 0, 0, 0, 0, 0, 10, 10, 700, 8_000])
        if table.room.state.phase == "finished":
            for one in people:
                with contextlib.suppress(Refusal):
                    table.do(one, Rematch)
        person, seat = generator.choice(people), generator.randrange(seats + 1)
        turn = telling.turn(table.room, table.room.viewer(person))
        move = generator.choice(turn.moves).text if turn is not None else "pass"
        commands: list[tuple[Any, dict[str, Any]]] = [
            (Join, {}), (Sit, {"seat": seat}), (Ready, {}), (Start, {}), (Stand, {}), (Rematch, {}),
            *[(Move, {"move": move})] * 12, *([(Leave, {})] if generator.random() < 0.05 else []), (OfferDraw, {}),
            (AnswerDraw, {"accept": seat > 0}), (OfferTakeback, {}),
            (AnswerTakeback, {"accept": seat > 0}), (HandOver, {"level": 3}), (Resume, {}), (Claim, {}),
            (SetAi, {"seat": seat, "level": 2}), (Chat, {"text": "hm"}), *([(Resign, {})] if seat == 0 else [])]
        kind, fields = generator.choice(commands)
        with contextlib.suppress(Refusal):
            table.do(person, kind, **fields)
        for internal in (Tick(), Presence(person, generator.random() < 0.9)):
            try:
                table.internal(internal)
            except Refusal as refusal:
                assert refusal.code == "closed"
        if asking.engine_request(table.room) is not None:
            try:
                table.internal(table.answer(generator))
            except Refusal as refusal:
                assert refusal.code == "flag"
        if table.room.state.phase == "closed":
            break
    again = Room.replay("table", table.events)
    for viewer in (None, *range(seats)):
        assert msgspec.to_builtins(telling.view(again, viewer)) == msgspec.to_builtins(telling.view(table.room, viewer))
    assert again.deadline() == table.room.deadline()


@pytest.mark.parametrize("game", ["tic_tac_toe", "jieqi", "chinese_checkers"])
def test_a_room_of_many_games_comes_back_the_same_without_their_moves(game: str) -> None:
    """Games that were followed by another one are passed over; nothing that matters is forgotten with them."""
    table = Table(game, check=False, clock=ClockRule(600_000)).seat("ada", "bob")
    generator = random.Random(4)
    for number in range(4):
        for ply, seat in enumerate(table.play_out(generator, 6)):
            if ply == 2 and table.turn is not None:
                table.do(table.person(seat), messages.OfferDraw)
                table.do(table.person(seat), messages.HandOver, level=1)
                table.do(table.person(seat), messages.Resume)
            table.now += 300
        table.do("ada", messages.Chat, text=f"game {number}")
        if table.turn is not None:
            table.do("ada", messages.Resign)
        if number == 1:
            table.do("eve", messages.Join)
            table.do("ada", messages.Kick, person="eve")
        for person in ("ada", "bob"):
            table.do(person, messages.Rematch)
    for _ in table.play_out(generator, 3):
        pass
    step_by_step = Room("table")
    for event in table.events:
        step_by_step.apply(event)
    replayed = Room.replay("table", table.events)
    assert msgspec.to_builtins(replayed.state) == msgspec.to_builtins(step_by_step.state)
    for room in (replayed, step_by_step):
        assert room.requests == table.room.requests and room.banned == table.room.banned == {"eve"}
    for name in ("log", "banks_ms", "seed", "offered_at", "offer_seq", "ended"):
        assert getattr(replayed.refereed, name) == getattr(step_by_step.refereed, name), name
    for viewer in (None, 0, 1):
        assert messages.encode(messages.Room(telling.view(replayed, viewer))) == messages.encode(
            messages.Room(telling.view(step_by_step, viewer)))
        assert telling.history(replayed, viewer) == telling.history(step_by_step, viewer)
    assert replayed.deadline() == step_by_step.deadline()
