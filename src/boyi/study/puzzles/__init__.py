"""Puzzles: positions in which exactly one move is good.

    puzzle        one of them
    collection    those of a game, as a file and as what is chosen from
    examiner      asks a search, or the game's solver, whether a move is the only good one
    answer        whether a move that was not expected is as good
    themes        what a solution is about, by rules that hold in every game
    maker         finds puzzles in games and in composed endings
    making        many of them: a journal, processes
    verifying     whether what is in a file holds at ten times the nodes

>>> import boyi
>>> from boyi.study.puzzles.collection import own_puzzles
>>> own_puzzles(boyi.find_game("tic_tac_toe")) is None
True
"""
