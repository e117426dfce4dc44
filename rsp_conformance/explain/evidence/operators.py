"""ISTREAM and DSTREAM: a row against the evaluation before (RSP-QL Definitions 21 and 22)."""

from __future__ import annotations

from rsp_conformance.explain.argument import Compared, Fact, Part
from rsp_conformance.explain.evidence.provenance import Provenance
from rsp_conformance.explain.evidence.windows import placement
from rsp_conformance.explain.setting import Setting
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.spec.trace import TraceStep


class Previous:
    """A row at an evaluation and at the one before, where the streaming operator compares them."""

    def __init__(self, setting: Setting, step: TraceStep, part: Part) -> None:
        operator = setting.case.query.operator
        self.now = Provenance(setting, step, part)
        self.insertions = operator is StreamOperator.ISTREAM
        self.applies = self.insertions or operator is StreamOperator.DSTREAM
        """Whether the operator looks back."""
        self._step = step
        self._before = setting.before(step) if self.applies else None
        before = self._before
        self._earlier = None if before is None else Provenance(setting, before, part)
        self._times_before = 0 if self._earlier is None else self._earlier.count()

    def _fact(self, kind: Compared, *parts: Part, places: tuple[Fact, ...] = ()) -> Fact:
        other = None if self._before is None else self._before.t
        now, before = self.now.count(), self._times_before
        t = self._step.t
        return Fact(kind, parts, t=t, other=other, count=now, before=before, places=places)

    def extra(self, part: Part) -> list[Fact]:
        """Why the operator does not give the row."""
        now, before = self.now.count(), self._times_before
        if self.insertions and now:
            return [self._fact("not new" if before else "given more often", part)]
        if self.insertions:
            return [*self.now.wish(part), *([self._fact("left", part)] if before else [])]
        if self._before is None:
            return [self._fact("nothing precedes", part)]
        if not before:
            return [self._fact("was not there", part)]
        if now:
            return [self._fact("not gone", part), *self.now.origin(of="earlier row")]
        return [self._fact("gone once", part)]

    def truth(self, expected: bool) -> list[Fact]:
        """Why there is something to give, or nothing (ASK)."""
        if not self.insertions and self._before is None:
            return [self._fact("nothing precedes")]
        if not self.insertions:
            return [self._fact("solution is gone" if expected else "no solution is gone")]
        if expected or self.now.count():
            return [self._fact("solution is new" if expected else "no solution is new")]
        return self.now.wish()

    def missing(self, part: Part) -> list[Fact]:
        """Why the operator gives the row."""
        missing = Fact("missing", (part,))
        if self.insertions:
            new: Compared = "more than before" if self._times_before else "new"
            new = "new, nothing precedes" if self._before is None else new
            return [missing, *self.now.origin(), self._fact(new, part)]
        if self._earlier is None:
            return [missing]
        origin = self._earlier.origin(of="earlier row")
        return [missing, self._fact("was there", part), *origin, self._gone(self._earlier, part)]

    def _gone(self, earlier: Provenance, part: Part) -> Fact:
        """That the row is gone, with where the first of its elements is that have left."""
        if self.now.count():
            return self._fact("fewer than before", part)
        held = sorted(earlier.minimal(earlier.held)) if self._times_before else ()
        for position, index in held:
            if (position, index) not in self.now.held:
                content, moment = self._step.contents[position], self._step.moment
                where = placement(self.now.setting, index, position, moment, content)
                return self._fact("gone", part, places=(where,))
        return self._fact("gone", part)
