"""How fast games to learn from are played, beside peers that do the same.

    python -m benchmarks.selfplay [--peers PYTHON] [--rounds 3] [--only WORDS]

Othello, an MLP of two layers of 256 with random weights, 32 simulations per move: the same for all. PYTHON is the
interpreter of an environment that has the peers (`pip install pgx mctx jax open_spiel flax optax orbax-checkpoint`);
each runs in a process of its own. Rounds alternate between all of them, so that other load on the machine affects
all; the best round of each counts. Rates are simulations per second of CPU time, without the time to compile.
Then Liuzhou qi, and what of the time is the network's.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import boyi
from benchmarks.nets import write_mlp
from boyi.core.predictor import Predictor
from boyi.learn.training.lockstep import Tally, play
from boyi.learn.training.settings import SelfPlay
from boyi.nets import NetPredictor, open_net

SIMULATIONS = 32
HERE = Path(__file__).parent


def boyi_rate(name: str, predictor: Predictor, settings: SelfPlay, games: int) -> float:
    """Simulations per second of self-play in a number of games; towards the end few are left to batch."""
    start = boyi.start(name)
    tally = Tally()
    began = time.process_time()
    for played in play(start, predictor, settings, 0, games):
        tally = tally.add(played)
    return tally.simulations / (time.process_time() - began)


def peer_rate(python: str, *words: str) -> float:
    """The rate that a peer measures itself."""
    done = subprocess.run([python, *words], capture_output=True, text=True, check=True)
    said = json.loads(done.stdout.splitlines()[-1])
    return float(said["simulations"] / said["seconds"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--peers", help="the Python of an environment with the peers")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=[""], help="trials with one of these words in their titles")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        nets: dict[str, tuple[Predictor, Predictor]] = {}
        for name in ("othello", "liuzhou"):
            path = write_mlp(Path(folder) / f"{name}.onnx", boyi.start(name))
            game = boyi.find_game(name)
            nets[name] = open_net(path, game), NetPredictor(path, game)
    by_hand, runtime = nets["othello"]

    def othello(predictor: Predictor, at_once: int, **changes: object) -> Callable[[], float]:
        settings = SelfPlay(at_once=at_once, simulations=SIMULATIONS, **changes)  # type: ignore[arg-type]
        return lambda: boyi_rate("othello", predictor, settings, 3 * at_once if at_once < 256 else at_once)

    def liuzhou(predictor: Predictor) -> Callable[[], float]:
        settings = SelfPlay(at_once=32, simulations=SIMULATIONS, longest=150)
        return lambda: boyi_rate("liuzhou", predictor, settings, 64)

    trials: dict[str, Callable[[], float]] = {
        "boyi, puct, 32 games at once": othello(by_hand, 32),
        "boyi, gumbel, 32 games at once": othello(by_hand, 32, root="gumbel"),
        "boyi, puct, 256 games at once": othello(by_hand, 256),
        "boyi, puct, 256 games at once, ONNX Runtime": othello(runtime, 256),
        "boyi, puct, 32 games at once, no network": othello(Predictor(by_hand.encoder), 32),
    }
    if arguments.peers:
        mctx, spiel = str(HERE / "peers_mctx.py"), str(HERE / "peers_openspiel.py")
        trials["mctx + pgx, gumbel, batch 256"] = lambda: peer_rate(
            arguments.peers, mctx, "256", str(SIMULATIONS), "12")
        trials["OpenSpiel, Python AlphaZero, its own network"] = lambda: peer_rate(
            arguments.peers, spiel, "own", str(SIMULATIONS), "4")
        trials["OpenSpiel, Python AlphaZero, a NumPy network"] = lambda: peer_rate(
            arguments.peers, spiel, "numpy", str(SIMULATIONS), "100")
    trials["boyi, Liuzhou qi, 32 games at once"] = liuzhou(nets["liuzhou"][0])
    trials["boyi, Liuzhou qi, 32 games at once, no network"] = liuzhou(Predictor(nets["liuzhou"][0].encoder))
    trials = {title: trial for title, trial in trials.items() if any(word in title for word in arguments.only)}
    best = dict.fromkeys(trials, 0.0)
    for number in range(arguments.rounds):
        for title, trial in trials.items():
            rate = trial()
            best[title] = max(best[title], rate)
            print(f"round {number + 1}: {title}: {rate:,.0f}", flush=True)
    print()
    for title, rate in best.items():
        print(f"{title}: {rate:,.0f} simulations per second, {rate / SIMULATIONS:,.0f} positions")


if __name__ == "__main__":
    main()
