"""Learning from samples: AdamW, a rate that somebody else decides, and a slow copy of the weights that plays.

The loss of a sample is the sum of

    policy      cross-entropy to how the search divided its trust, over the legal moves
    value       cross-entropy to how the game ended (win, draw, loss); a share of it to what the search expected, which
                is less true and less noisy. A win that is far off counts a little less than one at hand: where every
                move wins in the end, none is better than another, and nobody hurries until a limit of moves is reached
    auxiliary   the same for the next decision's policy, and how far off the guess of the game's length is

The slow copy (EMA: a mean of the weights that forgets exponentially) is what is exported and plays: it is better than
the weights of any one step (Polyak and Juditsky 1992).

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
from typing import Any, Literal, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from boyi.core.errors import BoyiError, OptionError, RecordError, shorten
from boyi.core.position import Position
from boyi.learn.networks import Design, build
from boyi.learn.replay import LEFT_SCALE, Lesson, Replay, check_card
from boyi.nets.card import Card

Precision = Literal["float32", "bfloat16"]

FORBIDDEN = -1e9
"""The logit of a move that is not legal."""

TINY = 1e-9
"""Keeps the logarithm of nothing finite."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How to learn."""

    batch: int = 512
    """Samples per step."""

    reuse: float = 1.5
    """How often a sample is learned from on average (the replay ratio): steps follow from it and from what is new."""

    weight_decay: float = 1e-4
    clip: float = 1.0
    """The gradient is cut to this length."""

    memory: float = 0.995
    """What the slow copy keeps of itself in a step."""

    search_share: float = 0.3
    """How much of the value's target is what the search expected; the rest is how the game ended."""

    haste: float = 0.001
    """What a win or a loss loses of its worth with every decision that it is still away."""

    value_weight: float = 1.0
    reply_weight: float = 0.15
    remaining_weight: float = 0.05
    precision: Precision = "float32"
    """`bfloat16` is faster for residual networks on processors that have it, and for nothing else here."""

    def __post_init__(self) -> None:
        if self.precision not in get_args(Precision):
            raise OptionError(f"precision is one of {', '.join(get_args(Precision))}, not {self.precision!r}")
        for name, low, high in (("batch", 1, 1 << 20), ("reuse", 0.01, 1000), ("weight_decay", 0, 1),
                                ("clip", 1e-6, 1e6), ("memory", 0, 0.999999), ("search_share", 0, 1), ("haste", 0, 0.5),
                                ("value_weight", 0, 100), ("reply_weight", 0, 100), ("remaining_weight", 0, 100)):
            if not low <= getattr(self, name) <= high:
                raise OptionError(f"{name} is {getattr(self, name)} and must be from {low:g} to {high:g}")


@dataclass(frozen=True)
class Losses:
    """Means over some samples."""

    policy: float
    value: float
    auxiliary: float

    @property
    def total(self) -> float:
        """What learning makes small, without what only helps it."""
        return self.policy + self.value


class Trainer:
    """A network that learns."""

    def __init__(self, position: Position, design: Design, settings: Settings, seed: int = 0) -> None:
        self.card = Card.of(position)
        self.design = design
        self.settings = settings
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.network = build(position, design, seed).to(self.device)
        self.slow = copy.deepcopy(self.network).requires_grad_(False)
        self.steps = 0
        self.samples = 0
        """Learned from so far, each counted every time."""

        self._optimiser = torch.optim.AdamW(self.network.parameters(), lr=1e-3, weight_decay=settings.weight_decay,
                                            fused=True)   # all of a step in one pass over the numbers

    # ------------------------------------------------------------------ learning

    def learn(self, replay: Replay, samples: int, rate: Callable[[float], float], seed: str,
              told: Callable[[int, int], None] = lambda step, steps: None) -> Losses:
        """Learn from so many samples of the replay; `rate` gives the rate for the share of this that is done."""
        generator = np.random.default_rng(list(hashlib.sha256(seed.encode()).digest()))
        torch.use_deterministic_algorithms(self.device.type == "cpu")
        available = replay.to_learn()
        size = min(self.settings.batch, len(available))
        steps = max(1, round(samples / size)) if size else 0
        order = np.zeros(0, np.int64)
        sums: Counter[str] = Counter()
        self.network.train()
        for step in range(steps):
            # 1. Every sample once before any a second time.
            while len(order) < size:
                order = np.concatenate([order, generator.permutation(available)])
            chosen, order = order[:size], order[size:]
            lesson = replay.lesson(chosen, generator.integers(replay.images, size=size))
            # 2. A step.
            for group in self._optimiser.param_groups:
                group["lr"] = rate(step / steps)
            with torch.autocast(self.device.type, torch.bfloat16, enabled=self.settings.precision == "bfloat16"):
                answer = self.network(self._put(lesson.features))
            loss, parts = self._loss(answer, lesson)
            self._optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.clip)
            self._optimiser.step()
            self.steps += 1
            self.samples += size
            # 3. The slow copy follows; in the beginning it must not hold on to weights that know nothing.
            memory = min(self.settings.memory, (1 + self.steps) / (10 + self.steps))
            with torch.no_grad():
                for slow, fast in zip(self.slow.parameters(), self.network.parameters(), strict=True):
                    slow.lerp_(fast, 1 - memory)
            sums.update(parts)
            told(step + 1, steps)
        return Losses(**{name: sums[name] / max(steps, 1) for name in ("policy", "value", "auxiliary")})

    def _loss(self, answer: tuple[Tensor, ...], lesson: Lesson) -> tuple[Tensor, dict[str, float]]:
        policy, wdl, reply, remaining = (part.float() for part in answer)
        settings = self.settings
        weights = self._put(lesson.weights)
        logits = policy.masked_fill(~self._put(lesson.legal), FORBIDDEN)
        shares = functional.log_softmax(logits, 1)
        policy_loss = _mean(-(self._put(lesson.policy) * shares).sum(1), weights)
        value_loss = self._value_loss(wdl, lesson)
        replied = -(self._put(lesson.reply) * functional.log_softmax(reply, 1)).sum(1)
        reply_loss = _mean(replied, self._put(lesson.reply_weights))
        remaining_loss = functional.smooth_l1_loss(remaining, self._put(lesson.remaining))
        auxiliary = settings.reply_weight * reply_loss + settings.remaining_weight * remaining_loss
        loss = policy_loss + settings.value_weight * value_loss + auxiliary
        return loss, {"policy": float(policy_loss.detach()), "value": float(value_loss.detach()),
                      "auxiliary": float(auxiliary.detach())}

    def _value_loss(self, wdl: Tensor, lesson: Lesson) -> Tensor:
        target = _value_target(self._put(lesson.scores[:, 0]), self._put(lesson.values),
                               torch.expm1(LEFT_SCALE * self._put(lesson.remaining)), self.settings)
        return -(target * functional.log_softmax(wdl, 1)).sum(1).mean()

    def _put(self, numbers: NDArray[Any]) -> Tensor:
        """Numbers where the network is."""
        return torch.from_numpy(numbers).to(self.device)

    # ------------------------------------------------------------------ looking

    def check(self, lesson: Lesson) -> Losses:
        """What the slow copy loses on samples, without learning from them."""
        with torch.no_grad():
            _, parts = self._loss(self.slow(self._put(lesson.features)), lesson)
        return Losses(**parts)

    def policies(self, lesson: Lesson) -> Tensor:
        """The slow copy's policy over the legal moves of each sample."""
        with torch.no_grad():
            logits = self.slow(self._put(lesson.features))[0]
            return functional.softmax(logits.masked_fill(~self._put(lesson.legal), FORBIDDEN), 1)

    def digest(self) -> str:
        """Tells weights from all others: of those that learn and of the slow copy."""
        content = hashlib.sha256()
        for network in (self.network, self.slow):
            for name, tensor in network.state_dict().items():
                content.update(name.encode())
                content.update(tensor.cpu().contiguous().numpy().tobytes())
        return content.hexdigest()

    # ------------------------------------------------------------------ keeping

    def to_bytes(self) -> bytes:
        """All that is needed to go on, as a file."""
        file = io.BytesIO()
        torch.save({
            "boyi": "checkpoint", "card": self.card.to_text(), "design": vars(self.design), "steps": self.steps,
            "samples": self.samples, "network": self.network.state_dict(), "slow": self.slow.state_dict(),
            "optimiser": self._optimiser.state_dict()}, file)
        return file.getvalue()

    @classmethod
    def read(cls, path: Path, position: Position, settings: Settings) -> Trainer:
        """The trainer of a checkpoint; refuses, in words, one of another game, other rules or another encoder."""
        facts = _read(path)
        what = f"the checkpoint {shorten(str(path))}"
        check_card(Card.of(position), Card.parse(facts["card"]), what)
        trainer = cls(position, Design(**facts["design"]), settings)
        try:
            trainer.network.load_state_dict(facts["network"])
            trainer.slow.load_state_dict(facts["slow"])
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


def _value_target(scores: Tensor, values: Tensor, left: Tensor, settings: Settings) -> Tensor:
    """What to say of win, draw and loss: how the game ended so many decisions later, and what the search expected.

    >>> won, half, later = torch.tensor([1.0]), torch.tensor([0.5]), torch.tensor([1.0])
    >>> _value_target(won, half, later, Settings(search_share=0.0, haste=0.25)).tolist()
    [[0.75, 0.25, 0.0]]
    >>> _value_target(won, half, later, Settings(search_share=0.5, haste=0.25)).tolist()
    [[0.625, 0.125, 0.25]]
    """
    ended = _win_draw_loss(0.5 + (scores - 0.5) * (1 - settings.haste) ** left)
    # A search tells one number; it is spread so that the draw stays as likely as the result makes it: who thinks that
    # he is winning until a limit makes it a draw must learn that he was not.
    draw = _win_draw_loss(scores)[:, 1]
    guess = torch.stack([values * (1 - draw), draw, (1 - values) * (1 - draw)], 1)
    return (1 - settings.search_share) * ended + settings.search_share * guess


def _win_draw_loss(scores: Tensor) -> Tensor:
    """Scores from 0 to 1 as shares of win, draw and loss: a half is a draw, and between two they share.

    >>> _win_draw_loss(torch.tensor([1.0, 0.75, 0.0])).tolist()
    [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]
    """
    lean = 2 * scores - 1
    return torch.stack([lean.clamp(min=0), 1 - lean.abs(), (-lean).clamp(min=0)], 1)


def entropy(policies: Tensor) -> float:
    """How broad policies are, in nats, on average."""
    return float(-(policies * (policies + TINY).log()).sum(1).mean())


def divergence(before: Tensor, after: Tensor) -> float:
    """How far a policy has moved: the mean Kullback-Leibler divergence of what is from what was, in nats."""
    return float((after * ((after + TINY).log() - (before + TINY).log())).sum(1).mean())
