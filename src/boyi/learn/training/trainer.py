"""Training steps: AdamW, a learning rate that the caller decides, and an average of the weights that plays.

The loss of a sample is the sum of

    policy      cross-entropy to the policy of the search, over the legal moves
    value       cross-entropy to how the game ended (win, draw, loss; with more than two players, the score of each);
                a share of it to the value of the search, which has more bias and less variance. A win that is far off
                counts a little less than one at hand: where every move wins in the end, none is better than another,
                and nobody hurries until a limit of moves is reached
    auxiliary   the same for the next decision's policy, and the error of the guess how long the game still lasts

The exponential moving average (EMA) of the weights is what is exported and plays: it is better than the weights of any
one step (Polyak and Juditsky 1992).

Everything is decided by the samples, the weights and the seeds: on one thread the same steps give the same bits. Where
there is a graphics card that PyTorch can use, it is used, and the bits may differ.
"""

from __future__ import annotations

import copy
import hashlib
import io
import pickle
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from boyi.core.errors import BoyiError, RecordError, shorten
from boyi.core.position import Position
from boyi.learn.training.networks import build
from boyi.learn.training.replay import LEFT_SCALE, Minibatch, Replay
from boyi.learn.training.settings import Design, Learning
from boyi.nets.card import Card, check_card

FORBIDDEN = -1e9
"""The logit of an illegal move."""

TINY = 1e-9
"""Keeps the logarithm of zero finite."""


@dataclass(frozen=True)
class Losses:
    """Means over some samples."""

    policy: float
    value: float
    auxiliary: float

    @property
    def total(self) -> float:
        """The loss without its auxiliary part."""
        return self.policy + self.value


class Trainer:
    """A network that learns."""

    def __init__(self, position: Position, design: Design, settings: Learning, seed: int = 0) -> None:
        self.card = Card.of(position)
        self.design = design
        self.settings = settings
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.network = build(position, design, seed).to(self.device)
        self.average = copy.deepcopy(self.network).requires_grad_(False)
        self.steps = 0
        self.samples = 0
        """Learned from so far, each counted every time."""

        self._optimiser = torch.optim.AdamW(self.network.parameters(), lr=1e-3, weight_decay=settings.weight_decay,
                                            fused=True)   # all of a step in one pass over the numbers

    # ------------------------------------------------------------------ learning

    def learn(self, replay: Replay, samples: int, rate: Callable[[float], float], seed: str,
              on_step: Callable[[int, int], None] = lambda step, steps: None) -> Losses:
        """Learn from this number of samples of the replay; `rate` gives the learning rate for the share of them that
        is done."""
        generator = np.random.default_rng(list(hashlib.sha256(seed.encode()).digest()))
        torch.use_deterministic_algorithms(self.device.type == "cpu")
        available = replay.training()
        size = min(self.settings.batch, len(available))
        steps = max(1, round(samples / size)) if size else 0
        order = np.zeros(0, np.int64)
        sums: Counter[str] = Counter()
        self.network.train()
        for step in range(steps):
            # 1. A minibatch: every sample once before any a second time.
            while len(order) < size:
                order = np.concatenate([order, generator.permutation(available)])
            chosen, order = order[:size], order[size:]
            batch = replay.minibatch(chosen, generator.integers(replay.images, size=size))
            # 2. A step.
            for group in self._optimiser.param_groups:
                group["lr"] = rate(step / steps)
            with torch.autocast(self.device.type, torch.bfloat16, enabled=self.settings.precision == "bfloat16"):
                outputs = self.network(self._put(batch.features))
            loss, parts = self._loss(outputs, batch)
            self._optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.clip)
            self._optimiser.step()
            self.steps += 1
            self.samples += size
            # 3. The average follows; in the beginning it must not hold on to weights that know nothing.
            decay = min(self.settings.memory, (1 + self.steps) / (10 + self.steps))
            with torch.no_grad():
                for average, latest in zip(self.average.parameters(), self.network.parameters(), strict=True):
                    average.lerp_(latest, 1 - decay)
            sums.update(parts)
            on_step(step + 1, steps)
        return Losses(**{name: sums[name] / max(steps, 1) for name in ("policy", "value", "auxiliary")})

    def _loss(self, outputs: tuple[Tensor, ...], batch: Minibatch) -> tuple[Tensor, dict[str, float]]:
        policy, value, reply, remaining = (part.float() for part in outputs)
        settings = self.settings
        weights = self._put(batch.weights)
        logits = policy.masked_fill(~self._put(batch.legal), FORBIDDEN)
        log_policy = functional.log_softmax(logits, 1)
        policy_loss = _mean(-(self._put(batch.policy) * log_policy).sum(1), weights)
        value_loss = self._value_loss(value, batch)
        replied = -(self._put(batch.reply) * functional.log_softmax(reply, 1)).sum(1)
        reply_loss = _mean(replied, self._put(batch.reply_weights))
        remaining_loss = functional.smooth_l1_loss(remaining, self._put(batch.remaining))
        auxiliary = settings.reply_weight * reply_loss + settings.remaining_weight * remaining_loss
        loss = policy_loss + settings.value_weight * value_loss + auxiliary
        return loss, {"policy": float(policy_loss.detach()), "value": float(value_loss.detach()),
                      "auxiliary": float(auxiliary.detach())}

    def _value_loss(self, value: Tensor, batch: Minibatch) -> Tensor:
        scores, searched = self._put(batch.scores), self._put(batch.values)
        left = torch.expm1(LEFT_SCALE * self._put(batch.remaining))
        if self.network.wdl is None:
            # The score of a player, from 0 to 1, has the odds exp(2x) of which tanh(x) is the value.
            return functional.binary_cross_entropy_with_logits(
                2 * value, _score_targets(scores, searched, left, self.settings))
        target = _value_target(scores[:, 0], searched, left, self.settings)
        return -(target * functional.log_softmax(value, 1)).sum(1).mean()

    def _put(self, numbers: NDArray[Any]) -> Tensor:
        """An array on the device of the network."""
        return torch.from_numpy(numbers).to(self.device)

    # ------------------------------------------------------------------ validation

    def check(self, batch: Minibatch) -> Losses:
        """The losses of the average on samples, without learning from them."""
        with torch.no_grad():
            _, parts = self._loss(self.average(self._put(batch.features)), batch)
        return Losses(**parts)

    def policies(self, batch: Minibatch) -> Tensor:
        """The policy of the average over the legal moves of each sample."""
        with torch.no_grad():
            logits = self.average(self._put(batch.features))[0]
            return functional.softmax(logits.masked_fill(~self._put(batch.legal), FORBIDDEN), 1)

    def digest(self) -> str:
        """A hash of all weights: of those that learn and of their average."""
        content = hashlib.sha256()
        for network in (self.network, self.average):
            for name, tensor in network.state_dict().items():
                content.update(name.encode())
                content.update(tensor.cpu().contiguous().numpy().tobytes())
        return content.hexdigest()

    # ------------------------------------------------------------------ checkpoints

    def to_bytes(self) -> bytes:
        """All that is needed to go on, as a file."""
        file = io.BytesIO()
        torch.save({
            "boyi": "checkpoint", "card": self.card.to_text(), "design": vars(self.design), "steps": self.steps,
            "samples": self.samples, "network": self.network.state_dict(), "slow": self.average.state_dict(),
            "optimiser": self._optimiser.state_dict()}, file)
        return file.getvalue()

    @classmethod
    def read(cls, path: Path, position: Position, settings: Learning) -> Trainer:
        """The trainer of a checkpoint; refuses, in words, one of another game, other rules or another encoder."""
        facts = _read(path)
        what = f"the checkpoint {shorten(str(path))}"
        check_card(Card.of(position), Card.parse(facts["card"]), what)
        trainer = cls(position, Design(**facts["design"]), settings)
        try:
            trainer.network.load_state_dict(facts["network"])
            trainer.average.load_state_dict(facts["slow"])
            trainer._optimiser.load_state_dict(facts["optimiser"])
        except (RuntimeError, ValueError, KeyError) as error:
            raise RecordError(f"{what} does not fit: {str(error).splitlines()[0]}") from error
        trainer.steps, trainer.samples = facts["steps"], facts["samples"]
        return trainer


def _read(path: Path) -> Mapping[str, Any]:
    try:
        facts = torch.load(io.BytesIO(path.read_bytes()), map_location="cpu", weights_only=True)
    except OSError as error:
        raise BoyiError(f"there is no checkpoint {shorten(str(path))}: {error.strerror or error}") from error
    except (RuntimeError, ValueError, EOFError, pickle.UnpicklingError) as error:
        words = str(error).splitlines()[0] if str(error) else "it ends too soon"
        raise RecordError(f"{shorten(str(path))} cannot be read as a checkpoint: {words}") from error
    if not isinstance(facts, dict) or facts.get("boyi") != "checkpoint":
        raise RecordError(f"{shorten(str(path))} is no checkpoint of Boyi")
    return facts


def _mean(losses: Tensor, weights: Tensor) -> Tensor:
    return (losses * weights).sum() / weights.sum().clamp(min=1e-6)


def _value_target(scores: Tensor, values: Tensor, left: Tensor, settings: Learning) -> Tensor:
    """The target of the value head: how the game ended, `left` decisions later, and the value of the search.

    >>> won, half, later = torch.tensor([1.0]), torch.tensor([0.5]), torch.tensor([1.0])
    >>> _value_target(won, half, later, Learning(search_share=0.0, haste=0.25)).tolist()
    [[0.75, 0.25, 0.0]]
    >>> _value_target(won, half, later, Learning(search_share=0.5, haste=0.25)).tolist()
    [[0.625, 0.125, 0.25]]
    """
    ended = _win_draw_loss(0.5 + (scores - 0.5) * (1 - settings.haste) ** left)
    # A search tells one number; it is spread so that the draw stays as likely as the result makes it: a player who
    # expects to win until a limit makes it a draw must learn that this was wrong.
    draw = _win_draw_loss(scores)[:, 1]
    searched = torch.stack([values * (1 - draw), draw, (1 - values) * (1 - draw)], 1)
    return (1 - settings.search_share) * ended + settings.search_share * searched


def _score_targets(scores: Tensor, values: Tensor, left: Tensor, settings: Learning) -> Tensor:
    """The same with more than two players: the score of each, of which the search only knows that of who acts.

    >>> scores, half, later = torch.tensor([[1.0, 0.5, 0.0]]), torch.tensor([0.5]), torch.tensor([1.0])
    >>> _score_targets(scores, half, later, Learning(search_share=0.5, haste=0.5)).tolist()
    [[0.625, 0.5, 0.25]]
    """
    targets = 0.5 + (scores - 0.5) * ((1 - settings.haste) ** left)[:, None]
    first = (1 - settings.search_share) * targets[:, :1] + settings.search_share * values[:, None]
    return torch.cat([first, targets[:, 1:]], 1)


def _win_draw_loss(scores: Tensor) -> Tensor:
    """Scores from 0 to 1 as shares of win, draw and loss: a half is a draw, and between two they share.

    >>> _win_draw_loss(torch.tensor([1.0, 0.75, 0.0])).tolist()
    [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]
    """
    lean = 2 * scores - 1
    return torch.stack([lean.clamp(min=0), 1 - lean.abs(), (-lean).clamp(min=0)], 1)


def entropy(policies: Tensor) -> float:
    """The mean entropy of policies, in nats."""
    return float(-(policies * (policies + TINY).log()).sum(1).mean())


def divergence(before: Tensor, after: Tensor) -> float:
    """How far policies have moved: the mean Kullback-Leibler divergence, in nats."""
    return float((after * ((after + TINY).log() - (before + TINY).log())).sum(1).mean())
