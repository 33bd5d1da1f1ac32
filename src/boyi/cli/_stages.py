"""The stages of a run as commands of their own: boyi learn selfplay, train, evaluate, infer, export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boyi.cli import _texts as texts
from boyi.cli._common import (
    ClusterOption,
    FenOption,
    GameArgument,
    JsonOption,
    LanguageOption,
    MovesOption,
    OptionsOption,
    RulesOption,
    make_position,
    print_json,
    read_language,
    read_options,
)
from boyi.cli._files import read_file, write_file
from boyi.cli._learning import ProgressLine
from boyi.cli._progress import Progress
from boyi.cli._table import print_table
from boyi.core.errors import OptionError
from boyi.core.position import CHANCE, OVER, Position
from boyi.core.words import Words
from boyi.learn.needs import needs_extra

if TYPE_CHECKING:
    from boyi.core.searcher import Result
    from boyi.nets.predictor import Model
    from boyi.search.mcts import MCTS

RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run; `boyi train --prepare` makes "
                                                                 "one.")]
WorkersOption = Annotated[int, typer.Option("--workers", "-w", min=1, max=256, help="Processes that play.")]
LONGEST = 2_000
"""Moves of a game that is played to its end."""

PLAYED = Words("iteration {iteration}: {games} games are there", "第 {iteration} 次迭代：{games} 局已就绪")
LEARNED = Words("iteration {iteration}: loss {loss:.4f}, held out {validation_loss:.4f}; weights {weights}",
                "第 {iteration} 次迭代：损失 {loss:.4f}，留出 {validation_loss:.4f}；权重 {weights}")
EVALUATION_HEADERS = (Words("against", "对手"), Words("games", "局数"), Words("W-D-L", "胜-和-负"),
                      Words("score", "得分率"))
RATED = Words("iteration {iteration}: Elo {elo:+.0f} ± {error:.0f}{promoted}",
                 "第 {iteration} 次迭代：等级分 {elo:+.0f} ± {error:.0f}{promoted}")
PROMOTED = Words(", promoted", "，晋升")
MOVE_HEADERS = (Words("move", "着法"), Words("visits", "访问"), Words("share", "占比"), Words("prior", "先验"),
                Words("value", "期望"), Words("line", "变化"))
VALUES = Words("network: {value:.1%}   search: {search:.1%} for {name}",
                "网络：{value:.1%}   搜索：{search:.1%}（{name}）")
OVER_WORDS = Words("the game is over: {why}", "对局结束：{why}")
WRITTEN = Words("written to {file}, {kilobytes} KB", "写入 {file}，{kilobytes} KB")


def register(commands: typer.Typer) -> None:
    """Add the commands to the group `learn`."""
    for command in (selfplay, train, evaluate, infer, export):
        commands.command(command.__name__)(command)


def selfplay(folder: RunArgument, workers: WorkersOption = 1, cluster: ClusterOption = None,
             as_json: JsonOption = False, language: LanguageOption = None) -> None:
    """Play the next iteration's games of a run."""
    with needs_extra():
        from boyi.learn.training.run import Run
    from boyi.arena.pool import Pool

    speech = read_language(language)
    run = Run.open(folder)
    with Pool(workers, cluster) as pool, Progress("selfplay") as progress:
        run.selfplay(pool, ProgressLine(progress, speech).on_progress)
    facts = {"iteration": run.iteration + 1, "games": run.plan.games_per_iteration}
    if as_json:
        print_json(facts)
    else:
        print(texts.say(PLAYED, speech, **facts))


def train(folder: RunArgument,
          threads: Annotated[int, typer.Option(min=1, max=256, help="Threads that learn; with one, the same weights "
                                                                    "come out every time.")] = 1,
          as_json: JsonOption = False, language: LanguageOption = None) -> None:
    """Learn from a run's games: its next checkpoint."""
    with needs_extra():
        from boyi.learn.training.run import Run

    speech = read_language(language)
    run = Run.open(folder, threads=threads)
    with Progress("train") as progress:
        row = run.train(ProgressLine(progress, speech).on_progress)
    if as_json:
        print_json(row)
    else:
        print(texts.say(LEARNED, speech, **{**row, "weights": row["weights"][:16]}))


def evaluate(folder: RunArgument,
             iteration: Annotated[int | None, typer.Option(min=1, help="Which checkpoint; else the last.")] = None,
             workers: WorkersOption = 1, cluster: ClusterOption = None,
             as_json: JsonOption = False, language: LanguageOption = None) -> None:
    """Evaluate a checkpoint of a run: against random moves, a level and earlier checkpoints; promote it by SPRT."""
    with needs_extra():
        from boyi.learn.training.run import Run
    from boyi.arena.pool import Pool

    speech = read_language(language)
    run = Run.open(folder)
    number = run.iteration if iteration is None else iteration
    with Pool(workers, cluster) as pool, Progress("evaluate") as progress:
        row = run.evaluate(number, pool, ProgressLine(progress, speech).on_progress)
    facts = run.folder.read_evaluations()[number]
    if as_json:
        print_json(facts)
        return
    rows = []
    for name in ("best", "random", "level", "earlier"):
        if name in facts:
            one = facts[name]
            rows.append([one.get("opponent") or (f"level {one['level']}" if "level" in one else name),
                         str(one["games"]), f"{one['wins']}-{one['draws']}-{one['losses']}",
                         f"{100 * one['score']:.1f} %"])
    print_table([header.say(speech) for header in EVALUATION_HEADERS], rows, numbers=[1, 2, 3])
    if "elo" in row:
        print(texts.say(RATED, speech, iteration=number, elo=row["elo"], error=row["elo_error"],
                        promoted=PROMOTED.say(speech) if row["promoted"] else ""))


# ---------------------------------------------------------------------- asking a model

def infer(
    game: GameArgument,
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file, a run (its best one), or the name of a "
                                                               "shipped model.")],
    simulations: Annotated[int, typer.Option(min=2, max=10**9, help="The number of simulations.")] = 400,
    most: Annotated[int, typer.Option("--most", min=1, max=2048, help="The number of moves to show.")] = 8,
    whole: Annotated[bool, typer.Option("--whole", help="Play on to the end, and show every move.")] = False,
    fen: FenOption = None,
    moves: MovesOption = None,
    option: OptionsOption = None,
    rules: RulesOption = None,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """What a model thinks of a position, or how it plays a game: values and visits."""
    from boyi.core.searcher import Limits
    from boyi.nets import open_net
    from boyi.search.mcts import MCTS
    from boyi.search.mcts_options import MCTSOptions

    speech = read_language(language)
    position = make_position(game, fen, option or [], moves, rules)
    predictor = open_net(_find(model), position.game)
    searcher = MCTS(options=MCTSOptions(selection="puct", batch=8), predictor=predictor)
    found = []
    for _ in range(LONGEST if whole else 1):
        if position.turn == CHANCE:
            raise OptionError(f"chance acts here in {position.game.name}; go on with --moves")
        if position.turn == OVER:
            break
        result = searcher.search(position.observe(position.turn), Limits(nodes=simulations, lines=most))
        facts = _describe(position, predictor, searcher, result)
        found.append(facts)
        if not as_json:
            print(position.to_text())
            print(texts.say(VALUES, speech, value=facts["network"], search=facts["moves"][0]["value"],
                            name=position.board.seat_names[position.turn].say(speech)))
            print_table([header.say(speech) for header in MOVE_HEADERS], [
                [one["move"], str(one["visits"]), f"{100 * one['share']:.1f} %", f"{100 * one['prior']:.1f} %",
                 f"{100 * one['value']:.1f} %", " ".join(one["line"])] for one in facts["moves"]],
                numbers=[1, 2, 3, 4])
        if whole:
            position.play(result.move)
    outcome = position.outcome()
    if as_json:
        print_json({"model": predictor.path, "positions": found,
                    "outcome": None if outcome is None else {"scores": outcome.scores, "reason": outcome.reason}})
    elif outcome is not None:
        print(texts.say(OVER_WORDS, speech, why=outcome.words.say(speech)))


def _find(name: str) -> str:
    """The file of a model: itself, or the best one of a run."""
    from boyi.learn.training.folder import RunFolder

    if not Path(name).is_dir():
        return name
    models = RunFolder(Path(name)).models()
    if not models:
        raise OptionError(f"there is no model in {name} yet")
    return str(models[0])


def _describe(position: Position, predictor: Model, searcher: MCTS, result: Result) -> dict[str, Any]:
    """Values are expected scores of the player to act, from 0 to 1."""
    from boyi.agents.analysis import describe
    from boyi.core.batch import Batch

    batch = Batch(predictor.encoder, 1)
    batch.append(position.observe(position.turn))
    predictor.fill(batch)
    priors = {node.move: node.prior for node in searcher.tree() if node.parent == 0}
    total = sum(line.visits or 0 for line in result.lines) or 1
    rows = [{"move": shown.texts[0], "visits": shown.visits or 0, "share": (shown.visits or 0) / total,
             "prior": priors.get(line.moves[0], 0.0), "value": shown.odds, "line": list(shown.texts)}
            for line, shown in zip(result.lines, describe(searcher, position, result).lines, strict=True)]
    return {"position": position.to_text(), "network": (1 + batch.values[0]) / 2, "moves": rows}


def export(
    folder: RunArgument,
    output: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the model, e.g. model.onnx.")],
    iteration: Annotated[int | None, typer.Option(min=0, help="Which checkpoint; else the best.")] = None,
    note: Annotated[list[str] | None, typer.Option(
        "--note", metavar="NAME=TEXT", help="A line for its card; may be given several times.")] = None,
    card: Annotated[Path | None, typer.Option(metavar="FILE", help="Notes for its card from a JSON file.")] = None,
    as_json: JsonOption = False,
    language: LanguageOption = None,
) -> None:
    """A model of a run as a file of its own, with its card."""
    with needs_extra():
        from boyi.learn.training.export import change_notes
        from boyi.learn.training.run import Run

    import json

    run = Run.open(folder)
    path = run.best_model if iteration is None else run.folder.model(iteration)
    if not path.exists():
        raise OptionError(f"there is no checkpoint {iteration} in {folder}")
    notes: dict[str, Any] = dict(read_options(note or []))
    if card is not None:
        try:
            notes = {**json.loads(read_file(card)), **notes}
        except (ValueError, TypeError) as error:
            raise OptionError(f"{card} is not a JSON object: {error}") from error
    content, whole = change_notes(path.read_bytes(), notes)
    write_file(output, content)
    if as_json:
        print_json({"file": str(output), "bytes": len(content), "card": json.loads(whole.to_text())})
    else:
        print(texts.say(WRITTEN, read_language(language), file=output, kilobytes=(len(content) + 999) // 1000))
