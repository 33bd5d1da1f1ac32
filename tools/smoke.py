"""Does an installed Boyi work? Run by the wheel builds, with nothing but the wheel and its dependencies."""

from __future__ import annotations

import json
import subprocess
import sys

import boyi


def main() -> None:
    games = boyi.all_games()
    assert "othello" in games, games
    for game in games.values():
        boyi.playout(game.start(), seed=1, most=200)
    assert boyi.perft(boyi.start("othello"), 6) == 8200
    command = [sys.executable, "-c", "from boyi.cli import main; main()", "perft", "othello", "6", "--json"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert json.loads(printed)["nodes"] == 8200
    print(f"{', '.join(sorted(games))}: ok")


if __name__ == "__main__":
    main()
