"""A failure is shown if all judges agree on it, and it comes again when run again.

A wrong answer stays wrong if another run of the case is right; that the engine is unstable is shown
beside it. A failure that comes in only one of several runs is shown with that remark. Answers that
contradict each other were asked for twice already (`relations.judging`), so they are not asked
again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from rsp_conformance.explain.render.headline import headline
from rsp_conformance.judge.failures import KitDisagreement
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.judge.verdict import finding_of, unstable
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.finding import Finding, RelationViolation, Shown, last_lines
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.run.asking import HUNG, LOST, has_hung
from rsp_conformance.run.events import FindingConfirmed, Working
from rsp_conformance.run.judging import differs
from rsp_conformance.run.opinions import Judged, Opinions, judged_answers
from rsp_conformance.run.record import Record
from rsp_conformance.run.reference_opinion import reading_of
from rsp_conformance.run.report import FailureReport
from rsp_conformance.run.worker import Worker
from rsp_conformance.spec.starts import has_one_query

REPEATS = 3
"""How often a failure is run again before it is shown."""
BEFORE_SPARK = "the reference model and the third opinion (Spark judges it at the end)"
"""The judges of a failure that Spark confirms at the end of the run."""
ONCE = "It came in one run of several."


class Confirming:
    """Confirms the failures of a run.

    Args:
        worker: asks the engine again, and judges.
        keeper: writes failures down.
        opinions: the other judges.
        reporter: knows what was shown before.
    """

    def __init__(
        self, worker: Worker, keeper: Keeper, opinions: Opinions, reporter: FailureReport
    ) -> None:
        self._asker = worker.asker
        self._judging = worker.judging
        self._ledger = worker.ledger
        self._keeper = keeper
        self._opinions = opinions
        self._reporter = reporter
        self._numbers: Counter[str] = Counter()
        # Where Spark runs, or that it is off, is said once, at the head of the run.
        self._by = worker.settings.judged_by.partition(" (")[0]

    def show(self, record: Record, known: tuple[str, ...] = ()) -> list[Shown]:
        """Confirm a record, write it down and tell of it.

        Args:
            record: a failing record.
            known: the ids of known causes that show in its case as well.

        Returns:
            The failures that are shown; none if the kit's own evaluation takes more than it may.

        Raises:
            KitDisagreement: the kit's own implementations differ on the case.
        """
        name, subject = record.property_name, self._asker.subject
        finding = self._judging.finding(record)
        self._ledger.tell(Working(name, "confirming"))
        try:
            confirmed = self._confirmed(record)
        except KitDisagreement:
            self._keeper.drop(finding)
            raise
        except LimitExceeded:
            self._keeper.drop(finding)
            return []
        self._numbers[name] += 1
        found = []
        for one in confirmed:
            ids = known if one is confirmed[0] else ()
            whole = replace(one.finding, number=self._numbers[name], known=ids)
            shown = replace(one, finding=whole, file=str(self._keeper.keep(whole, subject)))
            found.append(shown)
            self.tell(shown)
        self._keeper.drop(finding)
        return found

    def tell(self, shown: Shown) -> None:
        """Enter a confirmed failure in the ledger, unless it is shown already."""
        if not self._ledger.is_shown(shown.file):
            self._ledger.show(shown, self._event(shown))
            self._reporter.remember(shown.finding)

    def _event(self, shown: Shown) -> FindingConfirmed:
        finding = shown.finding
        return FindingConfirmed(
            finding.property_name,
            finding.kind,
            len(finding.case.elements),
            shown.file,
            shown.confirmed,
            self._reporter.same_as(finding) or "",
            headline(finding),
        )

    def _confirmed(self, record: Record) -> list[Shown]:
        """What a failing record shows: its failure, and the failures of its other runs."""
        finding, subject = self._judging.finding(record), self._asker.subject
        if finding.kind == "unstable":
            runs = _runs(finding)
            return [Shown(finding, ""), *self._wrong_in(finding, runs)]
        self._agreed(finding, record)
        finding = replace(finding, reading=reading_of(finding))
        if finding.violation is not None:
            told = any(asked.verdict is not None for asked in finding.violation.cases)
            return [Shown(finding, self._said(1, same=True, judged=told))]
        observation = next(
            (o for o in record.observations if finding_of("", subject, o, self._verdict(o))),
            record.observations[0],
        )
        if self._asker.broken is not None:
            return [Shown(finding, "")]
        return self._run_again(finding, observation)

    def _agreed(self, finding: Finding, record: Record) -> None:
        """Have all other judges confirm the verdicts behind a failure."""
        name = record.property_name
        if finding.violation is not None:
            self._opinions.confirm(name, self._judged(finding.violation))
        else:
            self._opinions.confirm(name, judged_answers(record.observations, record.correct))

    def _run_again(self, finding: Finding, observation: Observation) -> list[Shown]:
        hung = self._asker.hung
        if hung is not None and has_hung(observation) and observation is not hung:
            # While it was made small a case had only a part of the time limit.
            again = self._again(observation.stimulus)
            if has_hung(again):
                shown = replace(finding, failure=again.failure, stderr=again.stderr)
                return [Shown(shown, self._said(1, same=True, judged=False))]
            first = finding_of(finding.property_name, self._asker.subject, hung, None)
            assert first is not None
            finding, observation = first, hung
        # What hung had the whole limit once, and takes many times as long as what was answered.
        patience = self._asker.patience if finding.kind == HUNG else 1.0
        repeats = REPEATS
        if finding.kind in LOST:  # It costs the driver its life, or a whole time limit.
            repeats = 0 if self._asker.is_spent else 1
        same = True
        for _ in range(repeats):
            again = self._again(observation.stimulus, patience)
            differ = differs(observation, again)
            if differ and (broken := self._driver_broken(finding, again)) is not None:
                return [Shown(broken, ONCE)]
            # If several t0 are legal, an engine may start elsewhere each time, and be wrong so.
            if not self._fails(again) or (differ and has_one_query(finding.case, finding.dials)):
                return self._unsteady(finding, again)
            same = same and not differ
            # Run alone, what the driver writes is surely about this case.
            finding = replace(finding, stderr=last_lines(finding.stderr, again.stderr))
        judged = finding.verdict is not None
        return [Shown(finding, self._said(repeats, same=same, judged=judged))]

    def _unsteady(self, finding: Finding, again: Observation) -> list[Shown]:
        """The failures that are shown for a case that another run answers differently."""
        message = f"one run of this case ended in {finding.kind!r}, {self._ended(again)}"
        unsteady = unstable(replace(finding, reading=None), again, message)
        if finding.verdict is None:
            return [Shown(unsteady, ""), *self._wrong_in(unsteady, [again])]
        return [Shown(finding, self._once()), Shown(unsteady, "")]

    def _wrong_in(self, finding: Finding, runs: Sequence[Observation]) -> list[Shown]:
        """The first wrong answer of runs that differ, if one of them is wrong."""
        name = finding.property_name
        for own in runs:
            with suppress(LimitExceeded, ValueError):
                verdict = self._verdict(own)
                wrong = finding_of(name, self._asker.subject, own, verdict)
                if wrong is not None and verdict is not None:
                    self._opinions.confirm(name, [(own, verdict.correct)])
                    return [Shown(replace(wrong, reading=reading_of(wrong)), self._once())]
        return []

    def _driver_broken(self, finding: Finding, again: Observation) -> Finding | None:
        """The finding that calls the driver wrong, if one of two differing runs broke the protocol.

        A driver may notice in the second run that it has misled the kit in the first.
        """
        if finding.kind == "protocol-error":
            return finding
        if again.failure is not None and again.failure.kind == "protocol-error":
            return finding_of(finding.property_name, self._asker.subject, again, None)
        return None

    def _again(self, stimulus: Stimulus, patience: float = 1.0) -> Observation:
        return self._asker.again(stimulus, patience)

    def _verdict(self, observation: Observation) -> Verdict | None:
        return self._judging.verdict(observation)

    def _fails(self, own: Observation) -> bool:
        if own.failure is not None:
            return True
        verdict = self._verdict(own)
        return verdict is not None and not verdict.correct

    def _ended(self, again: Observation) -> str:
        if again.unsupported is not None:
            return "another in 'unsupported'"
        if again.failure is not None:
            return f"another in {again.failure.kind!r}"
        return "another gave a different answer" if self._fails(again) else "another was right"

    def _judged(self, violation: RelationViolation) -> list[Judged]:
        """The answers of a contradiction on which the reference model has a verdict."""
        found: list[Judged] = []
        for asked in violation.cases:
            if asked.verdict is not None:
                stimulus = asked.variant.stimulus
                dials = self._asker.subject.dials_of(stimulus)
                own = Observation(stimulus, dials, asked.query_text, asked.observed)
                found.append((own, asked.verdict.correct))
        return found

    # --- in a sentence -----------------------------------------------------------------------

    @property
    def _judges(self) -> str:
        return BEFORE_SPARK if self._opinions.is_starting else self._by

    def _once(self) -> str:
        return f"Confirmed by {self._judges}; it came in one run of several."

    def _said(self, repeats: int, *, same: bool, judged: bool) -> str:
        """Who confirmed a failure, if anybody judged it, and how often it came again."""
        if not repeats:
            return "Not run again: this run has lost too much time to such cases."
        times = "once" if repeats == 1 else f"{repeats} times"
        said = f"reproduced {times}" if same else f"wrong again {times}, in different ways"
        return f"Confirmed by {self._judges}; {said}." if judged else f"{said.capitalize()}."


def _runs(finding: Finding) -> list[Observation]:
    """The two runs behind a failure of kind ``unstable``, both with a whole answer."""
    stimulus = Stimulus(finding.case, finding.pacing)
    return [
        Observation(stimulus, finding.dials, finding.query_text, observed)
        for observed in (finding.observed, finding.again)
    ]
