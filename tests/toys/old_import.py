"""As `boyi new` of version 0.1.0 began a game."""

from boyi.core.position import PythonPosition

__all__ = ["PythonPosition"]
