"""Rooms to be kept, what anyone may see of them, and how each goes on; for `make` and `test_rooms` alike.

`SCENES` says how version 0.1.0 made each room. `look` asks for all that a viewer may know of a room. `go_on` plays
on by a rule that leaves nothing to chance, so that two versions must tell the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.compat.wire import Client, RefusedError, Server

PASSWORD = "correct horse"
VOLATILE = frozenset({"at", "now", "seq", "began", "away_until", "clocks_ms", "spent_ms", "credit_ms", "turn_seq", "id",
                      "date"})
"""What depends on when things happened, or on how often people came and went meanwhile."""


@dataclass
class House:
    """A server, the people that it knows, and their rooms by the name of the scene."""

    server: Server
    tokens: dict[str, str] = field(default_factory=dict)
    rooms: dict[str, str] = field(default_factory=dict)
    seated: dict[str, list[str]] = field(default_factory=dict)
    """Who has been in a room, the host first."""

    notes: dict[str, Any] = field(default_factory=dict)

    def client(self, scene: str, name: str = "") -> Client:
        return Client(self.server, self.rooms[scene], self.tokens.get(name, ""), PASSWORD)

    def meet(self, scene: str, game: str, names: Sequence[str], levels: Sequence[int] = (), **wish: Any,
             ) -> list[Client]:
        """A new room in which these people sit, then AIs; the game is not begun."""
        made = self.server.call("POST", "/api/rooms", {"game": game, **wish}, self.tokens[names[0]])
        self.rooms[scene], self.seated[scene] = made["room"], list(names)
        clients = [self.client(scene, name) for name in names]
        for seat, client in enumerate(clients):
            if seat:
                client.ask("join")
            client.ask("sit", seat=seat)
            client.ask("ready")
        for seat, level in enumerate(levels, len(names)):
            clients[0].ask("set_ai", seat=seat, level=level)
        return clients

    def begin(self, scene: str, game: str, names: Sequence[str], levels: Sequence[int] = (), **wish: Any,
              ) -> list[Client]:
        clients = self.meet(scene, game, names, levels, **wish)
        clients[0].ask("start")
        return clients


def play(clients: Sequence[Client], plies: int, seed: object) -> None:
    """Let people make random moves, any number of them in all; an AI answers by itself."""
    generator = random.Random(repr(seed))
    for _ in range(plies):
        if not play_one(clients, generator.choice):
            return


def play_one(clients: Sequence[Client], choose: Callable[[list[dict[str, Any]]], dict[str, Any]]) -> bool:
    """A move by the one who is to act; False when the game is over."""
    while True:
        latest = max(clients, key=lambda client: client.seq)
        if latest.standing is None or latest.standing["turn"] is None:
            return False
        for client in clients:
            if client.seat == latest.standing["turn"]:
                client.move(choose)
                return True
        latest.hear()   # the AI is to act


def catch_up(clients: Sequence[Client]) -> None:
    """All have heard what has happened so far: the answer to a question comes behind it."""
    for client in clients:
        client.ask("history")


def close(clients: Sequence[Client]) -> None:
    for client in clients:
        client.close()


# ---------------------------------------------------------------------- the rooms

def xiangqi_offered_a_draw(house: House) -> None:
    """Xiangqi on a clock; a draw is offered and not answered yet."""
    clients = house.begin("xiangqi_offered_a_draw", "xiangqi", ["ada", "bob"],
                          clock={"main_ms": 3_600_000, "increment_ms": 3_000})
    play(clients, 12, "xiangqi")
    clients[1].ask("offer_draw")
    clients[0].ask("chat", text="let me think 想一想")
    assert clients[0].done is not None
    request, acknowledged = clients[0].done
    house.notes["repeated"] = {"client": clients[0].client, "request": request, "acknowledged": acknowledged}
    close(clients)


def xiangqi_against_the_ai(house: House) -> None:
    """Xiangqi against an AI; the person had handed their seat over for a while. The person is to move."""
    clients = house.begin("xiangqi_against_the_ai", "xiangqi", ["cy"], [1])
    play(clients, 2, "ai")
    clients[0].until(lambda: clients[0].turn is not None)
    clients[0].turn = None
    clients[0].ask("hand_over", level=1)
    before = len(clients[0].events("moved"))
    clients[0].until(lambda: len(clients[0].events("moved")) >= before + 2)
    clients[0].ask("resume")
    clients[0].until(lambda: clients[0].turn is not None)
    close(clients)


def othello_taken_back(house: House) -> None:
    """Othello with moves taken back; another take-back is asked for and not answered yet."""
    clients = house.begin("othello_taken_back", "othello", ["ada", "bob"])
    play(clients, 15, "othello")
    clients[0].ask("offer_takeback")
    catch_up(clients)
    clients[1].ask("answer_takeback", accept=True)
    play(clients, 3, "again")
    clients[1].ask("offer_takeback")
    close(clients)


def jieqi_with_secrets(house: House) -> None:
    """Jieqi in which each side has taken covered pieces that only the taker knows."""
    clients = house.begin("jieqi_with_secrets", "jieqi", ["ada", "bob"])
    play(clients, 60, "jieqi")
    close(clients)


def checkers_of_three(house: House) -> None:
    """Chinese checkers for three; one has resigned, and the others play on."""
    clients = house.begin("checkers_of_three", "chinese_checkers", ["ada", "bob", "cy"], options={"players": 3})
    play(clients, 7, "three")
    clients[1].ask("resign")
    play([clients[0], clients[2]], 4, "two")
    close(clients)


def checkers_of_six(house: House) -> None:
    """Chinese checkers of a person and five AIs."""
    clients = house.begin("checkers_of_six", "chinese_checkers", ["cy"], [1, 1, 1, 1, 1], options={"players": 6})
    play(clients, 1, "six")
    clients[0].until(lambda: clients[0].turn is not None)
    close(clients)


def liuzhou_in_play(house: House) -> None:
    """Liuzhou qi after the board was filled, in the middle of the game."""
    clients = house.begin("liuzhou_in_play", "liuzhou", ["ada", "bob"])
    play(clients, 70, "liuzhou")
    close(clients)


def second_game(house: House) -> None:
    """Othello: one game is over, and the rematch with other seats is in play."""
    clients = house.begin("second_game", "othello", ["ada", "bob"])
    play(clients, 200, "first")
    for client in clients:
        client.ask("rematch")
    catch_up(clients)
    for client in clients:
        client.heard.clear()
    play(clients, 9, "second")
    close(clients)


def tic_tac_toe_in_play(house: House) -> None:
    """A game that is found by its link only, seen by a program."""
    clients = house.begin("tic_tac_toe_in_play", "tic_tac_toe", ["ada", "bob"], public=False)
    play(clients, 3, "tic_tac_toe")
    close(clients)


def jieqi_resigned(house: House) -> None:
    """Jieqi that ended by resignation: all is revealed, and the draws can be verified."""
    clients = house.begin("jieqi_resigned", "jieqi", ["ada", "bob"])
    play(clients, 30, "resigned")
    clients[1].ask("resign")
    clients[0].ask("rematch")
    close(clients)


def liuzhou_agreed(house: House) -> None:
    """Liuzhou qi that ended by agreement."""
    clients = house.begin("liuzhou_agreed", "liuzhou", ["ada", "cy"])
    play(clients, 20, "agreed")
    clients[0].ask("offer_draw")
    catch_up(clients)
    clients[1].ask("answer_draw", accept=True)
    close(clients)


def rated(house: House) -> None:
    """Othello between accounts, rated, to the end."""
    clients = house.begin("rated", "othello", ["ada", "bob"], rated=True)
    play(clients, 200, "rated")
    close(clients)


def xiangqi_of_time(house: House) -> None:
    """Xiangqi that was lost on time."""
    clients = house.begin("xiangqi_of_time", "xiangqi", ["ada", "bob"], clock={"main_ms": 1_000})
    play(clients, 1, "time")
    clients[0].until(lambda: bool(clients[0].events("ended")))
    close(clients)


def waiting(house: House) -> None:
    """Xiangqi that has not begun; someone was put out of the room, another is the host now."""
    clients = house.meet("waiting", "xiangqi", ["bob", "ada"])
    guest = house.client("waiting", "cy")
    guest.ask("join", agent="a program")
    guest.ask("chat", text="hello")
    catch_up(clients)
    clients[0].ask("kick", person=house.notes["persons"]["cy"])
    clients[0].ask("leave")
    catch_up(clients[1:])
    clients[1].ask("set_ai", seat=0, level=3)
    close([*clients, guest])


def locked(house: House) -> None:
    """Jieqi behind a password, not begun; an AI has its seat."""
    close(house.meet("locked", "jieqi", ["cy"], [2], password=PASSWORD, ai_on_disconnect=True, ai_level=2))


def closed(house: House) -> None:
    """A room that was closed."""
    clients = house.meet("closed", "othello", ["cy"])
    clients[0].ask("close")
    close(clients)


def ai_to_move(house: House) -> None:
    """Othello in which the AI is to move."""
    clients = house.begin("ai_to_move", "othello", ["cy"], [1])
    clients[0].move(lambda moves: moves[0])
    close(clients)   # and the server is killed before the AI has moved


SCENES: tuple[Callable[[House], None], ...] = (
    # Rooms in play keep. Others are closed when everyone has been away for a minute, so they come last.
    xiangqi_offered_a_draw, xiangqi_against_the_ai, othello_taken_back, jieqi_with_secrets, checkers_of_three,
    checkers_of_six, liuzhou_in_play, second_game, tic_tac_toe_in_play, xiangqi_of_time, jieqi_resigned, liuzhou_agreed,
    rated, waiting, locked, closed, ai_to_move)
PLAYED_ON = ("xiangqi_offered_a_draw", "othello_taken_back", "jieqi_with_secrets", "checkers_of_three",
             "liuzhou_in_play", "second_game", "tic_tac_toe_in_play")
"""Rooms of people only, in play: they must go on in the same way move by move."""


# ---------------------------------------------------------------------- what can be seen

def stripped(value: Any, names: frozenset[str] = VOLATILE) -> Any:
    """A message without what depends on the time."""
    if isinstance(value, dict):
        return {name: stripped(one, names) for name, one in value.items() if name not in names}
    if isinstance(value, list):
        return [stripped(one, names) for one in value]
    return value


def look(house: House, scene: str, name: str) -> dict[str, Any]:
    """All that someone, or a spectator (no name), may know of a room."""
    client = house.client(scene, name)
    try:
        seats = len(client.state["seats"])
        seen = {
            "state": stripped(client.state),
            "history": stripped(client.ask("history")),
            "last_moves": [stripped(client.ask("check", seat=seat)) for seat in range(seats)],
            "turn": stripped(client.turn),
        }
    finally:
        client.close()
    try:
        seen["record"] = house.server.call("GET", f"/api/rooms/{house.rooms[scene]}/record",
                                           token=house.tokens.get(name, ""))
    except RefusedError as refusal:
        seen["record"] = str(refusal)
    return seen


def look_at_lists(house: House) -> dict[str, Any]:
    """What the lobby and the pages list."""
    call = house.server.call
    records = call("GET", "/api/records")
    return {
        "rooms": sorted(call("GET", "/api/rooms"), key=lambda room: str(room["room"])),
        "records": sorted(stripped(records), key=str),
        "texts": {f"{one['room']}/{one['number']}": call("GET", f"/api/records/{one['room']}/{one['number']}")
                  for one in records},
        "uploaded": stripped(call("GET", "/api/records?uploaded=1")),
        "ratings": call("GET", "/api/ratings?game=othello"),
    }


def look_at_results(house: House) -> dict[str, Any]:
    """What the pages show of journals, ladders, runs and lab reports, but for headings."""
    call = house.server.call
    return {one["path"]: {name: value for name, value in call("GET", f"/api/results/{one['path']}").items()
                          if name in ("kind", "text", "ratings", "curves")} | {
                "rows": [table["rows"] for table in call("GET", f"/api/results/{one['path']}")["tables"]]}
            for one in call("GET", "/api/results")}


# What is told of connections and of a busy machine, not of the game.
PASSING = ("away", "back", "paused", "stalled")


def go_on(house: House, scene: str, plies: int = 8) -> dict[str, list[Any]]:
    """Play on by a fixed rule: what each viewer is told of it."""
    people = house.seated[scene]
    clients = [house.client(scene, name) for name in people]
    spectator = house.client(scene)
    catch_up([*clients, spectator])
    for client in (*clients, spectator):
        client.heard.clear()
    generator = random.Random(scene)
    for _ in range(plies):
        if not play_one(clients, lambda moves: generator.choice(sorted(moves, key=lambda one: str(one["text"])))):
            break
    told = {}
    for name, client in zip([*people, ""], [*clients, spectator], strict=True):
        catch_up([client])
        told[name] = stripped([message for message in client.heard if message["type"] in ("event", "turn")
                               and message.get("body", {}).get("kind") not in PASSING])
        client.close()
    return told


def look_at_all(house: House) -> dict[str, Any]:
    """What everyone may know of every room, and what is listed."""
    seen: dict[str, dict[str, Any]] = {}
    for scene in house.rooms:
        if scene in ("closed", "ai_to_move"):
            continue   # nobody comes in; goes on by itself
        seen[scene] = {name: look(house, scene, name) for name in ("ada", "bob", "cy", "")}
    return {"seen": seen, "lists": look_at_lists(house), "results": look_at_results(house)}
