"""Commands of version 0.1.0 whose work is kept, in the spelling of that version; for `make` and the tests alike."""

from __future__ import annotations

JOURNALS: dict[str, tuple[str, ...]] = {
    "match": ("match", "othello", "alphabeta:nodes=300,repetition=seed", "level:2,seed=5", "--games", "8", "--seed",
              "7", "--longest", "60"),
    "test": ("match", "jieqi", "expectimax:nodes=200,public_knowledge=on", "random:seed=3", "--seed", "2", "--longest",
             "60", "--sprt", "elo0=0,elo1=400", "--games", "40", "--resign-value", "0.9"),
    "tournament": ("tournament", "chinese_checkers", "multiplayer:preset=seed,nodes=300",
                   "multiplayer:preset=seed_for_more,nodes=300", "multiplayer:evaluator=seed,nodes=300",
                   "level:1,seed=1", "--option", "players=3", "--rounds", "1", "--longest", "24", "--seed", "4"),
    "swiss": ("tournament", "xiangqi", "alphabeta:nodes=200", "alphabeta:nodes=100,null_move=off",
              "alphabeta:nodes=50", "random:seed=1", "--swiss", "2", "--rounds", "1", "--longest", "40", "--seed", "9"),
    "spsa": ("tune", "chinese_checkers", "--agent", "alphabeta:nodes=100,evaluator=seed", "--params",
             "weights.own_weight", "--games", "8", "--check", "4", "--seed", "5"),
    "surface": ("tune", "chinese_checkers", "--agent", "alphabeta:nodes=100,evaluator=seed", "--params",
                "weights.own_weight", "--method", "surface", "--games", "16", "--check", "0", "--seed", "6"),
}
"""Interrupted when about half of it was done. Nobody named a journal: its name is made of the settings."""

LADDER = ("tournament", "tic_tac_toe", "random:seed=1", "level:1,seed=1", "--rounds", "2", "--ladder", "ratings.json",
          "--seed")
"""A seed follows; each adds to the file of ratings."""

TRAIN = ("train", "tic_tac_toe", "--iterations", "4", "--seed", "3", *(
    word for setting in (
        "design.width=8", "games_per_iteration=8", "chunk=4", "games.simulations=4", "games.at_once=4",
        "first_window=200", "learning.batch=32", "exam.every=2", "exam.simulations=4", "exam.random_games=2",
        "exam.random_games_in_full=4", "exam.random_simulations=4", "exam.level=1", "exam.level_games=2",
        "exam.level_simulations=4", "exam.ladder_games=2", "exam.promotion_games=2")
    for word in ("--set", setting)))
"""Killed in the third iteration. Its folder, in runs/, has a name made of the settings, too."""

ABSTRACT = ("learn", "abstract", "states.xz", "--games", "2", "--nodes", "40", "--seed", "5")
BOOK = ("book", "build", "othello", "book.xz", "--selfplay", "3", "--nodes", "60", "--seed", "5", "--plies", "6")
"""With `--add` both go on where they stopped."""

WEIGHTS = ("learn", "weights", "chinese_checkers", "weights.json", "--games", "20", "--nodes", "30", "--evaluator",
           "race", "--damping", "1e7")
EVALUATOR = ("learn", "evaluator", "liuzhou", "net.xz", "--games", "20", "--nodes", "20", "--width", "16", "--rounds",
             "1", "--imitated", "1")

FITTED: dict[str, tuple[str, ...]] = {
    "weights": ("chinese_checkers", "--search", "alphabeta:evaluator=race,weights=weights.json"),
    "net": ("liuzhou", "--search", "alphabeta:evaluator=net,weights=net.xz"),
    "book": ("othello", "--search", "alphabeta:book=book.xz"),
    "model": ("tic_tac_toe", "--search", "mcts:net=model.onnx,simulations=50,seed=1"),
}
"""Analyses by what the commands above made, and by a model of the training run."""

ANALYSES: dict[str, tuple[str, ...]] = {
    # The spellings of 0.1.0: "seed" for what an ancestor did.
    **{f"xiangqi, {search}": ("xiangqi", "--moves", "h2e2 h9g7 h0g2 i9h9", "--search", search) for search in (
        "alphabeta:repetition=seed", "alphabeta:repetition=seed,repetition_lookup=set,repetition_penalty=1",
        "alphabeta:repetition=none,null_move=off,same_depth=on", "alphabeta:evaluator=hand,symmetry=top",
        "alphabeta:statistical_cutoffs=off,late_move_pruning=off,futility=off,internal_reductions=off",
        "mcts:simulations=300,seed=3", "mcts:simulations=200,selection=uct,rollouts=1,seed=4,evaluator=hand")},
    **{f"jieqi, {search}": ("jieqi", "--search", search) for search in (
        "expectimax", "expectimax:preset=it2", "expectimax:preset=iterative", "expectimax:outcomes=presume",
        "expectimax:outcomes=sample,samples=3,seed=2,public_knowledge=on", "expectimax:star1=off,star2=off,scout=off",
        "expectimax:time_before_depth=on,repetition=off")},
    **{f"chinese_checkers of 3, {search}": ("chinese_checkers", "--option", "players=3", "--search", search)
       for search in (
        "multiplayer", "multiplayer:preset=seed", "multiplayer:preset=seed_for_more",
        "multiplayer:preset=seed,evaluator=tuned", "multiplayer:algorithm=max_n,evaluator=seed",
        "multiplayer:algorithm=paranoid,evaluator=seed_for_more",
        "multiplayer:algorithm=average,no_retreat=on,claims=on,skip_searched=on")},
    **{f"chinese_checkers of 2, {search}": ("chinese_checkers", "--search", search) for search in (
        "alphabeta:evaluator=seed", "alphabeta:evaluator=seed,weights.own_weight=2.5", "multiplayer:preset=seed")},
    **{f"othello, {search}": ("othello", "--moves", "f5 d6 c3 d3 c4", "--search", search) for search in (
        "alphabeta", "alphabeta:evaluator=classic+abstract", "alphabeta:evaluator=lines_dfa,threads=1",
        "mcts:simulations=200,gumbel=on,gumbel_moves=4,seed=1", "mcts:simulations=200,priors=evaluator,seed=1")},
    "liuzhou, alphabeta": ("liuzhou", "--search", "alphabeta:symmetry=everywhere,symmetry_plies=2"),
}
"""Each is searched for `NODES` nodes."""

NODES = "1500"

def searches_anew(text: str) -> bool:
    """Is this agent, or one of this command's, a search that plays otherwise, and better, since 0.2.0? Levels search by
    the same algorithms; the presets of an ancestor play as before. MCTS guesses by Othello's patterns, fitted anew."""
    words = ("alphabeta", "expectimax", "multiplayer", "level:", "othello, mcts")
    return any(word in text for word in words) and "preset=it" not in text


AVERAGING = ("preset=seed", "preset=ancestor", "algorithm=average")
"""Settings of searches that find other values since 0.2.0: an average counts leaves as the ancestor's report does."""

PLAYERS: tuple[tuple[str, ...], ...] = (
    ("xiangqi", "level:1,seed=1", "level:4,seed=2,book=off"),
    ("jieqi", "level:2,seed=1", "level:1,seed=2"),
    ("othello", "level:6,seed=1", "level:1,seed=2"),
    ("liuzhou", "level:2,seed=1", "random:seed=2"),
    ("chinese_checkers", "level:1,seed=1", "level:2,seed=2"),
    ("chinese_checkers", "level:1,seed=1", "random:seed=2", "random", "--option", "players=3"),
    ("tic_tac_toe", "level:3,seed=1", "random:seed=2"),
)
"""A game, and who plays it."""


def record_command(number: int) -> tuple[str, ...]:
    """The command that writes the games of some players to `games.boyi`."""
    return ("match", *PLAYERS[number], "--games", "3" if "players=3" in PLAYERS[number] else "2", "--seed", "1",
            "--longest", "80", "--records", "games.boyi")


FORMATS: dict[str, tuple[str, ...]] = {
    "ggf": ("",), "transcript": ("",), "pgn": ("iccs", "wxf", "chinese", "traditional")}
FORMAT_GAMES = {"ggf": "othello", "transcript": "othello", "pgn": "xiangqi"}
"""Formats of records besides our own, with the notations they are written in."""
