"""What all of pytest's runs here share."""

from __future__ import annotations

import pytest

# Links at the root, whose files pytest would collect twice.
collect_ignore = ["strategies", "adapters"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """W3C's suites are not part of this repository: their folder is given."""
    parser.addoption(
        "--w3c",
        metavar="DIR",
        help="A checkout of w3c/rdf-tests for tests/corpora/w3c (without it: $W3C_RDF_TESTS).",
    )
