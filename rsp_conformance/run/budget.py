"""What a run may spend: trials and seconds, of a run of the properties, a campaign or a demo."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """The trials and the time of a run; it ends when either is used up.

    Attributes:
        trials: the trials of each property, or of a campaign in all; None for any number.
        seconds: the time on the clock for all of them together; None for any time.
    """

    trials: int | None = None
    seconds: float | None = None

    def ends(self, began: float) -> float | None:
        """Return the instant at which the time is up, if a run began at another; None for never."""
        return None if self.seconds is None else began + self.seconds

    def after(self, trials: int, seconds: float) -> Budget:
        """Return what is left after so many trials and so much time; nothing is below zero."""
        return Budget(
            None if self.trials is None else max(0, self.trials - trials),
            None if self.seconds is None else max(0.0, self.seconds - seconds),
        )

    @property
    def is_spent(self) -> bool:
        """Whether no trial, or no time, is left."""
        return self.trials == 0 or self.seconds == 0.0

    def part(self, trials: int, seconds: float) -> float:
        """Return the part, from 0 to 1, that so many trials and so much time are of it."""
        of_trials = trials / self.trials if self.trials else 0.0
        of_time = seconds / self.seconds if self.seconds else 0.0
        return min(1.0, max(of_trials, of_time))
