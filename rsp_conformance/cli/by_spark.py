"""Ans(Q) by the Spark plan, for ``answers --spark``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rsp_conformance.cli.errors import BadInput
from rsp_conformance.model.answers import Evaluation
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.spark.session import SparkUnavailable, check_java, start_session

if TYPE_CHECKING:
    from rsp_conformance.model.verdict import Vector


def answer_by_spark(case: Case, dials: Dials, starts: Vector) -> tuple[Evaluation, ...]:
    """Ans(Q_z) for z = STARTS, in a session of its own.

    Raises:
        BadInput: Java or Spark cannot be had; the line says what to do.
        Unsupported, ValueError: as the specification does.
    """
    try:
        check_java()
        session = start_session()
    except SparkUnavailable as error:
        said = re.sub(r"judge without (Spark|it): --rsp-spark off", "leave out --spark", str(error))
        raise BadInput(said) from error
    from rsp_conformance.spark.judge import SparkSemantics
    from rsp_conformance.spark.tasks import Task

    with session:
        (found,) = SparkSemantics(session).answers([Task("q", case, dials, t0=starts)]).values()
    if isinstance(found, Exception):
        raise found
    return found[starts]
