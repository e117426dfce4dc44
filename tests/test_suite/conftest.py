"""The packaged suite, read once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from rsp_conformance.test_suite.entry import SuiteCase
from rsp_conformance.test_suite.manifest import CaseSuite, packaged_suite, read_suite
from tools.curation.table import read_claims


@cache
def packaged() -> CaseSuite:
    return read_suite(packaged_suite())


def named(name: str) -> SuiteCase:
    """The test's case as it was drawn."""
    return next(entry.cases[0] for entry in packaged().tests if entry.name == name)


@cache
def claims() -> Mapping[str, frozenset[str]]:
    """What ``CLAIMS`` says that each test covers and kills."""
    return read_claims()
