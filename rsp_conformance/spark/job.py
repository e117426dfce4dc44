"""Work for Spark's Python workers: all that can be pickled, in shares; results in order."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pyarrow as pa

from rsp_conformance.garbage import unhurried_garbage
from rsp_conformance.spark.session import SparkHandle

W = TypeVar("W")
R = TypeVar("R")


def run(
    spark: SparkHandle, function: Callable[[list[W]], Sequence[R]], shares: Sequence[Sequence[W]]
) -> list[R]:
    """Apply a function to each of the shares, on Spark, and join the results in order.

    Values that several members of a share have in common travel once.

    Args:
        spark: the session.
        function: plain Python, in a module that workers can import.
        shares: the shares.
    """
    from pyspark.sql.pandas.functions import arrow_udf

    def work(batch: pa.Array) -> pa.Array:
        found = []
        for share in batch:
            with unhurried_garbage():
                made = function(pickle.loads(share.as_py()))
                found.append(pickle.dumps(made, protocol=5))
        return pa.array(found, pa.binary())

    with unhurried_garbage():
        pickled = [pickle.dumps(list(share), protocol=5) for share in shares]
    frame = spark.session.createDataFrame(
        pa.table({"share": range(len(shares)), "work": pa.array(pickled, pa.large_binary())})
    )
    # `mapInArrow` would ask for pandas, which nothing here uses. PySpark's types want the kind of
    # function as well; PySpark itself warns if it is given.
    applied = arrow_udf(work, "binary")  # type: ignore[call-overload]
    table = frame.select("share", applied("work")).toArrow()
    found = sorted(zip(*table.to_pydict().values(), strict=True))
    with unhurried_garbage():
        return [one for _, made in found for one in pickle.loads(made)]


def shares_of(work: Sequence[Any], cores: int) -> list[Sequence[Any]]:
    """Divide work into four consecutive shares per core, of one item each if there is little."""
    size = max(1, -(-len(work) // (cores * 4)))
    return [work[start : start + size] for start in range(0, len(work), size)]
