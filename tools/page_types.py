"""TypeScript types of everything that goes over the wire, for the page: `python -m tools.page_types` writes them.

They come from the same msgspec Structs and dataclasses that the server reads and writes with. In what a client sends,
fields with a default may be left out; the server writes them all, except what is None in a record of the rules, and the
defaults of Structs that are told to omit them.
"""

from __future__ import annotations

import typing
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from boyi.server import boards, catalogue, notation, people_scores, results, reviews, teaching
from boyi.server.protocol import bodies, live, messages, own_games, puzzles, study

TARGET = Path(__file__).parent.parent / "web" / "src" / "protocol.ts"

_HEAD = """\
// Written by `python -m tools.page_types` from the server's message types; a test compares. Do not edit.

"""

SENT = (*typing.get_args(messages.FromClient), *typing.get_args(live.ToAnalysis), bodies.NewSession,
        bodies.Credentials, bodies.PasswordChange, bodies.Deletion, bodies.NewReport, bodies.NewRoom,
        bodies.SeekOpponent, study.AskAnalysis, study.AskExplorer, study.AskPosition, study.AskRecord,
        own_games.AskMyGames, own_games.AskMyFile, notation.AskNotation, puzzles.PuzzleProgress, puzzles.PuzzleAttempt,
        reviews.AskReview)
RECEIVED = (*typing.get_args(messages.FromServer), *typing.get_args(live.FromAnalysis), bodies.Session, bodies.Who,
            bodies.SessionInfo, bodies.OwnData, bodies.RoomSummary, bodies.OwnRoom, bodies.LiveGame,
            bodies.FoundOpponent, bodies.SoughtGame, bodies.FinishedSummary, own_games.RatingRow,
            own_games.FinishedInfo, own_games.MyGames, own_games.Profile,
            study.Analysis, study.ShownPosition, study.ExploredPosition, study.OwnGames, bodies.ReadRecord,
            bodies.ImportedGames,
            catalogue.GameInfo, boards.BoardInfo,
            teaching.PictureInfo, teaching.IntroductionInfo, results.ResultSummary, results.ResultInfo,
            people_scores.PeopleScore,
            puzzles.PuzzleGame, puzzles.ShownPuzzle, puzzles.PuzzleAnswer, puzzles.PuzzleHint, puzzles.PuzzleSolution,
            puzzles.KeptPuzzle,
            reviews.ShownReview)


def written() -> str:
    """The whole module."""
    found: dict[str, str] = {}
    for kind in RECEIVED:
        _write(inspect.type_info(kind), found, sent=False)
    for kind in SENT:
        _write(inspect.type_info(kind), found, sent=True)
    unions = {"FromClient": messages.FromClient, "FromServer": messages.FromServer,
              "ToAnalysis": live.ToAnalysis, "FromAnalysis": live.FromAnalysis}
    parts = [found[name] for name in sorted(found)]
    parts += [f"export type {name} =\n" + "\n".join(f"  | {one.__name__}" for one in typing.get_args(union)) + ";\n"
              for name, union in unions.items()]
    parts.append(f"export const PROTOCOL = {messages.PROTOCOL};\n")
    return _HEAD + "\n".join(parts)


def _write(info: Any, found: dict[str, str], *, sent: bool) -> None:
    """Note a Struct or a dataclass and all that it is made of."""
    if not isinstance(info, inspect.StructType | inspect.DataclassType) or info.cls.__name__ in found:
        return
    name = info.cls.__name__
    found[name] = ""
    lines = [f"/** {(info.cls.__doc__ or '').strip().splitlines()[0]} */", f"export interface {name} {{"]
    if isinstance(info, inspect.StructType) and info.tag_field is not None:
        lines.append(f'  {info.tag_field}: "{info.tag}";')
    for field in info.fields:
        may_miss = (sent or (isinstance(info, inspect.DataclassType) and field.default is None)
                    or (isinstance(info, inspect.StructType) and info.cls.__struct_config__.omit_defaults))
        mark = "?" if may_miss and not field.required else ""
        lines.append(f"  {field.encode_name}{mark}: {_type(field.type, found, sent=sent)};")
    found[name] = "\n".join([*lines, "}", ""])


def _type(info: Any, found: dict[str, str], *, sent: bool) -> str:
    def of(inner: Any) -> str:
        return _type(inner, found, sent=sent)

    match info:
        case inspect.StructType() | inspect.DataclassType():
            _write(info, found, sent=sent)
            return str(info.cls.__name__)
        case inspect.Metadata():
            return of(info.type)
        case inspect.UnionType():
            return " | ".join(dict.fromkeys(of(one) for one in info.types))
        case inspect.LiteralType():
            return " | ".join(msgspec.json.encode(value).decode() for value in info.values)
        case inspect.ListType() | inspect.VarTupleType():
            inner = of(info.item_type)
            return f"({inner})[]" if " " in inner else f"{inner}[]"
        case inspect.TupleType():
            return f"[{', '.join(of(one) for one in info.item_types)}]"
        case inspect.DictType():
            return f"Record<{of(info.key_type)}, {of(info.value_type)}>"
        case inspect.StrType():
            return "string"
        case inspect.IntType() | inspect.FloatType():
            return "number"
        case inspect.BoolType():
            return "boolean"
        case inspect.NoneType():
            return "null"
    raise TypeError(f"no TypeScript for {info}")


if __name__ == "__main__":
    TARGET.write_text(written(), encoding="utf-8")
