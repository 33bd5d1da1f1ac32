"""Help: every view leads to the players' guide that explains it, in the reader's language."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import Any

import pytest

from tests.page.conftest import Visit
from tests.page.test_state import ESBUILD, WEB
from tests.places import ROOT

GUIDES = ROOT / "docs" / "players"

PROGRAM = """
import { blocksOf, TOPICS } from "./src/lib/guides.ts";
import { readFileSync } from "node:fs";
const sources = JSON.parse(readFileSync(0, "utf8"));
const blocks = Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, blocksOf(source, "/base")]));
process.stdout.write(JSON.stringify({ topics: TOPICS, blocks }));
"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the page makes of the guides: the topics, and the blocks of each file."""
    node = shutil.which("node")
    if node is None or not ESBUILD.is_file():
        pytest.skip("node or the page's packages not found; make page")
    bundle = tmp_path_factory.mktemp("help") / "guides.mjs"
    subprocess.run([str(ESBUILD), "--bundle", "--format=esm", "--platform=node", f"--outfile={bundle}",
                    "--log-level=warning"], input=PROGRAM, text=True, cwd=WEB, check=True)
    sources = {file.name: file.read_text(encoding="utf-8") for file in GUIDES.glob("*.md")}
    answer = subprocess.run([node, str(bundle)], input=json.dumps(sources), capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)  # type: ignore[no-any-return]


def _spans(block: Any) -> list[dict[str, str]]:
    if isinstance(block, list):
        return [span for part in block for span in _spans(part)]
    if "text" in block:
        return [block]
    return [span for part in block.values() if isinstance(part, list) for span in _spans(part)]


def test_every_topic_is_in_both_languages(shown: dict[str, Any]) -> None:
    for name, topic in shown["topics"].items():
        for language, ending in (("en", ".md"), ("zh", ".zh.md")):
            blocks = shown["blocks"][topic["guide"] + ending]
            titles = ["".join(span["text"] for span in block["spans"]) for block in blocks
                      if block["kind"] == "heading"]
            assert blocks[0]["kind"] == "heading" and blocks[0]["level"] == 1
            assert "heading" not in topic or topic["heading"][language] in titles[1:], (name, language)


def test_guides_are_drawn_without_traces_of_markdown(shown: dict[str, Any]) -> None:
    assert len(shown["blocks"]) == 6
    for name, blocks in shown["blocks"].items():
        spans = _spans([block for block in blocks if block["kind"] != "picture"])
        assert not [span for span in spans if re.search(r"\]\(|\*\*|<!--|\.md", span["text"])
                    or (span["kind"] != "code" and re.search(r"(?:^|\s)!", span["text"]))], name
        links = {span["address"] for span in spans if span["kind"] == "link"}
        assert links <= {f"/base/help/{topic}" for topic in shown["topics"]}, name
        assert not any(span["text"] in ("English", "中文") and span["kind"] == "link" for span in spans), name
    assert {span["address"] for span in _spans(shown["blocks"]["play.zh.md"]) if span["kind"] == "link"} == {
        "/base/help/notation", "/base/help/analysis"}


def test_every_view_has_a_topic(shown: dict[str, Any]) -> None:
    source = (WEB / "src" / "lib" / "help.ts").read_text(encoding="utf-8")
    topics = dict(re.findall(r'(\w+): "(\w+)"', source))
    router = (WEB / "src" / "lib" / "router.svelte.ts").read_text(encoding="utf-8")
    views = re.findall(r'"(\w+)"', re.search(r"page: (.*);", router)[1])  # type: ignore[index]
    assert set(topics) == set(views) and set(topics.values()) <= shown["topics"].keys()


VIEWS = (("/", "How to play", None), ("/analysis/othello", "Reading the analysis", None),
         ("/puzzles", "Reading the analysis", "Puzzles"), ("/learn", "How to play", None),
         ("/results", "How to play", "Levels"), ("/games", "How to play", "My games, accounts and ratings"))


def test_every_view_leads_to_its_guide(visit: Visit) -> None:
    one = visit()
    for path, title, heading in VIEWS:
        one.page.goto(one.address + path)
        with one.page.expect_popup() as opened:
            one.page.get_by_role("link", name="Help").click()
        guide = opened.value
        guide.get_by_role("heading", name=title, level=1).wait_for()
        if heading:
            guide.wait_for_function("""heading => {
                const found = [...document.querySelectorAll("h2")].find(one => one.textContent.trim() === heading);
                return found && found.getBoundingClientRect().top < innerHeight; }""", arg=heading)
        assert guide.get_by_role("link", name="Help").count() == 0
        guide.close()


def test_help_is_in_the_readers_language(visit: Visit) -> None:
    one = visit(language="zh")
    one.page.goto(f"{one.address}/help/play")
    one.page.get_by_role("heading", name="怎么下棋", level=1).wait_for()
    one.page.get_by_role("link", name="记谱法").click()
    one.page.get_by_role("heading", name="记谱法", level=1).wait_for()
    assert one.page.url.endswith("/help/notation")
    one.page.get_by_role("button", name="English").click()
    one.page.get_by_role("heading", name="Notation", level=1).wait_for()
    one.page.goto(f"{one.address}/help/nothing")
    one.page.get_by_role("alert").wait_for()


def test_on_a_phone_help_is_in_the_settings(visit: Visit) -> None:
    one = visit(size=(360, 740), way="touch")
    one.page.goto(f"{one.address}/help/notation")
    one.page.wait_for_selector("article table")
    assert one.page.evaluate("document.documentElement.scrollWidth") <= 360
    one.page.goto(f"{one.address}/puzzles")
    assert not one.page.get_by_role("link", name="Help").is_visible()
    one.page.get_by_role("button", name="Settings").click()
    one.page.get_by_role("dialog").get_by_role("link", name="Help").wait_for()
