"""The AI in rooms: engines that fail are replaced; analysis and hints."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from boyi.server.client import ServerError, call
from boyi.server.protocol.messages import (
    Hint,
    Move,
    OfferTakeback,
)
from tests.server.playing import leave, seated
from tests.server.serving import serving


@pytest.mark.parametrize("fault", ["hang", "crash", "nonsense", "illegal", "other"])
def test_misbehaving_engine_is_replaced_and_its_move_announced(fault: str, tmp_path: Path,
                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.server.serving import FIRST_MOVE
    monkeypatch.setattr("boyi.server.engines.pool.START_SECONDS", 0.3 if fault == "hang" else 300.0)

    async def run() -> None:
        async with serving(tmp_path, engine_command=[*FIRST_MOVE[:-1], fault], engine_seconds=0.2) as place:
            (client,) = await seated(place, "othello", {}, 1)
            await client.request(Move, move="f5")
            await client.until(lambda: len(client.state.game.plies) == 2)  # type: ignore[union-attr]
            assert client.state.game.plies[1].fallback  # type: ignore[union-attr]
            engines = place.server.rooms().engines
            assert engines.fallbacks == 1 and engines.replaced == (fault != "illegal")
            await client.request(OfferTakeback)
            await leave([client])
    asyncio.run(run())


def test_analysis_and_hints_by_real_engines(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, engine_command=[sys.executable, "-m", "boyi.server.engines.worker"]) as place:
            answer = await call(place.address, "POST", "/api/analysis", {
                "game": "tic_tac_toe", "start": "XX-/OO-/---", "lines": 2, "nodes": 5_000})
            best, second = answer["lines"]
            assert (best["moves"], best["paths"], best["wins_in"], best["odds"]) == (["c1"], [["c1"]], 1, 1.0)
            assert second["odds"] < 1
            (client,) = await seated(place, "othello", {}, 1)
            for _ in range(5):                                       # against the AI of level 1
                await client.until(lambda: client.turn is not None)
                hint = await client.request(Hint)
                assert hint.text in [move.text for move in client.turn.moves] and hint.path == [hint.text]  # type: ignore[union-attr]
                assert hint.moves[0] == hint.text and len(hint.moves) > 1 and hint.paths[0] == hint.path
                assert 0 < hint.odds < 1 and hint.written == []
                turn = client.turn
                await client.request(Move, move=hint.text)
                await client.until(lambda turn=turn: client.turn not in (turn, None))  # type: ignore[misc]
            assert not any(ply.fallback for ply in client.state.game.plies)  # type: ignore[union-attr]
            moves = [ply.text for ply in client.state.game.plies]  # type: ignore[union-attr]
            with pytest.raises(ServerError) as refusal:
                await call(place.address, "POST", "/api/analysis", {"game": "othello", "moves": moves})
            assert refusal.value.code == "playing"
            for asked, code in (({"game": "othello", "moves": ["a1"]}, "unreadable"), ({"game": "chess"}, "unreadable"),
                               ({"game": "othello", "start": "?"}, "unreadable"),
                               ({"game": "othello", "lines": 6}, "unreadable"),
                               ({"game": "tic_tac_toe", "start": "XXX/OO-/---"}, "game_over"),
                               ({"game": "othello", "options": {"self": 1}}, "unreadable")):
                with pytest.raises(ServerError) as refusal:
                    await call(place.address, "POST", "/api/analysis", asked)
                assert refusal.value.code == code, asked
            answer = await call(place.address, "POST", "/api/analysis", {"game": "othello", "moves": moves[:6]})
            assert len(answer["lines"]) == 1
            await leave([client])
    asyncio.run(run())


def test_a_hint_says_why_and_in_the_notation_of_the_reader(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, engine_command=[sys.executable, "-m", "boyi.server.engines.worker"]) as place:
            players = await seated(place, "xiangqi", {}, 2)
            for ply, move in enumerate(("a0a1", "a9a8", "a1d1", "a8d8")):   # a chariot is given away
                player = players[ply % 2]
                await player.until(lambda player=player: player.turn is not None)  # type: ignore[misc]
                await player.request(Move, move=move)
                await player.until(lambda player=player: player.turn is None)  # type: ignore[misc]
            await players[0].until(lambda: players[0].turn is not None)
            with pytest.raises(ServerError, match="notation"):
                await players[0].request(Hint, notation="klingon")
            with pytest.raises(ServerError) as refusal:
                await players[1].request(Hint)
            assert refusal.value.code == "not_your_turn"
            hint = await players[0].request(Hint, notation="chinese")
            assert (hint.text, hint.why.en) == ("d1d8", "takes the black chariot") and "六进七" in hint.written[0]
            await leave(players)
    asyncio.run(run())
