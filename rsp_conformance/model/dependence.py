"""What a wrong answer depends on, as experiments have shown it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Experiment:
    """Cases like a failing one that an engine was asked.

    A changed case that was answered right is left out if it meets a condition that the failing one
    does not, since that one may hide the bug.

    Attributes:
        without: the conditions of the failing case that they do not meet, in words; empty for cases
            that meet all of them.
        asked: the number of these cases.
        right: how many of them were answered right.
        other: how many were answered wrong in another way, which may be another bug.
    """

    without: tuple[str, ...] = ()
    asked: int = 0
    right: int = 0
    other: int = 0


@dataclass(frozen=True, slots=True)
class Dependence:
    """What a wrong answer depends on.

    Attributes:
        only_if: conditions in words, such as ``windows overlap``: in experiments without one of
            them no answer was wrong in this way. There may be others that no experiment has shown.
        experiments: the experiments, in the order in which the first case of each was asked.
    """

    only_if: tuple[str, ...] = ()
    experiments: tuple[Experiment, ...] = ()

    def __str__(self) -> str:
        """Say the conditions, such as ``only if FILTER and either ! or IN``; empty if none."""
        several = len(self.only_if) > 1
        said = (f"either {own}" if several and " or " in own else own for own in self.only_if)
        return f"only if {' and '.join(said)}" if self.only_if else ""

    @property
    def evidence(self) -> str:
        """What the experiments show of the conditions, in a sentence; empty if none was found."""
        each = {" or ".join(own.without): own for own in self.experiments}
        found = [each[condition] for condition in self.only_if if condition in each]
        like = sum(own.asked for own in self.experiments if not own.without)
        if not found:
            return ""
        asked, right = sum(own.asked for own in found), sum(own.right for own in found)
        which = "this condition" if len(found) == 1 else "one of these conditions"
        said = f"{right} of {asked} cases are right without {which}, none of {like} with"
        other = sum(own.other for own in found)
        if other:
            said += f"; {other} {'is' if other == 1 else 'are'} wrong in another way"
        return f"{said}."


NOTHING_FOUND: Final = Dependence()
"""No condition was found, or none was looked for."""
