"""Cases from bytes, for campaigns that run outside pytest and Hypothesis' own engine.

The bytes are Hypothesis' own encoding, so the same bytes are the same case in every process with
the same versions of Hypothesis and of this package. A fuzzer may feed them to the suite's
properties as well: ``property.hypothesis.fuzz_one_input(data)`` runs the property once, saves a
failing case into ``settings.database`` and raises; the property's next ordinary run then finds
the case there and shrinks it.
"""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given, settings

from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.profiles import Profile
from rsp_conformance.strategies.cases import GENERATED, PLAIN, cases


def case_from_bytes(
    data: bytes,
    features: Iterable[str] = GENERATED,
    profile: Profile | Dials = PLAIN,
    *,
    focus: str | None = None,
    max_elements: int | None = None,
) -> Case | None:
    """The case that DATA stands for, None where there are too few bytes to make one.

    A few hundred bytes are enough; what is left over is ignored. The other arguments are those of
    ``cases``.
    """
    found: list[Case] = []

    @settings(database=None)
    @given(cases(features, profile, focus=focus, max_elements=max_elements))
    def collect(case: Case) -> None:
        found.append(case)

    collect.hypothesis.fuzz_one_input(data)  # type: ignore[attr-defined]
    return found[0] if found else None
