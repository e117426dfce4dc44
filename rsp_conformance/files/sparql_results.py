"""Results of SPARQL queries in W3C's formats: JSON, XML, TSV and CSV; and graphs.

JSON, XML and TSV say of each value whether it is an IRI, a blank node or a literal. CSV does not
(*SPARQL 1.1 Query Results CSV and TSV Formats*, 3): ``http://ex.org/a`` may be an IRI or a string,
``5`` an integer or a string. A value of CSV is taken for the one term of those known that CSV
writes so; if there is none, for a number, a truth value, an IRI or a string, by its looks. If two
known terms are written alike, nobody can say which it is, and the file is refused.
"""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rsp_conformance.files.answers import ANSWERS, SOLUTIONS
from rsp_conformance.files.codec import Format
from rsp_conformance.files.fields import MISSING, FieldError, fail
from rsp_conformance.files.files import FileError, parse_json, read_text
from rsp_conformance.files.rdf_files import SUFFIXES as GRAPHS
from rsp_conformance.files.rdf_files import read_quads, refuse_entities
from rsp_conformance.model.answers import Content, Rows, Triples, Truth, rows_from_solutions
from rsp_conformance.model.terms import IRI, XSD, BlankNode, Literal, Term

JSON: Final = (".srj", ".json")
FORMATS: Final[Mapping[str, str]] = {".srx": "XML", ".tsv": "TSV"}
"""Suffixes of files, with the names that the parser has for their formats."""
CSV: Final = ".csv"
SUFFIXES: Final = (*JSON, *FORMATS, CSV, *GRAPHS)
"""Suffixes of the files that hold one result."""
_NUMBERS: Final = (
    (re.compile(r"[+-]?\d+"), "integer"),
    (re.compile(r"[+-]?\d*\.\d+"), "decimal"),
    (re.compile(r"[+-]?(\d+\.?\d*|\.\d+)[eE][+-]?\d+"), "double"),
    (re.compile(r"true|false"), "boolean"),
)
_IRI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+")


def read_result(path: Path, known: Iterable[Term] = ()) -> Content:
    """Read the result in a file; its suffix names the format.

    Args:
        path: a file with one of SUFFIXES.
        known: the terms that a value of CSV may be.

    Raises:
        FileError: the file can't be read, or breaks its format.
    """
    suffix = path.suffix.lower()
    if suffix == CSV:
        return read_csv(path, known)
    if suffix in GRAPHS:
        quads = read_quads(path)
        # Triples outside of named graphs describe these, as does TripleWave's prov:generatedAtTime.
        named = [triple for triple, graph in quads if graph is not None]
        return Triples(frozenset(named or (triple for triple, _ in quads)))
    if suffix in JSON:
        return result_from_json(parse_json(read_text(path), path), path)
    if suffix not in FORMATS:
        raise FileError(path, f"expected a result of SPARQL: {', '.join(SUFFIXES)}")
    return _parsed(path, read_text(path), FORMATS[suffix])


def _parsed(path: Path, written: str, form: str) -> Content:
    """Read a result that is written in XML or TSV."""
    import pyoxigraph as ox

    refuse_entities(path, written)
    try:
        found = ox.parse_query_results(written, getattr(ox.QueryResultsFormat, form))
        if isinstance(found, ox.QueryBoolean):
            return Truth(bool(found))
        text = found.serialize(format=ox.QueryResultsFormat.JSON) or b""
    except (SyntaxError, ValueError) as error:
        raise FileError(path, " ".join(str(error).split())) from None
    return result_from_json(json.loads(text), path)


# --- JSON -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a result; that of ASK has no variables."""

    vars: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Bindings:
    """The solutions of a result."""

    bindings: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultJson:
    """A result in JSON."""

    head: Head
    results: Bindings | None = None
    boolean: bool | None = None

    def content(self) -> Content:
        """Return what it says.

        Raises:
            FieldError: it has neither solutions nor a truth value, or a term breaks the format.
        """
        if self.boolean is not None:
            return Truth(self.boolean)
        if self.results is None:
            fail("", "results or boolean", MISSING)
        if self.head.vars is None:
            fail("head.vars", "an array", MISSING)
        rows = [
            {name: _standard(term) for name, term in row.items()} for row in self.results.bindings
        ]
        solutions = ANSWERS.read(SOLUTIONS, rows, "results.bindings")
        return rows_from_solutions(solutions, self.head.vars)


_RESULTS: Final = Format({}, open=True)


def result_from_json(value: Any, path: Path, line: int | None = None) -> Content:
    """Read a result from its JSON value.

    Args:
        value: the value.
        path: the file that it was read from, for the error.
        line: its line, if it is one line of the file.

    Raises:
        FileError: the value is no result.
    """
    try:
        result: ResultJson = _RESULTS.read(ResultJson, value)
        return result.content()
    except FieldError as error:
        raise FileError(path, str(error), line) from None


def _standard(term: Any) -> Any:
    """Give a term the type that SPARQL 1.1 has for literals; its drafts had ``typed-literal``."""
    drafted = isinstance(term, Mapping) and term.get("type") == "typed-literal"
    return {**term, "type": "literal"} if drafted else term


# --- CSV ------------------------------------------------------------------------------------------


def read_csv(path: Path, known: Iterable[Term] = ()) -> Rows:
    """Read a result in CSV.

    Args:
        path: the file.
        known: the terms that a value may be.

    Raises:
        FileError: the file can't be read, a row has more or fewer values than the head, or a value
            may be two of the known terms.
    """
    lines = [row for row in csv.reader(read_text(path).splitlines()) if row]
    if not lines:
        raise FileError(path, "expected a line with the variables")
    names = tuple(name.strip().removeprefix("?") for name in lines[0])
    terms = _by_text(known)
    rows = []
    for number, row in enumerate(lines[1:], 2):
        if len(row) != len(names):
            said = f"expected {len(names)} values, found {len(row)}"
            raise FileError(path, said, number)
        rows.append(tuple(_term(path, number, own, terms) for own in row))
    return Rows(names, tuple(rows))


def _by_text(known: Iterable[Term]) -> Mapping[str, set[Term]]:
    """Terms by what CSV writes for them."""
    found = defaultdict[str, set[Term]](set)
    for term in known:
        if isinstance(term, IRI):
            found[term.value].add(term)
        elif isinstance(term, Literal):
            found[term.lexical].add(term)
    return found


def _term(path: Path, number: int, text: str, known: Mapping[str, set[Term]]) -> Term | None:
    """The term that a value of CSV stands for; None for an unbound one."""
    if not text:
        return None
    if text.startswith("_:"):
        return BlankNode(text.removeprefix("_:"))
    terms = known.get(text, set())
    if len(terms) > 1:
        forms = " or ".join(sorted(map(str, terms)))
        raise FileError(path, f"{text!r} may be {forms}: write TSV or JSON, which say", number)
    if terms:
        return next(iter(terms))
    for pattern, datatype in _NUMBERS:
        if pattern.fullmatch(text):
            return Literal(text, XSD + datatype)
    return IRI(text) if _IRI.fullmatch(text) else Literal(text)
