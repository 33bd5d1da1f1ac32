"""Networks to be trained, in PyTorch: an MLP and a residual CNN, made from what an encoder says of itself.

Both have a *trunk*, which makes one vector of the features of a position, and the same *heads* on it:

    policy      logits of moves, by their names
    wdl         the value head for two players: logits of win, draw and loss. Draws have an output of their own, so
                that a game which is mostly drawn does not press every value to zero
    value       the value head for more: a number per player, for the one who acts and then in order of play, whose
                hyperbolic tangent is the value
    reply       auxiliary: the policy of the next decision, whichever player makes it
    remaining   auxiliary: how much of the game is left

Auxiliary heads are trained and never used: what they learn is good for the trunk (Wu, "Accelerating self-play learning
in Go", 2019). Residual blocks are multiplied by a gain that starts at zero (ReZero, Bachlechner and others 2020) and
need no normalisation: nothing depends on the other positions of a batch, and the file that plays has less in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from boyi.core.encoder import Encoder
from boyi.core.errors import OptionError
from boyi.core.position import Position
from boyi.learn.training.settings import Design

POLICY_PLANES = 8
"""Channels of the residual network that its heads see, per point."""


class Network(nn.Module):
    """A trunk and its heads."""

    def __init__(self, trunk: nn.Module, width: int, encoder: Encoder) -> None:
        super().__init__()
        self.trunk = trunk
        self.policy = nn.Linear(width, encoder.policy_size)
        self.wdl = nn.Linear(width, 3) if encoder.players == 2 else None
        self.value = nn.Linear(width, encoder.players) if encoder.players != 2 else None
        self.reply = nn.Linear(width, encoder.policy_size)
        self.remaining = nn.Linear(width, 1)
        for head in (self.policy, self.value_head, self.reply, self.remaining):
            # Nothing is known in the beginning: small weights say so, and the first policies are nearly uniform.
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)

    @property
    def value_head(self) -> nn.Linear:
        """The one of the two that there is."""
        head = self.value if self.wdl is None else self.wdl
        assert head is not None
        return head

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The outputs of the heads, in the order above."""
        hidden = self.trunk(features)
        return self.policy(hidden), self.value_head(hidden), self.reply(hidden), self.remaining(hidden).squeeze(1)


class MLP(nn.Module):
    """Layers of equal width, each of them linear with a ReLU."""

    def __init__(self, size: int, width: int, depth: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(size if number == 0 else width, width) for number in range(depth))
        for layer in self.layers:
            assert isinstance(layer, nn.Linear)
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            nn.init.zeros_(layer.bias)

    def forward(self, features: Tensor) -> Tensor:
        for layer in self.layers:
            features = torch.relu(layer(features))
        return features


class ResidualTrunk(nn.Module):
    """Planes on the grid of the board through blocks of two convolutions; scalars join the first of them.

    In the end every point has a few planes of its own, and next to them stand the mean and the largest value of each
    plane of the last block: what is true somewhere on the board, wherever it is.
    """

    cells: Tensor
    """Where each point lies on the grid, which may have holes."""

    def __init__(self, encoder: Encoder, grid: Grid, width: int, depth: int) -> None:
        super().__init__()
        self.planes, self.points, self.grid = encoder.planes, encoder.points, grid
        self.register_buffer("cells", torch.tensor(grid.cells), persistent=False)
        self.first = nn.Conv2d(encoder.planes, width, 3, padding=1)
        self.scalars = nn.Linear(max(1, encoder.scalars), width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))
        self.last = nn.Conv2d(width, POLICY_PLANES, 1)
        self.width = POLICY_PLANES * grid.rows * grid.columns + 2 * width

    def forward(self, features: Tensor) -> Tensor:
        count, rows, columns = len(features), self.grid.rows, self.grid.columns
        planes = features[:, :self.planes * self.points].reshape(count, self.planes, self.points)
        board = features.new_zeros(count, self.planes, rows * columns)
        board = board.index_copy(2, self.cells, planes).reshape(count, self.planes, rows, columns)
        scalars = features[:, self.planes * self.points:]
        if not scalars.shape[1]:
            scalars = features.new_zeros(count, 1)
        hidden = torch.relu(self.first(board) + self.scalars(scalars)[:, :, None, None])
        for block in self.blocks:
            hidden = block(hidden)
        return torch.cat([torch.relu(self.last(hidden)).flatten(1), hidden.mean((2, 3)), hidden.amax((2, 3))], 1)


class Block(nn.Module):
    """A residual block: adds the output of two convolutions, times its gain."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, padding=1)
        self.second = nn.Conv2d(width, width, 3, padding=1)
        self.gain = nn.Parameter(torch.zeros(1))

    def forward(self, hidden: Tensor) -> Tensor:
        added: Tensor = self.gain * self.second(torch.relu(self.first(hidden)))
        return torch.relu(hidden + added)


@dataclass(frozen=True)
class Grid:
    """A rectangle of cells that a board's points lie in, neighbours next to each other."""

    rows: int
    columns: int
    cells: tuple[int, ...]
    """Per point, its cell; rows come one after the other."""

    @classmethod
    def of(cls, places: Sequence[tuple[float, float]]) -> Grid:
        """The grid of points at these places (x, y).

        >>> Grid.of([(0, 0), (1, 0), (0, 1), (1, 1)])
        Grid(rows=2, columns=2, cells=(0, 1, 2, 3))

        Where every second row is shifted by a half, as on a board of hexagons, rows are slanted until it is not.

        >>> Grid.of([(0.5, 0), (1.5, 0), (0, 1), (1, 1), (2, 1)]).cells
        (1, 2, 3, 4, 5)
        """
        heights = sorted({round(y, 3) for _, y in places})
        placed = [(x, heights.index(round(y, 3))) for x, y in places]
        odd = {round(2 * x + row) % 2 for x, row in placed}
        slanted = [(x - row / 2 if len({round(2 * x) % 2 for x, _ in placed}) > 1 and len(odd) == 1 else x, row)
                   for x, row in placed]
        least = min(x for x, _ in slanted)
        spots = [(round(x - least), row) for x, row in slanted]
        columns = 1 + max(column for column, _ in spots)
        cells = tuple(row * columns + column for column, row in spots)
        if len(set(cells)) < len(cells):
            raise OptionError("the points of this board lie on no grid; train an mlp")
        return cls(len(heights), columns, cells)


def build(position: Position, design: Design, seed: int = 0) -> Network:
    """A network for games like that of a position, with random weights that the seed decides."""
    encoder = position.game.make_encoder(position.options)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        if design.kind == "mlp":
            return Network(MLP(encoder.size, design.width, design.depth), design.width, encoder)
        points = position.board.points
        if len(points) != encoder.points:
            raise OptionError(f"a network sees {encoder.points} points of {position.game.name} and the board has "
                              f"{len(points)}; train an mlp")
        trunk = ResidualTrunk(encoder, Grid.of([(point.x, point.y) for point in points]), design.width, design.depth)
        return Network(trunk, trunk.width, encoder)
