"""Games that are kept as they end, and go on after any interruption: the journal, its seed, the command that continues.

A match is a tournament of one meeting (`arena.tournament`), so both are played, kept and continued in the same way.
"""

from __future__ import annotations

import hashlib
import json
import random
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boyi.cli import _texts as texts
from boyi.core.errors import BoyiError, shorten
from boyi.core.words import Language, Words

if TYPE_CHECKING:
    from boyi.arena.bout import Bout
    from boyi.arena.tournament import Tournament
    from boyi.arena.tournament_journal import Journal
    from boyi.cli._conditions import Workers

KEPT = Words("games are kept in {path}; whatever happens, this continues: {command}",
             "对局存于 {path}；如遇中断，可用此命令继续：{command}")
CONTINUED = Words("{games} games are there already", "其中已有 {games} 局")


def default_journal(what: str, tournament: Tournament, seed: int | None) -> Path:
    """A name that is the same for the same command, also for one that only plays longer."""
    from boyi.arena.tournament_journal import LENGTHS

    return name_journal(what, {name: value for name, value in tournament.settings().items()
                               if name not in LENGTHS or tournament.swiss is not None}, seed)


def name_journal(what: str, settings: Mapping[str, Any], seed: int | None) -> Path:
    """A name that is the same for the same settings and the same `--seed`, or none, also after values were renamed."""
    from boyi.agents.spelling import spell_as_before

    spelled = {name: spell_as_before(value) if isinstance(value, str) else value for name, value in settings.items()}
    digest = hashlib.sha256(json.dumps({**spelled, "seed": seed}, sort_keys=True).encode()).hexdigest()
    return Path(f"{what}-{settings['game']}-{digest[:8]}.jsonl")


def choose_seed(seed: int | None, kept: Callable[[], int | None]) -> int:
    """The seed that was given, else that of the journal, else a new one."""
    if seed is None:
        seed = kept()
    return random.SystemRandom().randrange(10**9) if seed is None else seed


def find_journal(what: str, tournament: Tournament, journal: Path | None,
                 seed: int | None) -> tuple[Path, Tournament]:
    """Where games are kept, and the tournament with its seed: the one given, that of the journal, or a new one."""
    from boyi.arena.journal import read_seed
    from boyi.arena.tournament_journal import KIND

    path = default_journal(what, tournament, seed) if journal is None else journal
    return path, replace(tournament, seed=choose_seed(seed, lambda: read_seed(path, KIND)))


def command_line(what: str, game: str, agents: Sequence[str], options: dict[str, Any]) -> str:
    """The command that continues, ready for a shell."""
    words = ["boyi", what, game, *agents]
    for name, value in options.items():
        if value is True:
            words.append(name)
        elif value is not None and value is not False:
            for one in value if isinstance(value, list) else [value]:
                words += [name, str(one)]
    return shlex.join(words)


def refuse_old_files(journal: Path, outputs: Sequence[Path | None]) -> None:
    """Nothing is overwritten, but by the command that wrote it."""
    for output in outputs:
        if output is not None and output.exists() and not journal.exists():
            raise BoyiError(f"cannot write {shorten(str(output))}: there is such a file already")


def announce(journal: Path, games: int, command: str, language: Language) -> None:
    """Where games are kept, how many are there already, and the command that continues."""
    print(texts.say(KEPT, language, path=journal, command=command), file=sys.stderr)
    if games:
        print(texts.say(CONTINUED, language, games=games), file=sys.stderr)


def play_and_keep(tournament: Tournament, kept: Journal, workers: Workers, command: str, language: Language,
                  watch: Callable[[Bout], bool]) -> bool:
    """Play what the journal does not have until `watch`, which sees every game, says that it is enough.

    Whether it was interrupted.
    """
    from boyi.arena.pool import Pool
    from boyi.arena.tournament import play_tournament

    announce(kept.path, len(kept.games), command, language)
    try:
        with (Pool(workers.jobs, workers.cluster) as pool,
              closing(play_tournament(tournament, kept.games, pool=pool)) as games):
            for bout in games:
                kept.add(bout)
                if watch(bout):
                    break
    except KeyboardInterrupt:
        return True
    return False
