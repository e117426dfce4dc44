"""Cases for the rsp-js driver, and what it answers.

Needs node and the installed engine (`rsp-conformance engines install rsp-js`), which is looked
for in the folder that `RSP_CONFORMANCE_RSP_JS` names, or in the per-user one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import platformdirs
import pytest

import rsp_conformance.adapters.rsp_js as adapter
from rsp_conformance.files.answers import ANSWERS
from rsp_conformance.model.answers import Content, Observed
from rsp_conformance.model.answers import Rows as ModelRows
from rsp_conformance.protocol import Failure, ProtocolEngine, Reply
from tests.builders.wire import run_of

DRIVER = Path(adapter.__file__).with_name("driver.js")
MODULES = Path(
    os.environ.get("RSP_CONFORMANCE_RSP_JS")
    or Path(platformdirs.user_data_dir("rsp-conformance")) / "rsp-js"
)
NODE = shutil.which("node")


NEEDED = [
    pytest.mark.skipif(NODE is None, reason="node is not installed"),
    pytest.mark.skipif(
        not (MODULES / "node_modules" / "rsp-js").is_dir(),
        reason="rsp-js is not installed: run rsp-conformance engines install rsp-js",
    ),
]


EX = "http://ex.org/"
Rows = list[tuple[str, ...]]


def window(width: int, slide: int, name: str = ":w", stream: str = ":s1") -> str:
    """A window line."""
    return f"FROM NAMED WINDOW {name} ON STREAM {stream} [RANGE {width} STEP {slide}]"


PATTERN = "WINDOW :w {\n?s :p ?o\n}"
OTHER = "WINDOW :w2 {\n?s2 :p ?o2\n}"


def query(*windows: str, body: str = PATTERN, head: str = "SELECT ?s", tail: str = "") -> str:
    """A query in the lines that the parser takes."""
    return "\n".join(
        [
            "PREFIX : <http://ex.org/>",
            "REGISTER RStream <http://ex.org/out> AS",
            head,
            *windows,
            "WHERE {",
            body,
            "}",
            tail,
        ]
    )


def element(name: str, t: int, stream: str = "s1", graph: str = "") -> dict[str, Any]:
    """One element of the triple `:name :p :o`, or of a graph."""
    triple = f"<{EX}{name}> <{EX}p> <{EX}o> .\n"
    return {"stream": EX + stream, "t": t, "graph": graph or triple}


def case(text: str, elements: Sequence[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    """A whole request."""
    own = {"id": "c", "streams": [f"{EX}s1", f"{EX}s2"], "until": 100, **fields}
    return run_of(text, *elements, **own)


def rows_of(answer: Observed) -> list[dict[str, Any]]:
    """The rows of an answer as the driver sent them."""
    content = answer.content
    return ANSWERS.write(Content, content)["solutions"] if isinstance(content, ModelRows) else []


def answers(engine: ProtocolEngine, *args: Any, **fields: Any) -> dict[int, Rows]:
    """The answers of a case by their cause, rows sorted, IRIs without their namespace."""
    outcome = engine.run(case(*args, **fields))
    assert isinstance(outcome, Reply), outcome
    found: dict[int, Rows] = {}
    for answer in outcome.answers:
        assert answer.t is None
        assert isinstance(answer.cause, int)
        assert answer.cause not in found
        found[answer.cause] = sorted(
            tuple(row[v]["value"].removeprefix(EX) for v in sorted(row)) for row in rows_of(answer)
        )
    return found


def check_terms(
    engine: ProtocolEngine, text: str, until: int, more: Mapping[str, dict[str, str]] | None = None
) -> int:
    """Every kind of term comes back to the letter as ?o, from a window that closes before UNTIL.

    Returns the number of answers.
    """
    date = "http://www.w3.org/2001/XMLSchema#date"
    terms = {
        "<http://ex.org/é>": {"type": "uri", "value": "http://ex.org/é"},
        "_:b0": {"type": "bnode", "value": "b0"},
        '"a\\"b\\\\c\\n\\u0301🦀"': {"type": "literal", "value": 'a"b\\c\n\u0301🦀'},
        '"près"@fr': {"type": "literal", "value": "près", "xml:lang": "fr"},
        f'"x"^^<{date}>': {"type": "literal", "value": "x", "datatype": date},
        **(more or {}),
    }
    graph = "".join(f"<{EX}a> <{EX}p> {term} .\n" for term in terms)
    found = engine.run(case(text, [element("", 1, graph=graph), element("x", until)]))
    assert isinstance(found, Reply)
    bound = [row["o"] for answer in found.answers for row in rows_of(answer)]
    assert sorted(map(str, bound)) == sorted(map(str, terms.values()))
    return len(found.answers)


def refused(engine: ProtocolEngine, *args: Any, **fields: Any) -> Failure:
    """The failure of a case."""
    outcome = engine.run(case(*args, **fields))
    assert isinstance(outcome, Failure), outcome
    return outcome
