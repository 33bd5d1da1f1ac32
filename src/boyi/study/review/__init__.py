"""Game review: where a game was won and lost, move by move.

    look        one decision searched: what it was worth, what was better, what the player was dealt
    judgement   how much a loss of odds matters, and accuracy
    opening     the opening's name, and where the game left the book
    findings    what a review says: a `Review` of `ReviewedMove`s and `ReviewedPlayer`s
    run         reviews a record
    page        a review as an HTML file

>>> from boyi.core.record import Record
>>> from boyi.core.searcher import Limits
>>> from boyi.games import find_game
>>> from boyi.study.review.run import review
>>> position = find_game("tic_tac_toe").start()
>>> for move in ("a1", "b1", "b2", "c1", "c3"):
...     position.play(move)
>>> found = review(Record.from_position(position), Limits(nodes=2000))
>>> [(move.text, move.judgement, move.look.accepted[0]) for move in found.wrong]
[('b1', 'blunder', 'b2')]
"""
