"""CSRBench, Table 1, and the columns of the table of dials."""

from __future__ import annotations

import pytest

from rsp_conformance.model.dials import Dials
from rsp_conformance.model.profiles import bundled_profile

COLUMNS = {
    #                     C-SPARQL  CQELS  SPARQLstream  RSP-QL*
    "bounds": ("(o,c]", "(o,c]", "(o,c]", "[o,c)"),
    "window": ("active", "active", "active", "last-closed"),
    "t0": ("any", "any", "any", "0"),
    "report": ("WC & NC", "CC", "WC & NC", "COMPUTED EVERY"),
    "report_windows": ("any", "any", "any", "any"),
    "content_change": ("insertions", "insertions", "insertions", "insertions"),
    "tick": ("tuple", "tuple", "tuple", "time"),
    "stream_operators": ("R", "I", "R I D", "none"),
    "r2s": ("bag", "bag", "bag", "bag"),
    "window_content": ("set", "set", "set", "set"),
    "windows_in": ("default", "named", "default", "named"),
    "empty_answers": ("yes", "no", "no", "yes"),
    "answer_time": ("evaluation", "arrival", "evaluation", "evaluation"),
    "trigger": (">", ">", ">", ">"),
    "numbers": ("value", "value", "value", "value"),
    "time_tolerance": ("0", "0", "0", "0"),
    "unit": ("1000", "100", "100", "1"),
}


@pytest.mark.parametrize("dial", COLUMNS)
def test_the_profiles_are_the_papers(dial: str) -> None:
    names = ("c-sparql", "cqels", "sparqlstream", "rsp-ql-star")
    assert tuple(bundled_profile(name).base.text(dial) for name in names) == COLUMNS[dial]


def test_plain_rspql_is_what_the_profiles_leave_out() -> None:
    assert bundled_profile("rsp-ql").base == Dials()
    plain = {dial: Dials().text(dial) for dial in COLUMNS}
    assert plain == {
        "bounds": "(o,c]",
        "window": "active",
        "t0": "any",
        "report": "WC",
        "report_windows": "any",
        "content_change": "insertions",
        "tick": "time",
        "stream_operators": "R I D",
        "r2s": "bag",
        "window_content": "set",
        "windows_in": "named",
        "empty_answers": "yes",
        "answer_time": "evaluation",
        "trigger": ">",
        "numbers": "term",
        "time_tolerance": "0",
        "unit": "1",
    }
