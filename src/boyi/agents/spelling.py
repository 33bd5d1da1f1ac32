"""Old spellings of settings in spec strings, which are still read and shown in their new form.

Version 0.1.0 called the five projects that Boyi grew out of its seeds; they are its ancestors now, and a seed is a
random seed. Whatever was renamed in a spec string stands in one table, `VALUES`: by parameter, the old value and the
new one.

>>> respell("multiplayer:preset=seed,nodes=100")
'multiplayer:preset=ancestor,nodes=100'
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

__all__ = ["VALUES", "find", "respell", "spell_as_before"]

_ANCESTORS = {"seed": "ancestor", "seed_for_more": "ancestor_for_more"}

VALUES: Mapping[str, Mapping[str, str]] = {
    "preset": _ANCESTORS,
    "evaluator": _ANCESTORS,
    "repetition": {"seed": "ancestor"},
}
"""`VALUES[parameter][old]` is the new value."""

_BEFORE = {parameter: {new: old for old, new in values.items()} for parameter, values in VALUES.items()}
_SETTING = re.compile(r"(?<=[:,])(\w+)=(\w+)(?=,|$)")


def find(parameter: str, value: str, known: Collection[str]) -> str:
    """A value as it is spelled among those that are known; where it is not among them, as it is.

    An evaluator of a plug-in may well have an old name, so this looks both ways.

    >>> find("evaluator", "seed", ["race", "ancestor"]), find("evaluator", "ancestor", ["seed"])
    ('ancestor', 'seed')
    """
    for spelled in (value, VALUES.get(parameter, {}).get(value), _BEFORE.get(parameter, {}).get(value)):
        if spelled is not None and spelled in known:
            return spelled
    return value


def respell(spec: str) -> str:
    """A spec string with all values in their new spelling."""
    return _replace(spec, VALUES)


def spell_as_before(spec: str) -> str:
    """A spec string as version 0.1.0 wrote it: the names of files are made from it."""
    return _replace(spec, _BEFORE)


def _replace(spec: str, table: Mapping[str, Mapping[str, str]]) -> str:
    return _SETTING.sub(lambda found: f"{found[1]}={table.get(found[1], {}).get(found[2], found[2])}", spec)
