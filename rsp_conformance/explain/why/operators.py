"""ISTREAM and DSTREAM: a row against the evaluation before (RSP-QL Definitions 21 and 22)."""

from __future__ import annotations

from rsp_conformance.explain.differences import Part
from rsp_conformance.explain.evidence import Evidence, Step
from rsp_conformance.explain.provenance import Provenance
from rsp_conformance.explain.why.origins import extra_origin, missing_origin
from rsp_conformance.model.query import StreamOperator


class Previous:
    """A row at an evaluation and at the one before, where the streaming operator compares them."""

    def __init__(self, evidence: Evidence, step: Step, provenance: Provenance) -> None:
        self.evidence = evidence
        self.step = step
        self.now = provenance
        self.operator = evidence.case.query.operator
        self.before = evidence.before(step)
        self.earlier: Provenance | None = None
        if self.before is not None:
            self.earlier = Provenance(
                evidence, self.before.moment, self.before.contents, provenance.part
            )

    @property
    def applies(self) -> bool:
        """Whether the operator looks back."""
        return self.operator in {StreamOperator.ISTREAM, StreamOperator.DSTREAM}

    @property
    def _last(self) -> str:
        assert self.before is not None
        if self.before.t == self.step.t:
            return f"the evaluation before, at {self.before.t} too,"
        return f"the evaluation before, at {self.before.t},"

    def _count_now(self) -> int:
        return self.now.part.count(self.now.answer(self.now.held))

    def _count_before(self) -> int:
        if self.earlier is None:
            return 0
        return self.earlier.part.count(self.earlier.answer(self.earlier.held))

    def extra(self, part: Part) -> list[str]:
        """Why the operator does not give the row."""
        now, before, t = self._count_now(), self._count_before(), self.step.t
        if self.operator is StreamOperator.ISTREAM:
            if not now:
                gone = f"It held at {self._last} and is gone." if before else ""
                return [
                    *extra_origin(self.evidence, self.now, part.text),
                    *([gone] if gone else []),
                ]
            if before:
                return [
                    f"{part.text} holds at {t}{_times(now)}, but {self._last} has it"
                    f"{_times(before)} already, and ISTREAM gives what is new only."
                ]
            return [f"{part.text} holds at {t}{_times(now)}, and is given more often."]
        if self.earlier is None:
            return [f"No evaluation precedes the one at {t}, so DSTREAM has nothing to give."]
        if not before:
            return [
                f"DSTREAM gives what is gone, but {self._last} does not have {part.text}.",
            ]
        if now:
            return [
                f"{part.text} is not gone: it holds at {t} still.",
                *missing_origin(self.evidence, self.now, "there it"),
            ]
        return [f"{part.text} is gone at {t}{_times(before)}, and is given more often."]

    def truth(self, expected: bool) -> list[str]:
        """Why there is something to give, or nothing (ASK)."""
        t = self.step.t
        if self.operator is StreamOperator.ISTREAM:
            if expected:
                since = "" if self.before is None else f" that {self._last} does not have"
                return [f"There is a solution at {t}{since}, and ISTREAM gives what is new."]
            if not self._count_now():
                return extra_origin(self.evidence, self.now, "A solution")
            return [f"Of what holds at {t} nothing is new: {self._last} has it already."]
        if self.earlier is None:
            return [f"No evaluation precedes the one at {t}, so DSTREAM has nothing to give."]
        if expected:
            return [f"A solution of {self._last} is gone at {t}, and DSTREAM gives what is gone."]
        return [f"No solution of {self._last} is gone at {t}."]

    def missing(self, part: Part) -> list[str]:
        """Why the operator gives the row."""
        now, before, t = self._count_now(), self._count_before(), self.step.t
        if self.operator is StreamOperator.ISTREAM:
            origin = missing_origin(self.evidence, self.now, "it")
            if self.earlier is None:
                new = f"No evaluation precedes the one at {t}, so it is new."
            elif before:
                new = f"It holds at {t}{_times(now)}, and {self._last} has it{_times(before)} only."
            else:
                new = f"It is new: {self._last} does not have it."
            return [f"{part.text} is missing.", *origin, new]
        if self.earlier is None:
            return [f"{part.text} is missing."]
        gone = f"At {t} it is gone."
        if now:
            gone = f"At {t} it holds{_times(now)} only."
        elif self.earlier.yields(self.earlier.held):
            least = self.earlier.minimal(self.earlier.held)
            out = [item for item in sorted(least) if item not in self.now.held]
            if out:
                from rsp_conformance.explain.membership import where

                position, index = out[0]
                clause = where(
                    self.evidence, index, position, self.step.moment, self.step.contents[position]
                )
                gone = f"At {t} it is gone, since {clause}."
        return [
            f"{part.text} is missing.",
            f"{self._last[0].upper()}{self._last[1:]} has it{_times(before)}.",
            *missing_origin(self.evidence, self.earlier, "there it"),
            gone,
        ]


def _times(number: int) -> str:
    return "" if number <= 1 else f" {number} times"
