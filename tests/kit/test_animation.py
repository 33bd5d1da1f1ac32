"""A game as an SVG that plays itself, and a position as a card: what they show, and that both have an end."""

from __future__ import annotations

import random
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import boyi
from boyi.core.errors import UnknownNameError
from boyi.core.position import Position
from boyi.core.record import Record, write_records
from boyi.kit.picture import animation, card
from tests.cli import invoke, refused

SVG = "{http://www.w3.org/2000/svg}"
GAMES = [("xiangqi", {}), ("jieqi", {}), ("othello", {}), ("liuzhou", {}), ("chinese_checkers", {"players": 6}),
         ("tic_tac_toe", {})]


def play(game: str, moves: int, **options: object) -> Position:
    position, generator = boyi.find_game(game).start(**options), random.Random(3)
    for _ in range(moves):
        if position.outcome() is not None:
            break
        legal = position.moves() if position.turn >= 0 else [move for move, _ in position.odds()]
        position.play(generator.choice(legal))
    return position


def place(text: str) -> tuple[float, float]:
    found = re.fullmatch(r"translate\((-?[\d.]+) (-?[\d.]+)\)", text)
    assert found is not None, text
    return float(found[1]), float(found[2])


def standing(document: str) -> list[tuple[float, float]]:
    """Where stones are seen when nothing moves."""
    root = ElementTree.fromstring(document)
    return sorted(place(outer.get("transform", "")) for outer in root.findall(f"{SVG}g")
                  for inner in outer.findall(f"{SVG}g") if outer.get("transform") and inner.get("opacity") != "0"
                  and any(use.get("opacity") != "0" for use in inner.findall(f"{SVG}use")))


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_without_motion_it_shows_the_end(game: str, options: dict[str, object]) -> None:
    position = play(game, 120, **options)
    points = {point.name: (60.0 * point.x, 60.0 * point.y) for point in position.board.points}
    document = animation.draw(position)
    found = standing(document)
    wanted = sorted(points[stone.point] for stone in position.stones())
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert one == pytest.approx(other, abs=0.01)
    assert "@media (prefers-reduced-motion:reduce){*{animation:none!important}}" in document
    assert "<script" not in document and "http" not in document.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_every_stone_begins_where_the_game_does(game: str, options: dict[str, object]) -> None:
    """The first keyframe of what moves is where it stood at first, and what comes later is not seen yet."""
    position = play(game, 60, **options)
    start = position.game.start(**options)
    points = {point.name: (60.0 * point.x, 60.0 * point.y) for point in start.board.points}
    document = animation.draw(position)
    first = {name: (float(x), float(y)) for name, x, y in re.findall(
        r"@keyframes (m\d+)\{0%\{transform:translate\((-?[\d.]+)px,(-?[\d.]+)px\)", document)}
    late = set(re.findall(r"@keyframes (f\d+)\{0%\{opacity:0\}", document))
    root = ElementTree.fromstring(document)
    seen = []
    for outer in root.findall(f"{SVG}g"):
        inner = outer.find(f"{SVG}g")
        if inner is None or not outer.get("transform") or inner.get("class") in late:
            continue
        seen.append(first.get(outer.get("class", ""), place(outer.get("transform", ""))))
    wanted = sorted(points[stone.point] for stone in start.stones())
    assert len(seen) == len(wanted)
    for one, other in zip(sorted(seen), wanted, strict=True):
        assert one == pytest.approx(other, abs=0.01)


def test_keyframes_are_in_order_and_within_the_whole() -> None:
    document = animation.draw(play("chinese_checkers", 200, players=3))
    for frames in re.findall(r"@keyframes \w+\{(.*?)\}\.", document):
        percents = [float(one) for one in re.findall(r"([\d.]+)%\{", frames)]
        assert percents == sorted(percents) and percents[0] == 0 and percents[-1] <= 100


def test_a_long_game_has_an_end() -> None:
    """At most two minutes, some hundred kilobytes, and the last moves of it."""
    position = play("chinese_checkers", 900, players=6)
    document = animation.draw(position)
    seconds = max(float(one) for one in re.findall(r"animation:\w+ ([\d.]+)s", document))
    assert seconds <= animation.LONGEST_SECONDS + animation.FIRST_SECONDS + animation.LAST_SECONDS
    assert len(document) < 400_000
    assert len(standing(document)) == 60
    short = animation.draw(play("othello", 10))
    assert max(float(one) for one in re.findall(r"animation:\w+ ([\d.]+)s", short)) == pytest.approx(
        10 * animation.MOVE_SECONDS + animation.FIRST_SECONDS + animation.LAST_SECONDS)


def test_names_are_only_text() -> None:
    document = animation.draw(play("othello", 4), title='<script>alert("x")</script> & \x00 – Bob')
    root = ElementTree.fromstring(document)   # well-formed
    assert root.findtext(f"{SVG}title", "").startswith('<script>alert("x")</script> & \ufffd – Bob')
    assert "<script" not in document


def test_a_covered_piece_is_drawn_covered_until_it_is_turned() -> None:
    position = play("jieqi", 40)
    document = animation.draw(position)
    # Whoever was turned has two faces, and shows the back at first.
    turned = re.findall(r"@keyframes (t\d+)s\d+\{0%\{opacity:1\}", document)
    assert turned and len(turned) == len(set(turned))
    root = ElementTree.fromstring(document)
    covered = {code for code, glyph in position.board.glyphs.items() if glyph.style == "covered"}
    backs = sum(stone.glyph in covered for stone in position.stones())
    single = [inner for outer in root.findall(f"{SVG}g") for inner in outer.findall(f"{SVG}g")
              if outer.get("transform") and inner.get("opacity") != "0" and len(inner.findall(f"{SVG}use")) == 1]
    assert len(single) >= backs > 0


def test_no_game_and_wrong_words() -> None:
    assert len(standing(animation.draw(boyi.find_game("othello").start()))) == 4
    with pytest.raises(UnknownNameError):
        animation.draw(boyi.find_game("othello").start(), theme="velvet")


def test_from_the_command_line(tmp_path: Path) -> None:
    records = [Record.from_position(play("othello", 6), players=("Ada", "Grace")),
               Record.from_position(play("xiangqi", 4), players=("Bob", ""))]
    file, out = tmp_path / "games.boyi", tmp_path / "game.svg"
    file.write_text(write_records(records), encoding="utf-8")
    assert invoke("record", "animate", str(file), "-o", str(out)).code == 0
    assert out.read_text(encoding="utf-8") == animation.draw(records[0].replay(), title="Ada – Grace")
    told = invoke("record", "animate", str(file), "-o", str(out), "--record", "2", "--seat", "1", "--json").json
    assert told == {"file": str(out), "moves": 4} and "<title>Bob · Xiangqi" in out.read_text(encoding="utf-8")
    assert ".svg" in refused(["record", "animate", str(file), "-o", str(tmp_path / "game.gif")])
    assert "there is no record 3" in refused(["record", "animate", str(file), "-o", str(out), "--record", "3"])


@pytest.mark.parametrize("game", ["xiangqi", "othello"])
def test_a_card_has_the_size_that_links_are_shown_in(game: str) -> None:
    data = card.draw(play(game, 10))
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")) == (card.WIDTH, card.HEIGHT)
