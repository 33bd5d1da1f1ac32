"""Never a traceback: what is wrong is said in words, with exit code 2."""

from __future__ import annotations

import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli import invoke, refused
from tests.scale import scaled, some_of

REFUSED = [
    (["nonsense"], "No such command"),
    (["--nonsense"], "No such option"),
    (["perft"], "GAME"),
    (["perft", "othello"], "DEPTH"),
    (["perft", "othello", "x"], "DEPTH"),
    (["perft", "othello", "65"], "64"),
    (["perft", "othello", "-1"], "-1"),
    (["perft", "othello", "9" * 100], "64"),
    (["perft", "othello", "9" * 10_000], ""),
    (["perft", "othello", "1.5"], "DEPTH"),
    (["perft", "otello", "1"], "did you mean 'othello'?"),
    (["perft", "", "1"], "There are: "),
    (["perft", "othello/../x", "1"], "There are: "),
    (["perft", "othello", "1", "--option", "x"], "NAME=VALUE"),
    (["perft", "othello", "1", "--option", "=x"], "NAME=VALUE"),
    (["perft", "othello", "1", "--option", "x=1"], "othello"),
    (["perft", "liuzhou", "1", "--option", "threshold=1", "--option", "threshold=1"], "twice"),
    (["perft", "liuzhou", "1", "--option", "threshold=x"], "1 to 4"),
    (["perft", "liuzhou", "1", "--rules", "x"], "document, reference"),
    (["perft", "othello", "1", "--fen", ""], "64"),
    (["perft", "othello", "1", "--fen", "X" * 100_000], "64"),
    (["perft", "othello", "1", "--fen", "٣" * 64 + " X"], "64"),
    (["perft", "othello", "3", "--symmetric"], "give --distinct as well"),
    (["perft", "othello", "3", "--memory", "64"], "--memory is about distinct positions"),
    (["perft", "othello", "3", "--distinct", "--divide"], "do not go together"),
    (["perft", "othello", "3", "--distinct", "--memory", "0"], "--memory"),
    (["perft", "tic_tac_toe", "3", "--distinct", "--symmetric"], "tic_tac_toe knows no images of this position"),
    (["perft", "chinese_checkers", "1", "--distinct", "--symmetric", "--option", "players=3"], "no symmetry classes"),
    (["judge", "othello", "--moves", "f5 f5"], "move 2"),
    (["judge", "othello", "--moves", "xyzzy"], "move 1"),
    (["judge", "othello", "--moves", "x" * 100_000], "move 1"),
    (["judge", "othello", "--moves", "\ud800"], "move 1"),
    (["judge", "othello", "--language", "fr"], "zh, en"),
    (["games", "extra"], "extra"),
    (["bench", "otello"], "did you mean"),
    (["doctor", "--language", ""], "zh, en"),
    (["play", "otello"], "did you mean"),
    (["play", "othello", "--seats", "human"], "2 seats"),
    (["play", "othello", "--seats", "human,human,human"], "2 seats"),
    (["play", "othello", "--seats", "human,"], "between two commas"),
    (["play", "othello", "--seats", ""], "between two commas"),
    (["play", "othello", "--seats", "human,alphabta"], "did you mean 'alphabeta'?"),
    (["play", "othello", "--seats", "human,random:speed=1"], "did you mean 'seed'?"),
    (["play", "othello", "--seats", "human,random:seed=-1"], "a whole number from 0"),
    (["play", "othello", "--seats", "human,random:seed=1,seed=1"], "twice"),
    (["play", "othello", "--seats", "human:x=1,random"], "no parameters"),
    (["play", "othello", "--seed", "-1"], "--seed"),
    (["play", "othello", "--notation", "wxf"], "wxf"),
    (["play", "othello", "--pieces", "emoji"], "characters, letters"),
    (["play", "--fen", "x"], "--fen needs a GAME"),
    (["play", "--level", "3"], "--level needs a GAME"),
    (["play", "othello", "--level", "0"], "--level"),
    (["play", "othello", "--level", "16"], "--level"),
    (["play", "othello", "--level", "3", "--seats", "human,human"], "say one of them"),
    (["play", "othello", "--seats", "human,level"], "as in level:5"),
    (["play", "othello", "--seats", "human,level:16"], "from 1 to 15"),
    (["levels", "show", "nonsense"], "nonsense"),
    (["levels", "show", "othello", "--players", "3"], "players"),
    (["levels", "fit", "othello", "--games", "-1"], "--games"),
    (["play", "othello", "--seats", "human,alphabeta:evaluator=x"], "no evaluator of othello"),
    (["play", "othello", "--seats", "human,alphabeta:null_moves=off"], "did you mean 'null_move'?"),
    (["play", "othello", "--seats", "human,uci:x"], "play xiangqi, jieqi here"),
    (["othello-client", "127.0.0.1", "0", "Ada"], "PORT"),
    (["othello-client", "127.0.0.1", "1", "Ada"], "there is no server at 127.0.0.1:1"),
    (["othello-client", "no such host", "1", "Ada"], "there is no server at no such host:1"),
    (["othello-client", "127.0.0.1", "1", "Ada", "--agent", "alphabta"], "did you mean 'alphabeta'?"),
    (["othello-client", "127.0.0.1", "1", "Ada", "--agent", "uci:python3"], "not othello"),
    (["othello-server", "--host", "192.0.2.1"], "cannot listen at 192.0.2.1"),
    (["othello-server", "--agent", "uci:python3"], "not othello"),
    (["othello-server", "--games", "0"], "--games"),
    (["match"], "GAME"),
    (["match", "othello"], "AGENT"),
    (["match", "otello", "random", "random"], "did you mean"),
    (["match", "othello", "random"], "two agents"),
    (["match", "othello", "random", "random", "random"], "two agents"),
    (["match", "othello", "random", "rndom"], "did you mean 'random'?"),
    (["match", "othello", "random", "human"], "human"),
    (["match", "othello", "random", "random", "--games", "0"], "--games"),
    (["match", "othello", "random", "random", "--jobs", "0"], "--jobs"),
    (["match", "othello", "random", "random", "--random-plies", "1000"], "begin with fewer"),
    (["match", "othello", "random", "random", "--openings", "no/such/file"], "cannot read"),
    (["match", "othello", "random", "random", "--openings", "."], "cannot read"),
    (["match", "othello", "random", "random", "--openings", "x", "--random-plies", "2"], "without --openings"),
    (["match", "othello", "random", "random", "--records", "no/such/file"], "cannot write"),
    (["match", "othello", "random", "random", "--timeout", "0"], "--timeout"),
    (["match", "othello", "random", "random", "--moves", "e6 f4 e3 f6 g5 d6 e7 f5 c5"], "over"),
    (["match", "xiangqi", "random", "uci:no-such-engine"], "/usr/games"),
    (["match", "xiangqi", "random", "xboard:cat,seconds=0.5"], "whole seconds"),
    (["match", "othello", "random", "\ud800"], "There are: "),
    (["match", "othello", "random", "random", "--sprt", "elo0=0"], "elo1 missing"),
    (["match", "othello", "random", "random", "--sprt", "5"], "NAME=VALUE"),
    (["match", "chinese_checkers", "random", "random", "--option", "players=3", "--sprt", "elo0=0,elo1=5"],
     "two players"),
    (["tournament"], "GAME"),
    (["tournament", "othello"], "AGENT"),
    (["tournament", "othello", "random"], "two agents or more"),
    (["tournament", "othello", "random", "random"], "each agent once"),
    (["tournament", "othello", "random", "rndom"], "did you mean 'random'?"),
    (["tournament", "othello", "random", "human"], "human"),
    (["tournament", "othello", "random", "level:1", "--anchor", "level:2"], "did you mean 'level:1'?"),
    (["tournament", "othello", "random", "level:1", "--report", "page.pdf"], ".html, .svg or .png"),
    (["tournament", "othello", "random", "level:1", "--rounds", "0"], "--rounds"),
    (["tournament", "othello", "random", "level:1", "--swiss", "0"], "--swiss"),
    (["tournament", "othello", "random", "level:1", "--swiss", "2", "--everybody"], "do not go together"),
    (["tournament", "othello", "random", "level:1", "--simulations", "2"], "is for --nets"),
    (["tournament", "othello", "random", "--nets", "no/such/*.onnx"], "there is no such file"),
    (["match", "othello", "random", "mcts:net=no/such.onnx"], "there is no model"),
    (["tournament", "othello", "random", "level:1", "--journal", "no/such/file"], "cannot write"),
    (["tournament", "othello", "random", "level:1", "--journal", "."], "cannot read"),
    (["tournament", "othello", "random", "level:1", "--openings", "x", "--random-plies", "2"], "without --openings"),
    (["tournament", "othello", "random", "level:1", "--random-plies", "1000"], "begin with fewer"),
    (["analyse"], "GAME|FEN"),
    (["analyse", "otello"], "neither a game nor a position"),
    (["analyse", "otello", "--fen", "x"], "did you mean 'othello'?"),
    (["analyse", "x" * 100_000], "neither a game nor a position"),
    (["analyse", "othello", "--fen", "x"], "64"),
    (["analyse", "othello", "--seconds", "0"], "--seconds"),
    (["analyse", "othello", "--seconds", "nan"], "seconds"),
    (["analyse", "othello", "--nodes", "0"], "--nodes"),
    (["analyse", "othello", "--depth", "0"], "--depth"),
    (["analyse", "othello", "--lines", "0"], "--lines"),
    (["analyse", "othello", "--search", "random"], "no search"),
    (["analyse", "othello", "--search", "alphabta"], "did you mean 'alphabeta'?"),
    (["analyse", "othello", "--moves", "e6 f4 e3 f6 g5 d6 e7 f5 c5"], "the game is over"),
    (["play", "--seats", "human,human"], "--seats needs a GAME"),
]


@pytest.mark.parametrize(("arguments", "words"), REFUSED, ids=lambda value: repr(value)[:60])
def test_refused_in_words(arguments: list[str], words: str) -> None:
    message = refused(arguments)
    assert words in message
    assert len(message) < 2_000


# ---------------------------------------------------------------------- fuzz

@pytest.fixture(autouse=True)
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Some commands write files; here they may."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("fuzz"))
        yield


def is_big(text: str) -> bool:
    """Would this be an honest wish for a very long count?"""
    try:
        return abs(int(text)) > 3
    except ValueError:
        return False


# No slash: nothing outside the directory of the test is written to.
nonsense = st.text(max_size=12).filter(lambda text: not is_big(text) and "/" not in text and "\\" not in text)
words = st.sampled_from([
    "othello", "xiangqi", "liuzhou", "chinese_checkers", "tic_tac_toe", "jieqi", "0", "1", "2", "3", "-1", "65", "",
    "-", "--", "--json", "--fen", "--moves", "--option", "--rules", "--language", "--divide", "--seats", "--seed",
    "--ascii", "--hints", "--notation", "--pieces", "zh", "en", "players=3", "players=9", "rules=axf", "rules=x",
    "human,random", "random,random", "human", "random:seed=1,human", "f5 d6 c3", "h2e2", "chinese", "letters",
    "4k4/9/9/9/9/9/9/R8/9/3K5 w - - 0 1", "--help", "-h", "--version",
]) | nonsense
# `bench` takes its time, `new` and `record` have their own tests.
commands = st.sampled_from(["games", "perft", "judge", "play", "doctor", "show", "nonsense", ""]) | nonsense


@settings(max_examples=scaled(3_000, 20), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(words, max_size=7), commands, st.text(alphabet=string.printable, max_size=60))
def test_any_command_line_ends_in_words(arguments: list[str], command: str, stdin: str) -> None:
    result = invoke(command, *arguments, stdin=stdin)
    assert result.code in (0, 1, 2)
    assert "Traceback" not in result.err
    if result.code == 2:
        assert result.err.strip()


lines = st.sampled_from([
    "help", "hint", "board", "flip", "undo", "resign", "quit", "save", "save x", "?", "帮助", "悔棋", "认输", "", " ",
    "pass", "clear", "f5", "d3", "c4", "e6", "d6", "h2e2", "b0c2", "炮二平五", "n1-m5", "!a1", "xa1", "a1-a2", "\x00",
]) | st.text(max_size=20).map(lambda text: text.replace("/", "").replace("\\", ""))


@settings(max_examples=scaled(1_500, 20), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(["othello", "xiangqi", "liuzhou", "chinese_checkers", "tic_tac_toe"]),
       st.lists(lines, max_size=12), st.booleans(), st.sampled_from(["en", "zh"]))
def test_any_conversation_ends_politely(game: str, said: list[str], together: bool, language: str) -> None:
    result = invoke("play", game, "--seats", "human,human" if together else "human,random", "--seed", "1", "--json",
                    stdin="\n".join(said), language=language)
    assert result.code == 0
    assert result.json["ending"] in ("over", "quit", "end of input")


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    import subprocess
    import sys
    done = subprocess.run([sys.executable, "-m", "boyi", "play", "othello"], input=b"\xff\xfe\nf5\n\x80\n",
                          capture_output=True, check=False)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", some_of([["play", "xiangqi"], ["games"], ["judge", "othello"], ["doctor"]], 4))
def test_output_that_cannot_carry_chinese(arguments: list[str]) -> None:
    import os
    import subprocess
    import sys
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "BOYI_LANGUAGE": "zh"}
    done = subprocess.run([sys.executable, "-m", "boyi", *arguments], input=b"", capture_output=True, check=False,
                          env=environment)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert done.stdout.isascii()
