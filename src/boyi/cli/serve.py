"""boyi serve: rooms for everyone on the network."""

from __future__ import annotations

from typing import Annotated

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import LanguageOption, read_language


def register(app: typer.Typer) -> None:
    app.command("serve")(command)


def command(
    host: Annotated[str | None, typer.Option(
        help="The address to listen on: 0.0.0.0 for the network (the default), 127.0.0.1 for this machine only.",
        )] = None,
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
    config: Annotated[str | None, typer.Option(
        metavar="FILE", help="Settings in TOML; boyi.toml, if there is one, by default.")] = None,
    language: LanguageOption = None,
) -> None:
    """Serve rooms until Ctrl-C: people and AI play each other, and nothing is lost."""
    from boyi.server.config import read_config
    from boyi.server.logs import set_up_logs
    from boyi.server.serve import serve
    from boyi.server.workers import serve_workers

    speech = read_language(language)
    settings = read_config({"host": host, "port": port, "database": database, "engines": engines, "cluster": cluster,
                            "results": results, "workers": workers, "log_format": log_format}, config)

    def started(address: str) -> None:
        print(texts.say(texts.SERVING, speech, address=address), flush=True)

    set_up_logs(settings.log_format)
    (serve if settings.workers == 1 else serve_workers)(settings, started)
