"""Settings of a server: flags over environment over file, and nothing unknown."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from typer.main import get_command

from boyi.cli import build
from boyi.core.errors import OptionError, UnknownNameError
from boyi.server.config import Config, read_config
from tests.cli import invoke
from tests.places import ROOT


def test_flags_win_over_environment_over_file(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('port = 1\nengines = 2\nengine_seconds = 3\ndatabase = "sqlite:///x"\n', encoding="utf-8")
    config = read_config({"port": 5, "engines": None}, str(file), {"BOYI_SERVER_PORT": "4", "BOYI_SERVER_ENGINES": "3"})
    assert config == Config(port=5, engines=3, engine_seconds=3.0, database="sqlite:///x")
    assert read_config({}, None, {}) == Config()


@pytest.mark.parametrize(("text", "environment", "complaint"), [
    ("prot = 1", {}, "did you mean 'port'"),
    ("port = 70000", {}, "from 0 to 65535"),
    ("port = true", {}, "not a number"),
    ('port = "many"', {}, "not a number"),
    ("host = [1]", {}, "not a text"),
    ("= 1", {}, "cannot be read"),
    ("", {"BOYI_SERVER_PROT": "1"}, "did you mean 'port'"),
    ("", {"BOYI_SERVER_PORT": "x"}, "not a number"),
])
def test_what_means_nothing_is_refused(tmp_path: Path, text: str, environment: dict[str, str], complaint: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises((OptionError, UnknownNameError), match=complaint):
        read_config({}, str(file), environment)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="cannot be read"):
        read_config({}, str(tmp_path / "missing.toml"), {})


def test_every_setting_is_documented_and_nothing_else() -> None:
    """Name, default and flag, in the order of the dataclass."""
    page = (ROOT / "docs" / "server-settings.md").read_text(encoding="utf-8")
    table = page.split("## Settings\n", 1)[1].split("\n## ", 1)[0]
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines() if row.startswith("| `")]
    flags = {word for option in get_command(build()).commands["serve"].params  # type: ignore[attr-defined]
             for word in option.opts if option.name not in ("config", "as_json", "language")}
    assert [row[0] for row in rows] == [f"`{field.name}`" for field in fields(Config)]
    assert [row[1] for row in rows] == [f"`{field.default:g}`" if isinstance(field.default, int | float) else
                                        f"`{field.default}`" if field.default else "" for field in fields(Config)]
    assert {flag for row in rows for flag in re.findall(r"`(--[a-z-]+)`", row[2])} == flags
    for name, _, flag, meaning in rows:
        assert not flag or flag.startswith(f"`--{name.strip('`').replace('_', '-')}`"), name
        assert meaning, name


def test_the_doctor_tells_what_is_in_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BOYI_SERVER_PORT", "9123")
    monkeypatch.setenv("BOYI_SERVER_DATABASE", "postgresql://ada:secret@host/boyi")
    found = invoke("doctor", "--json")
    assert found.json["server"]["port"] == 9123 and "secret" not in found.out
    monkeypatch.setenv("BOYI_SERVER_PROT", "1")
    assert "port" in invoke("doctor", "--json").json["server"]["problem"]


def test_serve_refuses_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in (["--database", "nonsense"], ["--database", "sqlite:////no/such/folder/x.sqlite"],
                      ["--config", "missing.toml"], ["--host", "no.such.host.invalid", "--database", "sqlite:///x.sqlite"]):
        result = invoke("serve", *arguments)
        assert result.code == 2 and result.err.startswith("boyi: "), result
