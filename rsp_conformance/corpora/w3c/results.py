"""The results that tests expect: SPARQL's XML and JSON, DAWG's result sets in RDF, and graphs."""

from __future__ import annotations

from dataclasses import dataclass

from rsp_conformance.corpora.w3c.documents import Described, Document
from rsp_conformance.files.files import FileError
from rsp_conformance.files.sparql_results import read_result
from rsp_conformance.model.answers import Content, Rows, Triples, Truth
from rsp_conformance.model.terms import Term

RS = "http://www.w3.org/2001/sw/DataAccess/tests/result-set#"


@dataclass(frozen=True, slots=True)
class Expected:
    """What a test expects; ``ordered`` where ``rs:index`` says in which order the rows come.

    Without ``rs:index`` the order of rows is irrelevant for passing, also under ORDER BY (the
    suites' own rule).
    """

    content: Content
    ordered: bool = False


def read_expected(document: Document) -> Expected:
    """The expected result in a file; its suffix names the format.

    Raises:
        FileError: the file cannot be read, or has none of the formats.
    """
    if document.path.suffix.lower() in {".srx", ".srj"}:
        return Expected(read_result(document.path))
    described = Described(document)
    sets = described.subjects(RS + "ResultSet")
    if len(sets) > 1:
        raise FileError(document.path, "holds more than one rs:ResultSet")
    return (
        _result_set(described, *sets) if sets else Expected(Triples(frozenset(described.triples)))
    )


def _result_set(described: Described, node: Term) -> Expected:
    """The result set that NODE is in DAWG's vocabulary (``rs:``)."""
    if truth := described.value(node, RS + "boolean"):
        return Expected(Truth(described.text(truth) in {"true", "1"}))
    names = described.objects(node, RS + "resultVariable")
    variables = tuple(sorted(map(described.text, names)))
    solutions = described.objects(node, RS + "solution")
    indices = [_index(described, solution) for solution in solutions]
    ordered = bool(solutions) and None not in indices
    if ordered:
        places = sorted(range(len(solutions)), key=lambda i: indices[i] or 0)
        solutions = [solutions[i] for i in places]
    rows = []
    for solution in solutions:
        bound = dict(_cell(described, cell) for cell in described.objects(solution, RS + "binding"))
        if unknown := bound.keys() - set(variables):
            raise FileError(described.path, f"binds {min(unknown)}, which is no rs:resultVariable")
        rows.append(tuple(bound.get(v) for v in variables))
    return Expected(Rows(variables, tuple(rows)), ordered)


def _cell(described: Described, binding: Term) -> tuple[str, Term]:
    names, values = (described.objects(binding, RS + own) for own in ("variable", "value"))
    if len(names) != 1 or len(values) != 1:
        raise FileError(described.path, "an rs:binding needs one name and one value")
    return described.text(names[0]), values[0]


def _index(described: Described, solution: Term) -> int | None:
    index = described.value(solution, RS + "index")
    if index is None:
        return None
    if not described.text(index).isdecimal():
        raise FileError(described.path, f"the rs:index {described.text(index)!r} is no number")
    return int(described.text(index))
