"""A test of a suite: a case, and every legal answer to it under each combination of dials."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.verdict import Divergence
from rsp_conformance.spec.alignment import compare, strayed
from rsp_conformance.spec.alignment_stamps import out_of_range
from rsp_conformance.test_suite.declined import declinable

TEST = "urn:x-rsp-conformance:test:"
"""The IRIs of tests begin so; what follows is the name."""

REPORTING = (
    *("answer_time", "trigger", "clock", "numbers", "time_tolerance", "answers", "advances"),
)
"""The dials that say how an engine hands out its answers, and not which: each engine's own."""

Order = tuple[int, int]
"""An arrival: its instant, and the position of its element in the input."""


@dataclass(frozen=True, slots=True)
class LegalEvaluation:
    """One evaluation of a legal answer.

    ``compared`` is false before the instant from which answers are compared. ``stamps`` are the
    instants that it carries under ``answer_time = arrival``, by the dial ``trigger``; ``own`` the
    same under ``clock = own``. Both are empty where no arrival can be told.
    """

    evaluation: Evaluation
    compared: bool
    stamps: Mapping[str, int] = field(default_factory=dict)
    own: Mapping[str, Order] = field(default_factory=dict)

    def under(self, dials: Dials) -> Evaluation:
        """Return the evaluation as ``spec.alignment`` wants it of an engine with these dials."""
        arrives = dials.answer_time == "arrival" and dials.clock == "own"
        return replace(self.evaluation, trigger=self.own.get(dials.trigger) if arrives else None)


LegalAnswer = tuple[LegalEvaluation, ...]


@dataclass(frozen=True, slots=True)
class SuiteDivergence:
    """The first place where an answer parts from the legal one that agrees longest.

    ``legal`` is the place of that one among the legal answers.
    """

    legal: int
    parting: Divergence


Combination = Mapping[str, tuple[str, ...]]
"""Dials, each with the values that are meant; any value of a dial that is not named is."""


@dataclass(frozen=True, slots=True)
class SuiteCase:
    """A case with its legal answers under some combinations of dials.

    Attributes:
        name: what the test is called.
        title: what it is about.
        case: the case.
        dials: one of the combinations in full, under which the answers were found.
        start: t_s, the instant from which answers are compared.
        legal: every legal answer.
        requires: the combinations under which no other answer is legal: each names the dials on
            which the answers depend, with the values that leave a right answer legal. None is for
            an engine with any dials.
        features: what the case needs an engine to have.
        source: where the case is printed, for those of the papers.
    """

    name: str
    title: str
    case: Case
    dials: Dials
    start: int
    legal: tuple[LegalAnswer, ...]
    requires: tuple[Combination, ...] = ({},)
    features: tuple[str, ...] = ()
    source: str = ""

    def lacks(self, features: Collection[str]) -> str:
        """Return what keeps the case from an engine with some features; empty if nothing does."""
        if missing := sorted(set(self.features).difference(features)):
            return f"the engine does not declare the feature {' and '.join(missing)}"
        if declined := sorted(declinable(self.case, self.dials).intersection(features)):
            return f"the engine declares {' and '.join(declined)}"
        return ""

    def misses(self, dials: Dials) -> Combination:
        """What an engine's dials have otherwise than the combination that is nearest to them.

        Returns:
            The dials in question with the values that the case needs; empty if it is for the
            engine.
        """
        missed = (
            {dial: values for dial, values in one.items() if dials.text(dial) not in values}
            for one in self.requires
        )
        return min(missed, key=len)

    def unmet(self, dials: Dials) -> str:
        """Return why the case is not for an engine with these dials; empty if it is."""
        for dial, values in self.misses(dials).items():
            return f"{dial}={dials.text(dial)}, and the case needs {' or '.join(values)}"
        return ""

    def judged_under(self, dials: Dials) -> Dials:
        """Return the case's dials with those of an engine's that say how it hands out answers.

        If the case computes numbers, their digits and form are open, and the files say nothing of
        it: they are compared by value, also for an engine whose numbers are compared as terms.
        """
        own = {name: getattr(dials, name) for name in REPORTING}
        if dials.numbers == "term":
            own["numbers"] = self.dials.numbers
        return replace(self.dials, **own)

    def is_right(self, observed: Sequence[Observed], dials: Dials) -> bool:
        """Return whether what an engine has answered agrees with a legal answer.

        Raises:
            Unsupported: as ``divergence`` does.
        """
        return self.divergence(observed, dials) is None

    def divergence(self, observed: Sequence[Observed], dials: Dials) -> SuiteDivergence | None:
        """Return where answers and the nearest legal answer part; None if one agrees.

        The nearest is found as that start is whose answer is nearest (`spec.correctness`).

        Args:
            observed: the answers of the engine.
            dials: those of the engine.

        Raises:
            Unsupported: the way in which the engine hands out answers cannot be compared.
        """
        under = self.judged_under(dials)
        if under.answer_time == "none" and under.clock == "own" and len(self.case.streams) > 1:
            raise Unsupported("answers without instants of windows with clocks of their own")
        stray = out_of_range(observed, self.case, under)
        nearest: tuple[tuple[int, int], int, Divergence | None] | None = None
        for number, legal in enumerate(self.legal):
            expected = [evaluation.under(under) for evaluation in legal]
            found = compare(expected, observed, self.case, under, self.start)
            if found.divergence is None and stray is None:
                return None
            if nearest is None or found.rank < nearest[0]:
                nearest = found.rank, number, found.divergence
        assert nearest is not None, "a case has a legal answer"
        _, number, parted = nearest
        parted = parted if stray is None else strayed(parted, stray)
        assert parted is not None, "an answer that agrees is right"
        return SuiteDivergence(number, parted)


@dataclass(frozen=True, slots=True)
class SuiteEntry:
    """A test of a suite: a case, with its legal answers under each combination of dials.

    Attributes:
        cases: the case as it is met by one kind of engine after the other; the first is the one
            that was drawn. Name, title, streams and background data are the same in all. Queries
            differ in how they are written, for engines that merge windows or evaluate by a clause.
    """

    cases: tuple[SuiteCase, ...]

    @property
    def name(self) -> str:
        """What the test is called."""
        return self.cases[0].name

    @property
    def title(self) -> str:
        """What the test is about."""
        return self.cases[0].title

    @property
    def iri(self) -> str:
        """The IRI of the test, in manifest and EARL."""
        return TEST + self.name

    def under(
        self, dials_of: Callable[[Case], Dials], features: Collection[str] | None = None
    ) -> SuiteCase:
        """Return the case as an engine meets it.

        A form of the query that the engine takes comes before those that it does not. Several
        combinations may let in an engine, since some make the answers of others legal and more, or
        from a later instant on. The first of these by the instant and then by the number of legal
        answers asks most of it: no other compares answers earlier.

        Args:
            dials_of: the engine's dials for a case.
            features: the engine's features; all if they are not known.

        Returns:
            The case; the nearest one, whose ``lacks`` or ``unmet`` says why, if the test is not for
            the engine.
        """

        def order(own: SuiteCase) -> tuple[bool, int, int, int]:
            lacks = features is not None and own.lacks(features) != ""
            return lacks, len(own.misses(dials_of(own.case))), own.start, len(own.legal)

        return min(self.cases, key=order)
