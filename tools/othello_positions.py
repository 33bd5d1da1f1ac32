"""Make `tests/data/othello/positions.json`: positions of random games with the answers of two other programs.

    python -m tools.othello_positions

The positions are reached by OpenSpiel's rules, the legal moves are pyffish's (they must be
OpenSpiel's too), the position after a move and the final disc counts are OpenSpiel's. Boyi has no part in it.
"""

from __future__ import annotations

import json
import random
from typing import Any

from tests.data import FACTS
from tests.games.othello_oracles import PASS, open_spiel_game, open_spiel_text, pyffish_moves, pyffish_result

SEED = 20_240_601
GAMES = 250


def main() -> None:
    """Play the games and keep, of each, one position, every pass and the end."""
    rng = random.Random(SEED)
    game = open_spiel_game()
    vectors = []
    for _ in range(GAMES):
        state = game.new_initial_state()
        kept = rng.randrange(58)
        ply = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            action = rng.choice(actions)
            if ply == kept or actions == [64]:
                vectors.append(_vector(state, action))
            state.apply_action(action)
            ply += 1
        vectors.append(_end(state))
    path = FACTS / "othello" / "positions.json"
    path.write_text(json.dumps(vectors, indent=0) + "\n", encoding="utf-8")
    print(f"{len(vectors)} positions in {path.name}")


def _name(state: Any, action: int) -> str:
    return PASS if action == 64 else str(state.action_to_string(state.current_player(), action)).split()[0]


def _vector(state: Any, action: int) -> dict[str, Any]:
    text = open_spiel_text(state)
    moves = {_name(state, legal) for legal in state.legal_actions()}
    assert moves == pyffish_moves(text), text
    after = state.child(action)
    vector: dict[str, Any] = {"text": text, "moves": sorted(moves), "move": _name(state, action)}
    return vector | {"after": open_spiel_text(after).split()[0]}


def _end(state: Any) -> dict[str, Any]:
    text = open_spiel_text(state)
    assert pyffish_moves(text) <= {PASS}, text
    result = int(state.returns()[0])
    assert pyffish_result(text) == result, text
    return {"text": text, "moves": [], "result": result}


if __name__ == "__main__":
    main()
