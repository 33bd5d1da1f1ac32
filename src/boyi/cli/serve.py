"""boyi serve: rooms on this machine, on the network, or behind a proxy."""

from __future__ import annotations

import signal
import sys
from typing import Annotated

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import LanguageOption, print_json_line, read_language
from boyi.cli._terminal import OutputClosedError
from boyi.core.errors import OptionError

EVERYWHERE = "0.0.0.0"
HERE = ("127.0.0.1", "::1", "localhost")
"""Addresses that nobody else can reach."""


def register(app: typer.Typer) -> None:
    app.command("serve")(command)


def command(
    host: Annotated[str | None, typer.Option(
        help="The address to listen on; 127.0.0.1, this machine only, by default.")] = None,
    lan: Annotated[bool, typer.Option(
        "--lan", help="Open it to everyone on the network, and show its address as a QR code.")] = False,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="The port; 0 for any that is free.")] = None,
    database: Annotated[str | None, typer.Option(
        metavar="URL", help="Where everything is kept: sqlite:///FILE or postgresql://USER@HOST/NAME.")] = None,
    engines: Annotated[int | None, typer.Option(min=0, max=1024, help="Worker processes for the AI.")] = None,
    cluster: Annotated[str | None, typer.Option(
        metavar="ADDRESS", help="Let the engines run on a Ray cluster, e.g. auto or 192.168.0.1:6379.")] = None,
    workers: Annotated[int | None, typer.Option(
        min=1, max=256, help="Server processes that share the address; more than one needs PostgreSQL.")] = None,
    log_format: Annotated[str | None, typer.Option(
        metavar="text|json", help="How logs are written to standard error.")] = None,
    results: Annotated[str | None, typer.Option(
        metavar="DIR", help="A folder of tournaments, lab reports and training runs that everyone may read.")] = None,
    public_address: Annotated[str | None, typer.Option(
        metavar="URL", help="Where people reach it by way of a proxy, e.g. https://example.org.")] = None,
    base_path: Annotated[str | None, typer.Option(
        metavar="PATH", help="What all its addresses begin with behind a proxy, e.g. /boyi.")] = None,
    trusted_proxies: Annotated[str | None, typer.Option(
        metavar="ADDRESSES", help="Proxies whose X-Forwarded headers are believed, e.g. 127.0.0.1.")] = None,
    hosts: Annotated[str | None, typer.Option(
        metavar="NAMES", help="More host names that it answers to; its own names and addresses it knows.")] = None,
    config: Annotated[str | None, typer.Option(
        metavar="FILE", help="Settings in TOML; boyi.toml, if there is one, by default.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the address as a line of JSON.")] = False,
    language: LanguageOption = None,
) -> None:
    """Serve rooms until Ctrl-C: people and AI play each other, and nothing is lost."""
    from boyi.server.config import read_config
    from boyi.server.logs import set_up_logs
    from boyi.server.serve import serve
    from boyi.server.workers import serve_workers

    speech = read_language(language)
    if lan and host is not None:
        raise OptionError("--lan listens on all addresses; give either --lan or --host")
    settings = read_config({
        "host": EVERYWHERE if lan else host, "port": port, "database": database, "engines": engines,
        "cluster": cluster, "results": results, "public_address": public_address, "base_path": base_path,
        "trusted_proxies": trusted_proxies, "hosts": hosts, "workers": workers, "log_format": log_format}, config)

    def announce(address: str) -> None:
        if as_json:
            print_json_line({"address": address})
            return
        print(texts.say(texts.SERVING, speech, address=address), flush=True)
        if settings.host not in HERE:
            print_code(address)
        elif not settings.public_address:
            print(texts.say(texts.ONLY_HERE, speech), flush=True)

    unheard = False

    def started(address: str) -> None:
        nonlocal unheard
        try:
            announce(address)
        except BrokenPipeError:
            unheard = True
            signal.raise_signal(signal.SIGINT)      # it ends as by Ctrl-C, with everything put away

    set_up_logs(settings.log_format)
    try:
        (serve if settings.workers == 1 else serve_workers)(settings, started)
    finally:
        if unheard:
            raise OutputClosedError("nobody reads the output any more")


def print_code(address: str) -> None:
    """An address as a QR code, for telephones; where nobody looks at a terminal there is none."""
    if is_terminal():
        import segno

        segno.make(address, micro=False).terminal(sys.stdout, compact=True, border=2)


def is_terminal() -> bool:
    return sys.stdout.isatty()
