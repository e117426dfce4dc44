"""A candidate for a suite: a test, what its answers depend on, and how large it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.answers import is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.test_suite.dependence import Dependence
from rsp_conformance.test_suite.entry import SuiteCase
from rsp_conformance.test_suite.export import suite_case


@dataclass(frozen=True, eq=False)
class Candidate:
    """ENTRY, drawn for an ``about``, of which it has the ``laws``; ``kept`` whatever it covers."""

    entry: SuiteCase
    about: str
    laws: tuple[str, ...] = ()
    kept: bool = False

    @cached_property
    def dependence(self) -> Dependence:
        """What the legal answers depend on."""
        return Dependence(self.entry.case, self.entry.dials)

    @cached_property
    def size(self) -> int:
        """How much there is to read: elements, background data, features, windows, instants."""
        case = self.entry.case
        triples = sum(len(e.graph) for e in case.elements) + sum(
            len(e.triples) for e in case.background
        )
        words = len(self.entry.features) + 2 * len(case.query.windows) + len(self.entry.legal)
        return 4 + len(case.elements) + triples + words + (case.until - case.registered) // 4

    @cached_property
    def has_rows(self) -> bool:
        """Whether every legal answer has rows that are compared."""
        return all(
            any(not is_empty(e.evaluation.content) for e in answer)
            for answer in self.dependence.own
        )


def candidate(
    case: Case,
    dials: Dials,
    about: str,
    *,
    name: str = "",
    title: str = "",
    source: str = "",
    laws: Iterable[str] = (),
    kept: bool = False,
) -> Candidate | None:
    """CASE under DIALS as a candidate; None where it is not for a suite."""
    try:
        entry = suite_case(case, dials, name or about, title or about, source)
    except (Unsupported, LimitExceeded, ValueError):
        return None
    return Candidate(entry, about, tuple(laws), kept)
