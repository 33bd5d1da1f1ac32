class Deepening:
    """A search in depth after depth. All its memory is taken when it is made."""
