"""The seven queries of CSRBench as RSP-QL (CSRBench, Section 5; csrbench-oracle's properties).

    queries = all_queries()                              # the texts of this folder
    queries = all_queries(Path("…/srbench-queries.properties"))    # those of a checkout
    queries[3].width                                     # 4000, in milliseconds
    query = queries[3].rspql()                           # a Query over STREAM
    query = queries[3].rspql(named=True)                 # for CQELS, which names its windows

The query has widths and slides as durations, so it fits every unit that divides a second.
``named=False`` merges the window into the default graph: what C-SPARQL and SPARQLstream do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rsp_conformance.files.files import FileError, read_text
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.text.parse import parse_query

NUMBERS = (1, 2, 3, 4, 5, 6, 7)

STREAM = IRI("http://knoesis.wright.edu/ssw/observations")
"""The name that the stream has here; CSRBench gives it none. No keyword of a language ends it."""

WINDOW = "http://knoesis.wright.edu/ssw/window"
"""The name of every query's window."""

CORRECTED = {6: (5000, 5000)}
"""Width and slide of queries whose properties no recorded answer fits: Q6's say 50 s."""

OWN = Path(__file__).with_name("queries.properties")
"""The queries as CSRBench's table describes them, with its windows."""

_SELECT = re.compile(r"(.*?)(SELECT[^{]*?)\s*(?:WHERE\s*)?(\{.*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class BenchmarkQuery:
    """One query: its number, its SPARQL text, and its window's width and slide in milliseconds."""

    number: int
    sparql: str
    width: int
    slide: int

    def rspql(self, *, named: bool = False, operator: str | None = None) -> Query:
        """The query as algebra.

        NAMED gives the window a name, and the pattern is evaluated in it; else it is merged into
        the default graph. OPERATOR is RSTREAM, ISTREAM, DSTREAM or none.

        Raises:
            ValueError: the text is no SELECT query.
        """
        parts = _SELECT.fullmatch(self.sparql)
        if parts is None:
            raise ValueError("expected a SELECT query")
        prologue, head, pattern = parts.groups()
        streamed = f"REGISTER {operator} <{WINDOW}/answers> AS\n" if operator else ""
        return _parsed(
            f"{prologue}\n{streamed}{head}\n"
            f"{'FROM NAMED WINDOW' if named else 'FROM WINDOW'} <{WINDOW}> "
            f"ON STREAM <{STREAM.value}> [RANGE PT{self.width / 1000:.3f}S "
            f"STEP PT{self.slide / 1000:.3f}S]\n"
            + (f"WHERE {{ WINDOW <{WINDOW}> {pattern} }}" if named else f"WHERE {pattern}")
        )


_parsed = lru_cache(maxsize=64)(parse_query)


def all_queries(properties: Path = OWN) -> dict[int, BenchmarkQuery]:
    """The seven queries by number, from a file of PROPERTIES as csrbench-oracle writes them.

    CORRECTED overrules the widths and slides.

    Raises:
        FileError: the file lacks a query or a window, or a query is no SPARQL.
    """
    values = read_properties(properties)
    found = {}
    for number in NUMBERS:
        key = f"srb.query{number}"
        sparql = _value(properties, values, f"{key}.booleanquery")
        window = [
            _milliseconds(properties, values, f"{key}.window.{name}") for name in ("size", "slide")
        ]
        found[number] = BenchmarkQuery(number, sparql, *CORRECTED.get(number, window))
        try:
            found[number].rspql()
        except ValueError as error:
            raise FileError(properties, f"{key}.booleanquery: {error}") from None
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
