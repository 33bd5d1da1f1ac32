"""Fitting the ladder of a game: which levels it has, and what they are worth (`boyi levels fit`).

    rung      a point of the path of strength, or an end of it: random moves, full strength
    meeting   games between two rungs
    curve     how Elo grows with strength, as far as it was measured
    fit       from a curve by few games to a ladder of even steps by many
"""
