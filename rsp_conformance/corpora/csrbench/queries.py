"""The seven queries of CSRBench as RSP-QL (CSRBench, Section 5; csrbench-oracle's properties).

    queries = all_queries()                              # the texts that this module knows
    queries = all_queries(Path("…/srbench-queries.properties"))    # those of a checkout
    queries[3].width                                     # 4000, in milliseconds
    query = queries[3].rspql()                           # a Query over data.STREAM
    query = queries[3].rspql(named=True)                 # for CQELS, which names its windows

Widths and slides stand in the query as durations, so it fits every unit that divides a second.
``named=False`` merges the window into the default graph: what C-SPARQL and SPARQLstream do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rsp_conformance.corpora.csrbench.data import STREAM
from rsp_conformance.files.files import FileError, read_text
from rsp_conformance.model.query import Query
from rsp_conformance.text.errors import QuerySyntaxError
from rsp_conformance.text.parse import parse_query

NUMBERS = (1, 2, 3, 4, 5, 6, 7)

WINDOW = "http://knoesis.wright.edu/ssw/window"
"""The name of every query's window."""

CORRECTED = {6: (5000, 5000)}
"""Width and slide of queries whose properties no recorded answer fits: Q6's say 50 s."""


@dataclass(frozen=True, slots=True)
class BenchmarkQuery:
    """One query: its number, its SPARQL text, and its window's width and slide in milliseconds."""

    number: int
    sparql: str
    width: int
    slide: int

    def text(self, *, named: bool = False, operator: str | None = None) -> str:
        """The query in RSP-QL.

        NAMED gives the window a name, and the pattern is evaluated in it; else it is merged into
        the default graph. OPERATOR is RSTREAM, ISTREAM, DSTREAM or none.
        """
        prologue, head, pattern = _parts(self.sparql)
        clause = "FROM NAMED WINDOW" if named else "FROM WINDOW"
        streamed = f"REGISTER {operator} <{WINDOW}/answers> AS\n" if operator else ""
        return (
            f"{prologue}\n{streamed}{head}\n"
            f"{clause} <{WINDOW}> ON STREAM <{STREAM.value}> "
            f"[RANGE {_duration(self.width)} STEP {_duration(self.slide)}]\n"
            + (f"WHERE {{ WINDOW <{WINDOW}> {pattern} }}" if named else f"WHERE {pattern}")
        )

    def rspql(self, *, named: bool = False, operator: str | None = None) -> Query:
        """The query as algebra; see ``text``."""
        return parse_query(self.text(named=named, operator=operator))


def all_queries(properties: Path | None = None) -> dict[int, BenchmarkQuery]:
    """The seven queries by number, from a checkout's PROPERTIES or as this module has them.

    CORRECTED overrules the widths and slides of the properties.

    Raises:
        FileError: the file lacks a query or a window, or a query is no SPARQL.
    """
    found = dict(_own()) if properties is None else _from_properties(properties)
    for number, (width, slide) in CORRECTED.items():
        found[number] = BenchmarkQuery(number, found[number].sparql, width, slide)
    return found


def _from_properties(path: Path) -> dict[int, BenchmarkQuery]:
    values = read_properties(path)
    found = {}
    for number in NUMBERS:
        key = f"srb.query{number}"
        sparql = _value(path, values, f"{key}.booleanquery")
        width, slide = (
            _milliseconds(path, values, f"{key}.window.{name}") for name in ("size", "slide")
        )
        found[number] = query = BenchmarkQuery(number, sparql, width, slide)
        try:
            query.rspql()
        except (QuerySyntaxError, ValueError) as error:
            raise FileError(path, f"{key}.booleanquery: {error}") from None
    return found


def read_properties(path: Path) -> dict[str, str]:
    r"""The values of Java properties by key, as far as csrbench-oracle writes them.

    A value is continued by ``\`` and keeps its line breaks. The published file has blanks after
    some of the backslashes. Java would take those for escaped blanks and end the value there; the
    library that csrbench-oracle reads it with drops them first, and so does this function.

    Raises:
        FileError: the file cannot be read, or a line is neither a comment nor ``key = value``.
    """
    found: dict[str, str] = {}
    lines = enumerate(read_text(path).splitlines(), 1)
    for number, line in lines:
        if not line.strip() or line.lstrip()[0] in "#!":
            continue
        key, equals, value = line.partition("=")
        if not equals or not key.strip():
            raise FileError(path, "expected key = value", number)
        parts = [value.strip()]
        while parts[-1].endswith("\\"):
            parts[-1] = parts[-1][:-1].rstrip()
            following = next(lines, None)
            if following is None:
                raise FileError(path, f"{key.strip()} is continued, and nothing follows", number)
            parts.append(following[1].strip())
        found[key.strip()] = "\n".join(parts).strip()
    return found


def _value(path: Path, values: Mapping[str, str], key: str) -> str:
    if not values.get(key):
        raise FileError(path, f"has no {key}")
    return values[key]


def _milliseconds(path: Path, values: Mapping[str, str], key: str) -> int:
    text = _value(path, values, key)
    if not text.isdecimal() or int(text) == 0:
        raise FileError(path, f"{key}: expected milliseconds, found {text!r}")
    return int(text)


def _parts(sparql: str) -> tuple[str, str, str]:
    """Prologue, SELECT clause and braced pattern of a SPARQL query of the benchmark's shape.

    ValueError where the text is of another shape.
    """
    upper = sparql.upper()
    select, brace = upper.find("SELECT"), sparql.find("{")
    if select < 0 or brace < select:
        raise ValueError("expected a SELECT query")
    head = sparql[select:brace].strip()
    if head.upper().endswith("WHERE"):
        head = head[: -len("WHERE")].strip()
    return sparql[:select].strip(), head, sparql[brace:].strip()


def _duration(milliseconds: int) -> str:
    """ISO 8601, as in ``PT4S``."""
    seconds, rest = divmod(milliseconds, 1000)
    fraction = f".{rest:03d}".rstrip("0") if rest else ""
    return f"PT{seconds}{fraction}S"


_PROLOGUE = """\
PREFIX om-owl: <http://knoesis.wright.edu/ssw/ont/sensor-observation.owl#>
PREFIX weather: <http://knoesis.wright.edu/ssw/ont/weather.owl#>
PREFIX sens-obs: <http://knoesis.wright.edu/ssw/>
"""


def _observation(name: str, sensor: str, value: str, kind: str = "_AirTemperature") -> str:
    """The pattern of one observation NAME by SENSOR whose value is VALUE."""
    return (
        f"?{name} om-owl:observedProperty weather:{kind} ; om-owl:procedure {sensor} ;\n"
        f"    om-owl:result [ om-owl:floatValue ?{value} ] .\n"
    )


@cache
def _own() -> Mapping[int, BenchmarkQuery]:
    """The queries as CSRBench's table describes them, with its windows."""
    hot = _observation("obs", "?sensor", "value") + "FILTER(?value > 80)"
    humid = _observation("obs", "?sensor", "value", "_RelativeHumidity")
    pair = _observation("ob1", "?sensor", "value1") + _observation("obs", "?sensor", "value")
    other = _observation("ob", "sens-obs:System_C1190", "value")
    other += _observation("ob1", "?sensor", "value1")
    written = (
        ("?sensor ?obs", hot, 10_000, 10_000),
        ("?sensor ?obs", hot, 1000, 1000),
        ("?sensor ?obs ?value", humid + "FILTER(?value < 49) FILTER(?value > 24)", 4000, 4000),
        ("(AVG(?value) AS ?avg)", hot, 4000, 4000),
        ("?sensor ?obs", hot, 5000, 1000),
        (
            "?sensor ?ob1 ?value1 ?obs",
            pair + "FILTER(?value1 > ?value) FILTER(?value > 75)",
            5000,
            5000,
        ),
        ("?sensor ?ob1", other + "FILTER(?value1 > ?value)", 5000, 5000),
    )
    return {
        number: BenchmarkQuery(
            number, f"{_PROLOGUE}SELECT {head} WHERE {{\n{pattern}\n}}", width, slide
        )
        for number, (head, pattern, width, slide) in enumerate(written, 1)
    }
