class Table:
    """A table of a size in megabytes."""

    @property
    def megabytes(self) -> int: ...
    def __init__(self, megabytes: int = 16) -> None: ...
    def clear(self) -> None:
        """Forget everything."""
    def age(self) -> None:
        """A new search begins: what is there may be given up before what will come."""
    def __len__(self) -> int:
        """How many entries are in use."""
