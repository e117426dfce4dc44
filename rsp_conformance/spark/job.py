"""Work for Spark's Python workers: whatever can be pickled, in shares, results in order."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import pyarrow as pa

from rsp_conformance.garbage import unhurried_garbage
from rsp_conformance.spark.session import SparkHandle, without_pandas_warning

W = TypeVar("W")
R = TypeVar("R")


def run(
    spark: SparkHandle, function: Callable[[list[W]], Sequence[R]], shares: Sequence[Sequence[W]]
) -> list[R]:
    """What FUNCTION makes of every one of SHARES, one after the other.

    FUNCTION stands in a module that workers can import, and is plain Python. What several members
    of a share have in common travels once.
    """

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            numbers, pickled = batch.column("share"), batch.column("work")
            found = []
            for share in pickled:
                with unhurried_garbage():
                    made = function(pickle.loads(share.as_py()))
                    found.append(pickle.dumps(made, protocol=5))
            yield pa.RecordBatch.from_arrays(
                [numbers, pa.array(found, pa.binary())], names=["share", "found"]
            )

    with unhurried_garbage():
        pickled = [pickle.dumps(list(share), protocol=5) for share in shares]
    frame = spark.session.createDataFrame(
        pa.table({"share": range(len(shares)), "work": pa.array(pickled, pa.large_binary())})
    )
    with without_pandas_warning():
        table = frame.mapInArrow(work, "share bigint, found binary").toArrow()
    found = sorted(zip(*table.to_pydict().values(), strict=True))
    with unhurried_garbage():
        return [one for _, made in found for one in pickle.loads(made)]


def shares_of(work: Sequence[Any], cores: int) -> list[Sequence[Any]]:
    """WORK in four consecutive parts a core, some of one member if there is little."""
    size = max(1, -(-len(work) // (cores * 4)))
    return [work[start : start + size] for start in range(0, len(work), size)]
