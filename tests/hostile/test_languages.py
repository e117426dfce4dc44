"""Texts in the other languages: each that is no query is one line, with its place."""

from __future__ import annotations

import pytest

import rsp_conformance as rsp
from rsp_conformance.model.errors import BadInput
from rsp_conformance.text.languages import LANGUAGES
from tests.hostile.table import short

DIGITS = "9" * 5000
WINDOWED = {
    "rsp-ql": "SELECT * FROM NAMED WINDOW <w> ON <s> [RANGE {}] {{ {} }}",
    "rsp-ql-star": "SELECT * FROM NAMED WINDOW <w> ON <s> [RANGE {}] {{ {} }}",
    "c-sparql": "REGISTER QUERY q AS SELECT * FROM STREAM <s> [RANGE {} TUMBLING] WHERE {{ {} }}",
    "cqels-ql": "SELECT * {{ STREAM <s> [RANGE {}] {{ {} }} }}",
    "cqels-ql-2": "REGISTER QUERY q AS SELECT * FROM STREAM s [FUTURE {}] WHERE {{ {} }}",
    "sparqlstream": "SELECT * FROM NAMED STREAM <s> [NOW - {}] {{ {} }}",
}
LENGTHS = (
    "",
    "5 5",
    "-5s",
    "5 parsecs",
    "0s",
    "1.5s",
    f"{DIGITS}s",
    "s",
    "RANGE 5s",
    "5s 5",
    "é",
    "\0",
)
GROUPS = (
    *("{" * 2000, "}" * 50, "?x ?y", "?x ?y ?z ; ; ,", "FILTER(", "STREAM", "STREAM {", "WINDOW w"),
    *(
        "BIND(1 AS ?x) BIND(2 AS ?x)",
        "x:y ?p ?o",
        '?x ?y "open',
        "?x ?y \\ud800",
    ),
    *("OPTIONAL { " * 70 + "?x ?y ?z" + " }" * 70, "\0", "é" * 100_000, "_:b ?p 1 { _:b ?p 2 }"),
)
TEXTS = [
    *(
        (name, written.format(size, "?x ?y ?z"))
        for name, written in WINDOWED.items()
        for size in LENGTHS
    ),
    *(
        (name, written.format("PT5S" if "WINDOW" in written else "5s", group))
        for name, written in WINDOWED.items()
        for group in GROUPS
    ),
    *(
        (name, text)
        for name in WINDOWED
        for text in ("", "\0", "REGISTER", "SELECT", "\ufeff{", "]")
    ),
]


def test_all_languages_are_here() -> None:
    assert set(WINDOWED) == set(LANGUAGES)


@pytest.mark.parametrize(("language", "text"), TEXTS, ids=short)
def test_a_text_that_is_no_query_is_one_line(language: str, text: str) -> None:
    with pytest.raises(BadInput) as refused:
        rsp.query(text, language=language)
    (line,) = str(refused.value).splitlines()
    assert line.startswith("line ") and len(line) < 1000
