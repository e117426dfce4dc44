"""The packaged suite, read once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache

from rsp_conformance.test_suite.entry import SuiteCase
from rsp_conformance.test_suite.manifest import CaseSuite, packaged_suite, read_suite
from tools.curation.table import CLAIMS


@cache
def packaged() -> CaseSuite:
    return read_suite(packaged_suite())


def named(name: str) -> SuiteCase:
    return next(entry for entry in packaged().tests if entry.name == name)


@cache
def claims() -> Mapping[str, frozenset[str]]:
    """What ``CLAIMS`` says that each test covers and kills."""
    document = json.loads(CLAIMS.read_text("utf-8"))
    return {name: frozenset(points) for name, points in document.items()}
