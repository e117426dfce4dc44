"""On which dials the legal answers to a case depend, and which values leave an engine right."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from rsp_conformance.files.profiles import bundled_profile, profile_names
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import ADDED, DIALS, VALUES, Dials, floors
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.spec.starts import t_s
from rsp_conformance.test_suite.entry import REPORTING, LegalAnswer
from rsp_conformance.test_suite.legal import (
    compared_part,
    legal_answers,
    same_answer,
    stamped,
)

_NUMBERED: Final[Mapping[str, tuple[str, ...]]] = {
    "t0": ("0", "1", *floors([2])),
    "report": ("WC & !NC", "P(1)", "P(2)", "COMPUTED EVERY 2", "COMPUTED EVERY"),
    "unit": ("1000", "1", "100"),
}
"""Values beside those of `model.dials.VALUES`: numbers that fit the suite's small windows."""
ALTERNATIVES: Final[Mapping[str, tuple[str, ...]]] = {
    dial: (
        # The packaged suite writes this policy in another order.
        *("CC | WC" if value == "WC | CC" else value for value in VALUES.get(dial, ())),
        *_NUMBERED.get(dial, ()),
    )
    for dial in DIALS
    if dial not in REPORTING or dial == "advances"
}
"""The values that are tried of each dial on which an answer may depend; some of endless many."""

JOINT: Final = 12
"""So many settings of several dials at once are tried."""


@dataclass(frozen=True)
class Dependence:
    """How the legal answers to CASE under DIALS change with each dial."""

    case: Case
    dials: Dials

    @cached_property
    def own(self) -> list[LegalAnswer]:
        """The legal answers under the dials themselves, as far as they are compared."""
        return compared_part(legal_answers(self.case, self.dials), self.start)

    @property
    def start(self) -> int:
        """The instant from which answers are compared."""
        return t_s(self.case, self.dials)

    def under(self, dials: Dials, case: Case | None = None) -> list[LegalAnswer] | None:
        """Return what is legal under other dials in the same range; None if nobody can say."""
        try:
            with limited():
                return compared_part(legal_answers(case or self.case, dials), self.start)
        except (Unsupported, LimitExceeded, ValueError):
            return None

    def tells(self, dial: str, value: str) -> bool:
        """Return whether other answers are legal if a dial has a value."""
        return self._differs(self.under(self.dials.with_dial(dial, value)))

    def tells_case(self, other: Case) -> bool:
        """Return whether other answers are legal to another case."""
        return self._differs(self.under(self.dials, other))

    def _differs(self, others: list[LegalAnswer] | None) -> bool:
        return others is not None and not (
            len(others) == len(self.own) and all(_is_among(answer, self.own) for answer in others)
        )

    def leaves_right(self, dials: Dials) -> bool:
        """Return whether every answer that dials make legal is legal under the case's own, too.

        An engine whose windows are named is never sent ``FROM WINDOW``, which it may not know.
        """
        merged = not all(window.named for window in self.case.query.windows)
        if merged and dials.windows_in == "named" != self.dials.windows_in:
            return False
        others = self.under(dials)
        # From its own t_s on an engine has to answer, and from no instant before.
        return (
            others is not None
            and all(_is_among(answer, self.own) for answer in others)
            and t_s(self.case, dials) <= self.start
        )

    def requires(self, seed: str) -> dict[str, tuple[str, ...]]:
        """Return the dials that matter, with the values under which a right answer stays legal.

        One dial is turned at a time. Then several are, as the bundled profiles have them and by
        chance: if dials that do not matter alone matter together, values are taken back.

        Args:
            seed: the same seed turns the same dials.
        """
        own = {dial: [self.dials.text(dial)] for dial in ALTERNATIVES}
        left = {
            dial: [
                *own[dial],
                *(
                    value
                    for value in values
                    if value not in own[dial]
                    and self.leaves_right(self.dials.with_dial(dial, value))
                ),
            ]
            for dial, values in ALTERNATIVES.items()
        }
        for together in (*_of_profiles(), *_by_chance(left, seed)):
            self._take_back({d: v for d, v in together.items() if v != self.dials.text(d)}, left)
        found = {dial: tuple(values) for dial, values in left.items() if _matters(dial, left)}
        if not stamped(self.case, self.dials):
            found["answer_time"] = ("evaluation", "none")
        return found

    def _take_back(self, turned: Mapping[str, str], left: dict[str, list[str]]) -> None:
        """Take a value back from what is left of dials, if several turned at once matter."""
        if len(turned) < 2 or not all(
            v in left[d] or not _matters(d, left) for d, v in turned.items()
        ):
            return
        if not self.leaves_right(self.dials.with_dials(turned)):
            first = next(dial for dial in ALTERNATIVES if dial in turned)
            known = turned[first] in ALTERNATIVES[first]
            kept = left[first] if known else [self.dials.text(first)]
            left[first] = [value for value in kept if value != turned[first]]


def _matters(dial: str, left: Mapping[str, list[str]]) -> bool:
    """Return whether answers depend on a dial: not all its values are left."""
    return not set(left[dial]) >= set(ALTERNATIVES[dial])


def _is_among(answer: LegalAnswer, answers: list[LegalAnswer]) -> bool:
    return any(same_answer(answer, other) for other in answers)


def _of_profiles() -> Iterator[dict[str, str]]:
    for name in profile_names():
        for dials in bundled_profile(name).settings():
            yield {dial: dials.text(dial) for dial in DIALS if dial in ALTERNATIVES}


def _by_chance(left: Mapping[str, list[str]], seed: str) -> Iterator[dict[str, str]]:
    # Younger dials are drawn apart, so that the others are drawn as before there were any.
    chance, younger = random.Random(seed), random.Random(f"{seed} {sorted(ADDED)}")
    for _ in range(JOINT):
        yield {
            dial: (younger if dial in ADDED else chance).choice(values)
            for dial, values in left.items()
        }


def suite_dials(dials: Dials) -> Dials:
    """Return dials as a suite's case has them: answers handed out plainly, but for ``numbers``.

    A millisecond, which stands for no length at all, becomes a second.
    """
    plain = Dials()
    kept = ("advances", "numbers")
    plainly = dials.with_dials({n: plain.text(n) for n in REPORTING if n not in kept})
    return plainly.with_dial("unit", "1000") if dials.unit == 1 else plainly
