"""What the ancestors' searches did otherwise. The lab and some presets vary it; no game is played by it unasked.

    hook          where the searches ask for it, and the only place where they do
    repetition    alpha-beta: positions that come back, by a list or a set of the path, at a price
    leaves        multiplayer: the average or minimum of all leaves, with a bonus for wins
    question      expectimax: the spectator's view, and time before depth
"""
