"""Tests whose expected result is not the recommendation's, each argued from its text.

Such a test is skipped with its reason, and only where the answer is not the one that it expects: a
test that passes all the same is counted as passed.
"""

from __future__ import annotations

from collections.abc import Mapping

_DATES = (
    "compares xsd:date by value, an extension that the manifest itself asks for (mf:requires "
    "mf:XsdDateOperations): the operators of SPARQL 1.1, 17.3, know xsd:dateTime and not xsd:date, "
    "extensions may add to them (17.3.1), and without one "
)
_OPEN_WORLD = "http://www.w3.org/2001/sw/DataAccess/tests/data-r2/open-world/manifest#"

AT_ODDS: Mapping[str, str] = {
    _OPEN_WORLD + "date-2": _DATES
    + "!= is that of RDFterm-equal, a type error for two literals that are not the same term "
    "(17.4.1.7), so no row is left",
    _OPEN_WORLD + "date-3": _DATES + "> is a type error, so no row is left",
}
"""The reason by the test's IRI."""
