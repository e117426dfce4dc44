"""One Spark session for all tests of the plan; it ends with them, for others start their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rsp_conformance.spark.judge import SparkSemantics
from rsp_conformance.spark.session import SparkHandle, start_session


@pytest.fixture(scope="package")
def spark() -> Iterator[SparkHandle]:
    with start_session("local[2]") as handle:
        yield handle


@pytest.fixture
def semantics(spark: SparkHandle) -> SparkSemantics:
    return SparkSemantics(spark)
