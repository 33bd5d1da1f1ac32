"""Pictures of a position: as text, as SVG and as PNG, all from `Board` geometry and `Stone`s.

Nothing here knows a game. `view` turns the board and checks what is to be
shown, `outlines` has the shapes of the characters, and the other modules draw:
`text`, `svg` and `png` a position, `card` the picture that belongs to a link, and
`animation` a whole game.
"""
