"""How outside programs write xiangqi."""

from boyi.core.dialect import Dialect

PROTOCOLS = {
    "uci": Dialect("xiangqi", first_rank=0),
    "ucci": Dialect("xiangqi", first_rank=0),
    # XBoard has letters of its own for horse and elephant.
    "xboard": Dialect("xiangqi", letters={"n": "h", "N": "H", "b": "e", "B": "E"}, first_rank=0),
}
