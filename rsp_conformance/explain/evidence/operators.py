"""ISTREAM and DSTREAM: a row against the evaluation before (RSP-QL Definitions 21 and 22)."""

from __future__ import annotations

from rsp_conformance.explain.argument import Claim, Compared, Comparison, Missing, Part, Placement
from rsp_conformance.explain.evidence.origins import extra_origin, missing_origin
from rsp_conformance.explain.evidence.provenance import Provenance
from rsp_conformance.explain.evidence.windows import placement
from rsp_conformance.explain.setting import Setting
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.spec.trace import TraceStep


class Previous:
    """A row at an evaluation and at the one before, where the streaming operator compares them."""

    def __init__(self, setting: Setting, step: TraceStep, part: Part) -> None:
        self.setting = setting
        self.step = step
        self.now = Provenance(setting, step, part)
        operator = setting.case.query.operator
        self.insertions = operator is StreamOperator.ISTREAM
        self.applies = self.insertions or operator is StreamOperator.DSTREAM
        """Whether the operator looks back."""
        self.before = setting.before(step) if self.applies else None
        self.earlier: Provenance | None = None
        if self.before is not None:
            self.earlier = Provenance(setting, self.before, part)

    def _compared(self, claim: Comparison, *parts: Part, **more: Placement) -> Compared:
        before = 0 if self.earlier is None else self.earlier.count()
        before_t = None if self.before is None else self.before.t
        return Compared(claim, parts, self.step.t, self.now.count(), before, before_t, **more)

    def extra(self, part: Part) -> list[Claim]:
        """Why the operator does not give the row."""
        now, before = self.now.count(), self.earlier.count() if self.earlier else 0
        if self.insertions:
            if not now:
                left = [self._compared("left", part)] if before else []
                return [*extra_origin(self.setting, self.now, part), *left]
            return [self._compared("not new" if before else "given more often", part)]
        if self.earlier is None:
            return [self._compared("nothing precedes", part)]
        if not before:
            return [self._compared("was not there", part)]
        if now:
            origin = missing_origin(self.setting, self.now, "earlier row")
            return [self._compared("not gone", part), *origin]
        return [self._compared("gone once", part)]

    def truth(self, expected: bool) -> list[Claim]:
        """Why there is something to give, or nothing (ASK)."""
        if self.insertions:
            if expected:
                return [self._compared("solution is new")]
            if not self.now.count():
                return extra_origin(self.setting, self.now)
            return [self._compared("no solution is new")]
        if self.earlier is None:
            return [self._compared("nothing precedes")]
        return [self._compared("solution is gone" if expected else "no solution is gone")]

    def missing(self, part: Part) -> list[Claim]:
        """Why the operator gives the row."""
        missing = Missing((part,))
        if self.insertions:
            origin = missing_origin(self.setting, self.now)
            new: Comparison = "new"
            if self.earlier is None:
                new = "new, nothing precedes"
            elif self.earlier.count():
                new = "more than before"
            return [missing, *origin, self._compared(new, part)]
        if self.earlier is None:
            return [missing]
        return [
            missing,
            self._compared("was there", part),
            *missing_origin(self.setting, self.earlier, "earlier row"),
            self._gone(part),
        ]

    def _gone(self, part: Part) -> Compared:
        assert self.earlier is not None
        if self.now.count():
            return self._compared("fewer than before", part)
        if self.earlier.yields(self.earlier.held):
            for position, index in sorted(self.earlier.minimal(self.earlier.held)):
                if (position, index) not in self.now.held:
                    content = self.step.contents[position]
                    moment = self.step.moment
                    where = placement(self.setting, index, position, moment, content)
                    return self._compared("gone", part, placement=where)
        return self._compared("gone", part)
