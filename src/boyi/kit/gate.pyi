class Gate:
    """Open at first. To be closed and opened by one thread; a stopped search ends only through an open gate."""

    @property
    def is_closed(self) -> bool: ...
    def close(self) -> None:
        """Whoever comes to the gate waits. A search comes soon, not at once."""
    def open(self) -> None:
        """Whoever waits goes on."""
    @property
    def nodes(self) -> int:
        """What the search had visited when it passed last."""
    @property
    def seconds(self) -> float:
        """How long it had searched then, pauses not counted."""
