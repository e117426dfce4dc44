"""Burn-ins on the run's Spark session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.burnin.config import BurnInConfig
from rsp_conformance.burnin.result import BurnIn
from rsp_conformance.burnin.run import burn_in
from rsp_conformance.spark.session import SparkHandle

BurnIns = Callable[..., BurnIn]


@pytest.fixture
def run(spark: SparkHandle, tmp_path: Path) -> BurnIns:
    """Burn in an engine, the kit's own unless told otherwise; keywords are its options.

    ``fields`` are further ones of the config.
    """

    def run(size: int, *, engine: str = "reference", seed: str = "3", **given: Any) -> BurnIn:
        fields = {"folder": tmp_path, **given.pop("config", {})}
        options = {name.replace("__", "."): str(value) for name, value in given.items()}
        config = BurnInConfig(engine=engine, size=size, seed=seed, options=options, **fields)
        return burn_in(config, lambda: spark)

    return run
