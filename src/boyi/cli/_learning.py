"""What the commands that train share: a line of progress with a speed and an ETA."""

from __future__ import annotations

import time

from boyi.cli import _texts as texts
from boyi.cli._progress import Progress
from boyi.core.words import Language, Words

BAR = 20
STAGES = {"self-play": Words("self-play", "自对弈"), "train": Words("training", "训练"),
          "evaluate": Words("evaluation", "测评")}
UNITS = {"self-play": Words("games", "局"), "train": Words("steps", "步"), "evaluate": Words("games", "局")}
RUNNING = Words("{stage} {bar} {done}/{most} {unit}, {speed:.1f}/s, {left} left {words}",
                "{stage} {bar} {done}/{most} {unit}，{speed:.1f}/秒，剩余 {left} {words}")


class ProgressLine:
    """The line that tells how far a stage has come."""

    def __init__(self, progress: Progress, language: Language) -> None:
        self._progress = progress
        self._language = language
        self._stage: tuple[str, int] | None = None
        self._began = 0.0
        self._before = 0

    def on_progress(self, stage: str, done: int, most: int, words: str) -> None:
        """See `learn.training.progress.OnProgress`."""
        now = time.monotonic()
        if self._stage != (stage, most) or done < self._before:
            self._stage, self._began, self._before = (stage, most), now, done
        if not self._progress.due:
            return
        speed = (done - self._before) / max(1e-6, now - self._began)
        left = round((most - done) / speed) if speed else None
        filled = BAR * done // max(1, most)
        self._progress.show(texts.say(
            RUNNING, self._language, stage=STAGES[stage].say(self._language),
            bar="█" * filled + "░" * (BAR - filled), done=done, most=most, unit=UNITS[stage].say(self._language),
            speed=speed, left="?" if left is None else f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02}",
            words=words).rstrip())
