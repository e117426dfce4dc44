"""The price of a setting in bits: to name it, and to say the answers that it does not predict.

**What is sought.** The setting, dials turned and mutants switched on, under which the engine's
answers are the least surprising. That is the setting that says them in the fewest bits: what it
takes to name the setting, plus what it takes to say each answer that it does not predict. (Minimum
description length; Grünwald, *The Minimum Description Length Principle*, 2007.)

**Why bits.** One number decides all that otherwise takes a rule each: how many answers make a
mutant credible, how much one right answer says against it, when a pair of parts is better than a
part, and when a dial that only compares less has earned that.

**The prices.** A mutant takes the bits to choose it among all; a dial those to choose it and its
value, and `UNUSUAL` more, for most engines keep the dials that they declare. A wrong answer with
rows that is not as predicted takes `WRONG` bits, so two of them pay for a mutant and one never
does: one may be chance. A silent answer is predicted by every mutant that loses rows, so four have
to support one. A right answer that the setting would have made wrong takes `RIGHT` bits, as much as
four wrong ones: another bug, not found yet, may make up for a true one. If all of an engine's
failures are unstable, each case answered in two ways, its answers say less, and five have to
support a mutant; if a part of them is, answers lose that part of what they would lose then. A
setting that leaves more open than the profile does (where windows start, when an answer comes) pays
for each answer what it leaves open.

If the profile itself is sought, each dial has some value, and to say which takes as much for any;
only that the search began with another one takes `UNUSUAL` bits. A dial that is turned for queries
of one shape takes the bits to choose the dial, the value and the shape, unless an engine is known
to have it so.

**What was tried.** The prices were set by hand. The essay of `diagnosis.search` says what is named
with them on the recorded runs of `tools.evidence`.
With any of `WRONG`, `SILENT`, `RIGHT` and `UNUSUAL` a third higher or lower, every sixth of the
runs with known mutants has the same twelve names, and no other: none of the four is near an edge.
So the last two follow from the others now.
`BY_CHANCE` was not found so, because it has no effect on the 64 of the 68 recorded runs that have
no unstable failure; in the others, 2 to 6 of a hundred failures are unstable, and a third of it
changes an answer by 0.04 bits at most. It decides if all failures are unstable. A third lower, the
tests of an engine that answers by chance hold; a third higher, three of its answers and a shrunk
one are said to show a mutant.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import log2
from typing import Final

from rsp_conformance.diagnosis.clues import Clue
from rsp_conformance.diagnosis.mutants import MUTANTS
from rsp_conformance.files.profiles import bundled_profile, profile_names
from rsp_conformance.model.dials import DIALS, VALUES, Dials
from rsp_conformance.model.features import FEATURES, SHAPES
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.setting import Setting
from rsp_conformance.spec.starts import number_of_queries

WRONG: Final = 6.0
"""Bits of an unpredicted wrong answer with rows."""
SILENT: Final = 2.5
"""Bits of an unpredicted wrong answer without rows."""
BY_CHANCE: Final = 1.7
"""Bits of any unpredicted wrong answer, if the engine answers every case in two ways: five of them
support a mutant, where otherwise two do. A third higher, four would; a third lower, seven."""
RIGHT: Final = 4 * WRONG
"""Bits of a right answer that the setting predicts otherwise."""
CHEAPEST: Final = log2(len(MUTANTS))
"""The price of the cheapest part, a mutant. If less is at stake, no setting can pay."""
UNUSUAL: Final = CHEAPEST - log2(len(DIALS)) - log2(2) + 0.25
"""Bits that a dial takes besides its choice: a dial of two values then costs a little more than a
mutant, which is named if both predict the same."""
NUMBERS: Final = 64
"""The number of values that a dial with numbers is taken to have: those that a case may suggest."""


@lru_cache(maxsize=4096)
def price_of(part: Setting, *, is_held_to: bool = True) -> float:
    """Return the bits that it takes to name a part, one dial or one mutant.

    Args:
        part: the part.
        is_held_to: whether the engine is checked against a profile; else its profile is sought.
    """
    if part.mutants:
        return log2(len(MUTANTS))
    if part.dials and not is_held_to:
        return UNUSUAL
    known = known_by_shape()
    if part.by_shape and part.by_shape[0] in known:
        return UNUSUAL + log2(len(known))
    (name, value), *_ = (*part.dials, *(own[:2] for own in part.by_shape))
    values = VALUES.get(name, ())
    said = UNUSUAL + log2(len(DIALS)) + log2(max(2, len(values) if value in values else NUMBERS))
    return said + (log2(len(SHAPES) + len(FEATURES)) if part.by_shape else 0.0)


@cache
def known_by_shape() -> frozenset[tuple[str, str, str]]:
    """The dials that bundled profiles turn by shape: some engine has them."""
    profiles = map(bundled_profile, profile_names())
    return frozenset(own for profile in profiles for own in profile.by_shape())


def price(setting: Setting, *, is_held_to: bool = True) -> float:
    """Return the bits that it takes to name all parts of a setting."""
    return sum(price_of(part, is_held_to=is_held_to) for part in setting.parts)


def is_dear(part: Setting) -> bool:
    """Return whether a part is tried only if no other part explains anything.

    It is if it only compares less, or turns a dial to a value that is not listed, such as a number.
    """
    return part.forgives or any(value not in VALUES.get(dial, ()) for dial, value in part.dials)


def unpredicted(clue: Clue | Observation, *, by_chance: float) -> float:
    """Return the bits of a wrong answer that is not as predicted.

    Args:
        clue: the answer, or several that contradict each other.
        by_chance: the part of the engine's failures that are unstable, from 0 to 1.
    """
    most = WRONG if clue.speaks else SILENT
    return most - by_chance * (most - BY_CHANCE)


def left_open(dials: Dials, observation: Observation) -> float:
    """Return how many bits an answer says beyond what dials leave open, if they predict it."""
    case, answers, found = observation.stimulus.case, len(observation.observed), 0.0
    if dials.leaves_starts_open:
        found += log2(number_of_queries(case, dials))
    if dials.answer_time == "none":
        found += answers * log2(max(2, case.until - case.registered))
    return found + answers * log2(2 * dials.time_tolerance + 1)
