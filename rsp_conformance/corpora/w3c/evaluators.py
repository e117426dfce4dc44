"""The columns of the table: the specification and Spark, each with an evaluator of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from rsp_conformance.corpora.w3c.asking import DIALS, UNTIL, Failed
from rsp_conformance.model.answers import Content, Evaluation
from rsp_conformance.model.case import Case
from rsp_conformance.spark.judge import SparkSemantics
from rsp_conformance.spark.session import SparkHandle
from rsp_conformance.spark.tasks import Task
from rsp_conformance.spec.ans import answer

GRAMMAR = "grammar"
"""What stands in the place of an evaluator for syntax tests."""

Answer: TypeAlias = Content | Exception
"""What a case's single evaluation answered, or why it answered nothing."""


class Column(Protocol):
    """A semantics as a column of the table."""

    @property
    def name(self) -> str:
        """Such as ``spark``."""

    def answers(self, cases: Mapping[str, Case]) -> Iterator[tuple[str, Answer]]:
        """What every case's evaluation at instant 1 answered, by the case's key.

        ``Unsupported`` says by name what the column does not evaluate.
        """


@dataclass(frozen=True, slots=True)
class BySpecification:
    """The executable specification, one case after the other."""

    @property
    def name(self) -> str:
        """See ``Column``."""
        return "specification"

    def answers(self, cases: Mapping[str, Case]) -> Iterator[tuple[str, Answer]]:
        """See ``Column``."""
        for key, case in cases.items():
            try:
                yield key, only_content(answer(case, DIALS, ()))
            # A test that breaks an evaluator has failed; the others are still to be told.
            except Exception as error:
                yield key, error


@dataclass(frozen=True, slots=True)
class BySpark:
    """The Spark plan, all cases in one batch."""

    session: SparkHandle

    @property
    def name(self) -> str:
        """See ``Column``."""
        return "spark"

    def answers(self, cases: Mapping[str, Case]) -> Iterator[tuple[str, Answer]]:
        """See ``Column``."""
        tasks = [Task(key, case, DIALS) for key, case in cases.items()]
        found = SparkSemantics(self.session).answers(tasks)
        for key in cases:
            answers = found[key]
            yield key, answers if isinstance(answers, Exception) else only_content(answers[()])


def columns(session: SparkHandle | None) -> tuple[Column, ...]:
    """Every column that can be had: that of the specification, and with a SESSION Spark's."""
    return (BySpecification(),) if session is None else (BySpecification(), BySpark(session))


def only_content(evaluations: tuple[Evaluation, ...]) -> Answer:
    """What the one evaluation that is due answered; a failure where there is another number."""
    if len(evaluations) != 1 or evaluations[0].t != UNTIL:
        instants = ", ".join(str(one.t) for one in evaluations) or "none"
        return Failed(f"evaluations at {instants}, where one at {UNTIL} was due")
    return evaluations[0].content
