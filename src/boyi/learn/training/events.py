"""The metrics of a run as TensorBoard reads them.

An event file is a sequence of records (length, checksum, content, checksum), and a content is a protocol buffer of a
few fields: a time, a step, and named scalars.

Written by hand: PyTorch's writer needs the package tensorboard and ten others (gRPC among them), and after a killed run
it writes some numbers again. Here the file is a function of the metrics alone, and no number is in it twice.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from boyi.learn import files
from boyi.learn.training.folder import Row

NAME = "events.out.tfevents.boyi"
LEFT_OUT = ("iteration", "time", "last", "minutes", "promoted")
POLYNOMIAL = 0x82F63B78
"""Of CRC-32C (Castagnoli), bits reversed."""


def write_events(folder: Path, rows: Sequence[Row]) -> None:
    """Bring the event file of a run up to its metrics."""
    path = folder / NAME
    content = _record(_double(1, 0.0) + _text(3, b"brain.Event:2"))
    for row in rows:
        values = b"".join(_text(1, _text(1, name.encode()) + _single(2, float(value)))
                          for name, value in sorted(row.items())
                          if name not in LEFT_OUT and isinstance(value, (int, float)))
        content += _record(_double(1, float(row["time"])) + _number(2, int(row["iteration"])) + _text(5, values))
    old = path.read_bytes() if path.exists() else None
    if old is not None and content.startswith(old):
        with path.open("ab") as file:   # in place: TensorBoard reads on where it was
            file.write(content[len(old):])
    else:
        files.write_whole(path, content)


def _record(content: bytes) -> bytes:
    length = struct.pack("<Q", len(content))
    return length + struct.pack("<I", _masked(length)) + content + struct.pack("<I", _masked(content))


def _masked(content: bytes) -> int:
    checksum = crc32c(content)
    return ((checksum >> 15 | checksum << 17) + 0xA282EAD8) & 0xFFFFFFFF


def crc32c(content: bytes) -> int:
    """The checksum of Castagnoli.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    checksum = 0xFFFFFFFF
    table = _table()
    for byte in content:
        checksum = table[(checksum ^ byte) & 0xFF] ^ checksum >> 8
    return checksum ^ 0xFFFFFFFF


@cache
def _table() -> tuple[int, ...]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (POLYNOMIAL if byte & 1 else 0)
        table.append(byte)
    return tuple(table)


# ---------------------------------------------------------------------- fields of a protocol buffer

def _varint(number: int) -> bytes:
    parts = bytearray()
    while number > 0x7F:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    parts.append(number)
    return bytes(parts)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _double(field: int, value: float) -> bytes:
    return _varint(field << 3 | 1) + struct.pack("<d", value)


def _text(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _single(field: int, value: float) -> bytes:
    return _varint(field << 3 | 5) + struct.pack("<f", value)
