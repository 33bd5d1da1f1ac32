"""boyi admin: what the operator of a server does, while it runs."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
import typer

from boyi.cli import _texts as texts
from boyi.cli._common import JsonOption, LanguageOption, print_json, read_language
from boyi.cli._table import print_table
from boyi.core.words import Words

if TYPE_CHECKING:
    from boyi.server.administration import Administration

T = TypeVar("T")

DatabaseOption = Annotated[str | None, typer.Option(
    metavar="URL", help="The database; that of `boyi serve` in this folder if not given.")]
ConfigOption = Annotated[str | None, typer.Option(
    metavar="FILE", help="Settings in TOML; boyi.toml, if there is one, by default.")]
AccountOption = Annotated[str, typer.Option(metavar="NAME", help="The name of an account.")]
PersonOption = Annotated[str, typer.Option(metavar="ID", help="A person, by the id that reports and rooms have.")]
NetworkOption = Annotated[str, typer.Option(
    metavar="NETWORK", help="An address or a network, as 192.0.2.7 or 2001:db8::/48.")]
NameArgument = Annotated[str, typer.Argument(metavar="ACCOUNT", help="The name of an account.")]

BACKED_UP = Words("{path}: {rows} rows, as of {made}", "{path}：共 {rows} 行，时点 {made}")
RESTORED = Words("restored {rows} rows, as of {made}", "已恢复 {rows} 行，时点 {made}")
BANNED = Words("banned: {target}", "已封禁：{target}")
UNBANNED = Words("no longer banned: {target}", "已解封：{target}")
PASSWORD_RESET = Words("the new password of {name}: {password}", "{name} 的新密码：{password}")
DELETED = Words("deleted: {name}", "已删除账号：{name}")
CLOSED = Words("closed: {room}", "已关闭房间：{room}")
TO_BE_CLOSED = Words("no server has closed {room} yet; the next one that starts will",
                     "尚无服务器关闭 {room}；下一个启动的服务器会关闭它")
FOR_GOOD = Words("for good", "永久")
REPORT_HEADERS = (Words("report", "编号"), Words("when", "时间"), Words("room", "房间"), Words("person", "用户"),
                  Words("name", "名字"), Words("why", "类型"), Words("text", "说明"))
BAN_HEADERS = (Words("who", "对象"), Words("name", "名字"), Words("until", "截止"), Words("reason", "原因"))

CLOSING_SECONDS = 5.0
"""How long `close-room` waits for a server to do it."""


def register(app: typer.Typer) -> None:
    admin = typer.Typer(no_args_is_help=True, help="Run a server's database: back-ups, bans, rooms, accounts.")
    admin.command("backup")(backup)
    admin.command("restore")(restore)
    admin.command("stats")(stats)
    admin.command("ban")(ban)
    admin.command("unban")(unban)
    admin.command("bans")(bans)
    admin.command("reports")(reports)
    admin.command("close-room")(close_room)
    admin.command("delete-account")(delete_account)
    admin.command("reset-password")(reset_password)
    app.add_typer(admin, name="admin")


def backup(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.")],
    database: DatabaseOption = None, config: ConfigOption = None,
    as_json: JsonOption = False, language: LanguageOption = None,
) -> None:
    """Write everything to a file, while servers run."""
    async def work(admin: Administration) -> Any:
        return admin.back_up(path)

    contents = _run(work, database, config)
    _tell(as_json, msgspec.to_builtins(contents), BACKED_UP, language, path=path, rows=sum(contents.rows.values()),
          made=contents.made)


def restore(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="What `boyi admin backup` wrote.")],
    database: DatabaseOption = None, config: ConfigOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace everything that is in the database.")] = False,
    as_json: JsonOption = False, language: LanguageOption = None,
) -> None:
    """Put a back-up into an empty database, of either kind; stop its servers first."""
    async def work(admin: Administration) -> Any:
        return admin.restore(path, force=force)

    contents = _run(work, database, config)
    _tell(as_json, msgspec.to_builtins(contents), RESTORED, language, rows=sum(contents.rows.values()),
          made=contents.made)


def stats(database: DatabaseOption = None, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """How much there is."""
    async def work(admin: Administration) -> Any:
        return await admin.stats()

    found = asdict(_run(work, database, config))
    if as_json:
        print_json(found)
        return
    flat = {**{f"rooms {phase}": count for phase, count in found.pop("rooms").items()}, **found}
    for name, value in flat.items():
        print(f"{name:16} {value}")


def ban(
    account: AccountOption = "", person: PersonOption = "", network: NetworkOption = "",
    hours: Annotated[float | None, typer.Option(min=0.01, help="For so long; for good if not given.")] = None,
    reason: Annotated[str, typer.Option(help="Told to those who are banned.")] = "",
    database: DatabaseOption = None, config: ConfigOption = None,
    as_json: JsonOption = False, language: LanguageOption = None,
) -> None:
    """Shut a person or a network out; connections that are open are closed."""
    async def work(admin: Administration) -> Any:
        return await admin.ban(account=account, person=person, network=network, reason=reason, hours=hours)

    made = _run(work, database, config)
    _tell(as_json, asdict(made), BANNED, language, target=made.target)


def unban(
    account: AccountOption = "", person: PersonOption = "", network: NetworkOption = "",
    database: DatabaseOption = None, config: ConfigOption = None,
    as_json: JsonOption = False, language: LanguageOption = None,
) -> None:
    """Lift a ban."""
    async def work(admin: Administration) -> Any:
        return await admin.unban(account=account, person=person, network=network)

    target = _run(work, database, config)
    _tell(as_json, {"target": target}, UNBANNED, language, target=target)


def bans(database: DatabaseOption = None, config: ConfigOption = None, as_json: JsonOption = False,
         language: LanguageOption = None) -> None:
    """List the bans in force."""
    async def work(admin: Administration) -> Any:
        return await admin.bans()

    found = _run(work, database, config)
    if as_json:
        print_json([asdict(one) for one in found])
        return
    speech = read_language(language)
    print_table([header.say(speech) for header in BAN_HEADERS], [
        [one.target, one.name, FOR_GOOD.say(speech) if one.until is None else _when(one.until), one.reason]
        for one in found])


def reports(
    settle: Annotated[str, typer.Option(metavar="ID", help="This report was seen to: it is not listed any more.")] = "",
    settled: Annotated[bool, typer.Option("--settled", help="List those that were seen to.")] = False,
    database: DatabaseOption = None, config: ConfigOption = None,
    as_json: JsonOption = False, language: LanguageOption = None,
) -> None:
    """List what people reported of others, the latest first."""
    async def work(admin: Administration) -> Any:
        if settle:
            await admin.settle(settle)
        return await admin.reports(settled=settled)

    found = _run(work, database, config)
    if as_json:
        print_json([asdict(one) for one in found])
        return
    speech = read_language(language)
    print_table([header.say(speech) for header in REPORT_HEADERS], [
        [one.id, _when(one.created), one.room, one.person, one.name, one.why, one.text] for one in found])


def close_room(
    room: Annotated[str, typer.Argument(metavar="ROOM", help="Its name: the last part of its address.")],
    database: DatabaseOption = None, config: ConfigOption = None,
    as_json: JsonOption = False, language: LanguageOption = None,
) -> None:
    """Close a room; a game that is being played there ends without a result."""
    async def work(admin: Administration) -> Any:
        await admin.close_room(room)
        return await admin.is_closed(room, within_seconds=CLOSING_SECONDS)

    closed = _run(work, database, config)
    _tell(as_json, {"room": room, "closed": closed}, CLOSED if closed else TO_BE_CLOSED, language, room=room)


def delete_account(name: NameArgument, database: DatabaseOption = None, config: ConfigOption = None,
                   as_json: JsonOption = False, language: LanguageOption = None) -> None:
    """Delete an account; its sessions end, its games stay under another name."""
    async def work(admin: Administration) -> Any:
        await admin.delete_account(name)

    _run(work, database, config)
    _tell(as_json, {"name": name}, DELETED, language, name=name)


def reset_password(name: NameArgument, database: DatabaseOption = None, config: ConfigOption = None,
                   as_json: JsonOption = False, language: LanguageOption = None) -> None:
    """Give an account a new password, which is printed; its sessions end."""
    async def work(admin: Administration) -> Any:
        return await admin.reset_password(name)

    password = _run(work, database, config)
    _tell(as_json, {"name": name, "password": password}, PASSWORD_RESET, language, name=name, password=password)


def _run(work: Callable[[Administration], Awaitable[T]], database: str | None, config: str | None) -> T:
    from boyi.server.administration import administration
    from boyi.server.config import read_config

    settings = read_config({"database": database}, config)

    async def run() -> T:
        async with administration(settings.database) as admin:
            return await work(admin)

    return asyncio.run(run())


def _tell(as_json: bool, facts: Any, words: Words, language: str | None, **values: object) -> None:
    if as_json:
        print_json(facts)
    else:
        print(texts.say(words, read_language(language), **values))


def _when(milliseconds: int) -> str:
    return f"{datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.UTC):%Y-%m-%d %H:%M} UTC"
