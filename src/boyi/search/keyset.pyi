class KeySet:
    """Keys that were added, and no others."""

    def insert(self, key: int) -> bool:
        """Add a key; was it new?"""
    def empty(self) -> None:
        """Forget all keys; the memory stays."""
    def __contains__(self, key: int) -> bool: ...
    def __len__(self) -> int: ...
