"""What the drivers of engines on RSP4J are asked in tests, their fakes and the engines alike."""

from __future__ import annotations

from typing import Any

from rsp_conformance.adapters.jvm.driver import JvmDriver
from rsp_conformance.adapters.stdio import serve
from rsp_conformance.model.answers import Rows
from rsp_conformance.protocol import Engine, Failure
from tests.adapters.jvm.fake import replies
from tests.builders.wire import run_of

# --- on a fake of the engine ---------------------------------------------------------------------

QUERY = """\
PREFIX : <http://ex.org/>
REGISTER RSTREAM <urn:rsp:answers> AS
SELECT *
FROM NAMED WINDOW :w ON :s [RANGE PT2S STEP PT2S]
WHERE {
  WINDOW :w { ?s ?p ?o }
}
"""
PLAIN = "<urn:s> <urn:p> <urn:o> .\n"


def request(*graphs: str, query: str = QUERY, **more: Any) -> dict[str, Any]:
    """A case of GRAPHS at 1, 2 and so on."""
    stream, other = "http://ex.org/s", "http://ex.org/other"
    elements = [{"stream": stream, "t": t, "graph": graph} for t, graph in enumerate(graphs, 1)]
    return run_of(query, *elements, streams=[stream, other], **more)


def run(engine: JvmDriver, *graphs: str, **more: Any) -> dict[str, Any]:
    """The reply to a case, as the driver's process writes it."""
    (reply,) = replies(serve, engine, request(*graphs, **more))
    assert (reply["op"], reply["id"]) == ("run", "c1")
    return reply


def check_terms(engine: JvmDriver, node: str) -> None:
    """Every kind of term comes back, with the engine's time; NODE is what `_:b0` is called then."""
    terms = {
        "<urn:a>": {"type": "uri", "value": "urn:a"},
        "_:b0": {"type": "bnode", "value": node},
        r'"x\"y\n"': {"type": "literal", "value": 'x"y\n'},
        '"05"^^<urn:t>': {"type": "literal", "value": "05", "datatype": "urn:t"},
        '"près"@fr': {"type": "literal", "value": "près", "xml:lang": "fr"},
    }
    answers = run(engine, *(f"<urn:s> <urn:p> {term} .\n" for term in terms), unit=500)["answers"]
    assert [answer["t"] for answer in answers] == [1, 2, 3, 4, 5]
    assert [answer["cause"] for answer in answers] == [0, 1, 2, 3, 4]
    rows = [row for answer in answers for row in answer["solutions"]]
    assert [row["o"] for row in rows] == list(terms.values())
    assert rows[0].keys() == {"s", "p", "o"}


# --- on the engine itself ------------------------------------------------------------------------

NUMBER = '"{}"^^<http://www.w3.org/2001/XMLSchema#integer>'
OWNED = [{"quads": "<urn:a> <urn:own> <urn:h> .\n"}]
PATTERN = "WINDOW <urn:w> { ?s <urn:p> ?o }"
FILTER = "WINDOW <urn:w> {{ ?s <urn:p> ?o FILTER({}) }}"
TUMBLING = "[RANGE PT2S STEP PT2S]"


def real_request(
    elements: str,
    *,
    body: str = PATTERN,
    window: str = TUMBLING,
    operator: str = "RSTREAM",
    more: str = "",
    tail: str = "",
    **others: Any,
) -> dict[str, Any]:
    """A case whose ELEMENTS are written `subject@t`, with the object behind `=` if it is not x.

    An element of the second stream has a name that begins with r. MORE stands behind the window,
    TAIL behind the query.
    """
    found = []
    for written in elements.split():
        name, _, rest = written.partition("@")
        t, _, value = rest.partition("=")
        term = NUMBER.format(value) if value.isdigit() else f"<urn:{value or 'x'}>"
        stream = "urn:r" if name.startswith("r") else "urn:s"
        found.append({"stream": stream, "t": int(t), "graph": f"<urn:{name}> <urn:p> {term} .\n"})
    query = (
        f"REGISTER {operator} <urn:out> AS SELECT ?s "
        f"FROM NAMED WINDOW <urn:w> ON <urn:s> {window}{more} WHERE {{ {body} }}{tail}"
    )
    return run_of(query, *found, until=99, **others)


def told(engine: Engine, given: dict[str, Any], *, in_order: bool = True) -> str:
    """The instants of the answers and the subjects in them, sorted if they need not be IN_ORDER."""
    outcome = engine.run(given)
    assert not isinstance(outcome, Failure), outcome.message
    found = []
    for answer in outcome.answers:
        assert isinstance(answer.content, Rows)
        names = [str(row[0]).strip("<>").removeprefix("urn:") for row in answer.content.rows]
        found.append(f"{answer.t}:{','.join(names if in_order else sorted(names))}")
    return " ".join(found)
