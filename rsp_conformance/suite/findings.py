"""What a run finds wrong: confirmed, written down, told of, and the causes behind it set aside."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rsp_conformance.causes.cause import CAUSES, CONTRADICTED, CONTRADICTED_YET, Cause
from rsp_conformance.causes.evidence import Evidence, Symptom
from rsp_conformance.causes.fingerprint import fingerprint, unexplained
from rsp_conformance.causes.known import KnownCause, KnownCauses
from rsp_conformance.causes.mutants import is_mute
from rsp_conformance.causes.search import find_causes
from rsp_conformance.explain.render.headline import headline
from rsp_conformance.judge.failures import ConformanceFailure, KitDisagreement
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.model.finding import Finding
from rsp_conformance.suite.checks import confirm
from rsp_conformance.suite.context import SuiteContext
from rsp_conformance.suite.events import CauseSetAside, FindingConfirmed, KnownCausesSeen, Working
from rsp_conformance.suite.evidence import SHARE, evidence_of
from rsp_conformance.suite.report import FailureReport

SEARCHING = 20.0
"""Seconds of processor time for each search for causes in a deep run, ..."""
SEARCHING_BRIEFLY = 6.0
"""... and in any other one while it goes on, ..."""
MOST_SEARCHING = 10.0
"""... as long as these searches have taken less, or SHARE of the run's other time; at the end of a
run there is more."""
SURE = 5
"""So many wrong answers a cause explains that is set aside after a brief search, and ..."""
DOUBTFUL = 0.1
"""... this part of as many it leaves open at most."""


class Findings:
    """The findings of a run of CONTEXT; JUDGED_BY says who judges.

    ``keeper`` writes them down, and ``shown`` are those that are confirmed, by their crash files.
    ``causes`` are those that were set aside, by their ids, and ``smallest`` the findings that
    causes of this run explain; ``likely`` are those to begin the search with at the end.
    """

    def __init__(
        self,
        context: SuiteContext,
        keeper: Keeper,
        judged_by: str,
    ) -> None:
        self.keeper = keeper
        self.reporter = FailureReport(keeper)
        self.shown: dict[Path, Finding] = {}
        self.smallest: list[Finding] = []
        self._context = context
        self._judged_by = judged_by
        self._exchange = context.exchange
        self._news: list[Cause] = []
        self.causes: dict[str, Cause] = {}
        self._doubtful: tuple[Cause, ...] = ()
        self._beside: list[Finding] = []
        self._next_search = 1
        self._searching = 0.0
        self._started = time.monotonic()

    def is_known(self, finding: Finding, *, briefly: bool) -> bool:
        """Whether FINDING, which is shrunk, is of a cause that is known by a failure; count it.

        A wrong answer that a hypothesis explains is known where that explains the crash file of a
        known cause too; what no hypothesis explains is known by its fingerprint. The search is as
        BRIEFLY as for ``set_aside``.
        """
        known, symptom = self._context.known, Symptom.of(finding)
        if not symptom.is_judged:
            alike = known.with_fingerprint(symptom)
        elif not known.riddles and not known.with_fingerprint(symptom):
            return False
        else:
            self._beside.append(finding)
            causes = self._searched(finding.property_name, briefly=briefly)
            for cause in filter(_is_possible, causes):
                self._solve(cause)
            sure = [KnownCause.of(cause, found=True) for cause in causes if _is_sure(cause)]
            alike = known.explain_all(symptom.observations)
            if not alike and not _explains(known.beside(sure), finding):
                alike = known.cover(finding)
            if not alike:
                self._beside.remove(finding)
                self._next_search = 1
        if alike:
            tally = self._context.tallies[finding.property_name]
            tally.enter(unsupported=None, compared=False, known=alike)
            self.keeper.drop(finding)
        return bool(alike)

    def confirm(
        self, property_name: str, failures: Sequence[ConformanceFailure], number: int = 1
    ) -> None:
        """Have Spark's verdicts on all cases, and every other opinion on FAILURES of round NUMBER.

        Raises KitDisagreement where the kit's own implementations differ.
        """
        try:
            self._context.opinions.confirm(property_name)
            shrunk = [failure.finding for failure in failures]
            confirm(failures, self._context, self._judged_by)
            for before, failure in zip(shrunk, failures, strict=True):
                if failure.finding.kind != before.kind:
                    self.keeper.drop(before)
                for shown in (failure, *failure.beside):
                    self._show(shown, number)
        except KitDisagreement:
            # Nothing is left that accuses the engine.
            for failure in failures:
                self.keeper.drop(failure.finding)
            raise

    def _show(self, failure: ConformanceFailure, number: int) -> None:
        """Write a confirmed FAILURE down, and tell of it; once, if rounds end in the same case."""
        finding = failure.finding = replace(failure.finding, number=number)
        path = self.keeper.keep(finding, self._context.subject)
        if path in self.shown:
            return
        self.shown[path] = finding
        self._context.emit(
            FindingConfirmed(
                finding.property_name,
                finding.kind,
                len(finding.case.elements),
                str(path),
                failure.confirmed,
                self.reporter.same_as(finding) or "",
                headline(finding),
            )
        )

    def take_back(self, property_name: str) -> None:
        """Accuse nobody of what PROPERTY_NAME has shown: the kit's implementations differ on it."""
        for path in [
            path for path, own in self.shown.items() if own.property_name == property_name
        ]:
            del self.shown[path]
            path.unlink(missing_ok=True)

    # --- the causes behind them ------------------------------------------------------------

    @property
    def likely(self) -> tuple[Cause, ...]:
        """The causes that were set aside, and those for which too little spoke as yet."""
        return (*self.causes.values(), *self._doubtful)

    def evidence(self, *, unexplained: bool = False) -> Evidence:
        """What the run has seen so far, for the search for causes, or what is UNEXPLAINED of it."""
        findings: list[tuple[Finding, Path | str]] = [(f, path) for path, f in self.shown.items()]
        beside = self._beside if unexplained else ()  # At the end they are known.
        findings += [(finding, "") for finding in (*self.smallest, *beside)]
        seconds = time.monotonic() - self._started
        return evidence_of(
            self._context, findings, seconds, self._searching, unexplained=unexplained
        )

    def set_aside(self, property_name: str, *, briefly: bool) -> bool:
        """Find causes behind what a property has shown; whether some are known from now on.

        If BRIEFLY, nothing is searched again before twice as many findings are there as when a
        search found nothing, and a cause that little speaks for as yet is left to the end.
        """
        known = self._context.known
        found = self._set_aside_unanswered(property_name)
        if self.learn() and any(map(self.is_explained, self._of(property_name))):
            return True
        before = len(known.causes) - found
        for cause in self._searched(property_name, briefly=briefly):
            # One without a counterexample of its own is left to the next round, which shrinks it.
            if cause.id in self.causes or not cause.file:
                continue
            if _is_sure(cause) if briefly else _is_possible(cause):
                self._know(property_name, cause, is_answered=not cause.is_explained)
        # The next search goes on from those for which too little speaks as yet.
        self._doubtful = tuple(own for own in self._doubtful if own.id not in self.causes)
        if len(known.causes) > before:
            self._next_search = len(self.shown) + len(self._beside) + 1
            return True
        return False

    def _searched(self, property_name: str, *, briefly: bool) -> tuple[Cause, ...]:
        """The causes of what the run has seen, as a search finds them; none where none is due."""
        context, started = self._context, time.process_time()
        there = len(self.shown) + len(self._beside)
        if briefly and (there < self._next_search or self._has_searched_enough):
            return ()
        evidence = self.evidence(unexplained=True)
        context.emit(Working(property_name, "looking for what stands behind the failures"))
        with context.ledger.timed("causes"):
            causes = find_causes(
                evidence,
                None if context.asking.broken else context.subject,
                seconds=SEARCHING_BRIEFLY if briefly else SEARCHING,
                briefly=briefly,
                known=context.known.hypothesis,
                before=self._doubtful,
                predictions=context.known.predictions,
            )
        self._searching += time.process_time() - started
        self._doubtful = tuple(
            cause for cause in causes if cause.is_explained and cause.id not in self.causes
        )
        self._next_search = 2 * there
        return causes

    @property
    def _has_searched_enough(self) -> bool:
        other = time.monotonic() - self._started - self._searching
        return self._searching > max(MOST_SEARCHING, SHARE * other)

    def is_overtaken(self, finding: Finding) -> bool:
        """Whether a cause that another worker has left meanwhile explains FINDING.

        Until it is learnt all is judged as before: what is shrunk must not change its mind.
        """
        if self._exchange is None or not self._exchange.has_news:
            return False
        self._news += self._exchange.news()
        known = self._context.known.beside(KnownCause.of(own, found=True) for own in self._news)
        return _explains(known, finding)

    def learn(self) -> bool:
        """Set aside what other workers have by now; whether there was any.

        A cause with which the engine never gives a row is one no more once it has given one.
        """
        there = {*self.causes}
        news, self._news = [*self._news, *(self._exchange.news() if self._exchange else ())], []
        for cause in news:
            if self.causes.setdefault(cause.id, cause) is cause and not self._solve(cause):
                self._context.known.add(KnownCause.of(cause, found=True))
        mute = [id for id, cause in self.causes.items() if is_mute(cause.hypothesis)]
        everything = self._context.memory.everything()
        if mute and any(own.observation.has_rows for own in everything):
            for id in mute:
                del self.causes[id]
                self._context.known.take_back(id)
        return not there >= {*self.causes}

    def _of(self, property_name: str) -> Iterator[Finding]:
        return (own for own in self.shown.values() if own.property_name == property_name)

    def is_explained(self, finding: Finding) -> bool:
        """Whether what is known by now explains FINDING."""
        return _explains(self._context.known, finding)

    def _set_aside_unanswered(self, property_name: str) -> bool:
        """Set aside failures without an answer, by fingerprint: no hypothesis explains them."""
        symptoms = (Symptom.of(finding, file=str(path)) for path, finding in self.shown.items())
        silent = (symptom for symptom in symptoms if fingerprint(symptom).site)
        new = [cause for cause in unexplained(silent) if cause.id not in self.causes]
        for cause in new:
            self._know(property_name, cause)
        return bool(new)

    def _know(self, property_name: str, cause: Cause, *, is_answered: bool = False) -> None:
        """Set CAUSE aside; of wrong answers that nothing explains the fingerprint is no cause.

        It is that of the shrunk case, and others have another.
        """
        if self._solve(cause):
            return
        self.causes[cause.id] = cause
        self._context.emit(CauseSetAside(property_name, CAUSES.write(Cause, cause)))
        if not is_answered:
            self._context.known.add(KnownCause.of(cause, found=True))
            if self._exchange:
                self._exchange.leave(cause)

    def _solve(self, cause: Cause) -> bool:
        """Know CAUSE as the one of a crash file of wrong answers, if it explains them."""
        if (known := self._context.known.solved_by(cause)) is None:
            return False
        self.causes[cause.id] = cause
        self._context.known.add(known)
        if self._exchange:
            self._exchange.leave(cause)
        return True

    def known_causes_seen(self) -> KnownCausesSeen | None:
        """Which causes that were given were shown, and which should have been and were not."""
        known, tallies = self._context.known, self._context.tallies.values()
        given = [cause for cause in known.causes if not cause.found]
        if not given:
            return None
        shown = {id for tally in tallies for id in tally.causes}
        everything = self._context.memory.everything()
        right = [own.observation for own in everything if own.verdict and own.verdict.correct]
        gone = (cause.id for cause in given if known.is_gone(cause, right))
        return KnownCausesSeen(tuple(sorted(shown)), tuple(id for id in gone if id not in shown))


def _explains(known: KnownCauses, finding: Finding) -> bool:
    symptom = Symptom.of(finding)
    return symptom.is_answered and bool(known.explain_all(symptom.observations))


def _is_sure(cause: Cause) -> bool:
    """Whether more than a few cases speak for CAUSE, if it is explained, and hardly any against."""
    if not cause.is_explained:
        return True
    enough = cause.explains >= SURE and cause.open <= DOUBTFUL * cause.explains
    # Another defect, not found yet, may make some answers right all the same.
    return enough and _is_possible(cause, CONTRADICTED_YET)


def _is_possible(cause: Cause, weight: int = CONTRADICTED) -> bool:
    """Whether right answers, by WEIGHT, leave CAUSE, if it is explained.

    What only compares less waits.
    """
    return cause.contradicts <= cause.explains // weight and not cause.hypothesis.forgives
