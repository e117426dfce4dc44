"""Ans(Q) and Definition 26 on Spark, for one case in a session of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.verdict import Vector, Verdict
from rsp_conformance.spark.batch.judge import SparkSemantics
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.masters import LOCAL
from rsp_conformance.spark.session import (
    SparkHandle,
    SparkUnavailable,
    check_installed,
    start_session,
)

WITHOUT = "leave out --spark"


def answer_by_spark(case: Case, dials: Dials, starts: Vector) -> tuple[Evaluation, ...]:
    """Ans(Q_z) for one z, in a session of its own.

    Raises:
        BadInput: Java or Spark is missing; the line says what to do.
        Unsupported, ValueError: as the reference model does.
    """
    with spark_session(WITHOUT) as session:
        (found,) = SparkSemantics(session).answers([Task("q", case, dials, t0=starts)]).values()
    if isinstance(found, Exception):
        raise found
    return found[starts]


def judge_by_spark(case: Case, dials: Dials, observed: tuple[Observed, ...]) -> Verdict:
    """Definition 26's verdict, in a session of its own.

    Raises:
        BadInput, Unsupported, ValueError: as ``answer_by_spark`` does.
    """
    with spark_session(WITHOUT) as session:
        (found,) = SparkSemantics(session).judge([Task("q", case, dials, observed)]).values()
    if isinstance(found, Exception):
        raise found
    return found


@contextmanager
def spark_session(without: str) -> Iterator[SparkHandle]:
    """A local session, for as long as the context.

    Args:
        without: how the command does without Spark, for errors.

    Raises:
        BadInput: Java or Spark is missing; the line says what to do.
    """
    try:
        check_installed(LOCAL)
        session = start_session()
    except SparkUnavailable as error:
        raise BadInput(error.said(without)) from error
    with session:
        yield session
