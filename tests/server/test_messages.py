"""The protocol: documented as it is, read strictly."""

from __future__ import annotations

import json
from typing import get_args

import pytest

from boyi.server.protocol import documentation, messages, refusals
from tests.places import ROOT


def test_documentation_is_what_the_code_says() -> None:
    written = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    assert written == documentation.documentation(), "run: python -m boyi.server.protocol.documentation"


def test_schema_names_everything_on_the_wire() -> None:
    definitions = documentation.schema()["$defs"]
    for message in (*get_args(messages.FromClient), *get_args(messages.FromServer)):
        assert message.__name__ in definitions
    assert json.loads(json.dumps(definitions)) == definitions
    assert definitions["Move"]["additionalProperties"] is False


def test_every_verb_of_the_ancestor_has_its_place() -> None:
    """join, leave, close room, ready, start game, start turn (`turn`), move, end turn (`moved`), end game (`ended`),
    error (`nack`), check, display."""
    kinds = (*get_args(messages.FromClient), *get_args(messages.FromServer))
    tags = {str(message.__struct_config__.tag) for message in kinds}
    assert {"join", "leave", "close", "ready", "start", "turn", "move", "nack", "check", "display"} <= tags


@pytest.mark.parametrize("frame", [
    b"", b"{", b"[]", b"null", b"1", b'"move"', b"{}", b'{"type":"fly","id":1,"seen":0}',
    b'{"type":"move","id":1,"seen":0}',
    b'{"type":"move","id":"1","seen":0,"move":"a1"}', b'{"type":"move","id":0,"seen":0,"move":"a1"}',
    b'{"type":"move","id":1,"seen":-1,"move":"a1"}', b'{"type":"move","id":1,"seen":0,"move":""}',
    b'{"type":"move","id":1,"seen":0,"move":"a1","as":2}', b'{"type":"move","id":1e400,"seen":0,"move":"a1"}',
    b'{"type":"move","id":1,"seen":0,"move":"\xff"}', b"[" * 4000, b'{"type":"hand_over","id":1,"seen":0,"level":16}',
    b'{"type":"sit","id":1,"seen":0,"seat":true}', b'{"type":"chat","id":1,"seen":0,"text":"%s"}' % (b"x" * 301),
])
def test_anything_else_is_unreadable(frame: bytes) -> None:
    with pytest.raises(messages.UnreadableError):
        messages.decode_from_client(frame)


def test_refusals_are_said_in_both_languages() -> None:
    for code, words in refusals.REFUSALS.items():
        assert words.en and words.zh and words.en != words.zh, code
