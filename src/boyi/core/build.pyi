"""How the compiled part of Boyi was built, as the compiler itself saw it."""

CHECKED: bool
"""A debug build: bounds checks and assertions are on."""

COMPILER: str
"""The C compiler and its version."""

FEATURES: tuple[str, ...]
"""Instructions beyond the plain ones that the code was compiled for."""
