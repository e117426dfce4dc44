"""Terms, solutions and contents of answers as the protocol and crash files write them.

Terms and solutions are those of SPARQL 1.1 Query Results JSON; a triple has the type ``triple``
(ENGINE_PROTOCOL, section "run", ``solutions``). What is read is checked here, once: a `FieldError`
names the solution, the variable and what is wrong with its term.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from rsp_conformance.files.fields import (
    MISSING,
    as_choice,
    as_flag,
    as_instant,
    as_int,
    as_list,
    as_object,
    as_record,
    as_text,
    fail,
    get,
)
from rsp_conformance.model.answers import (
    Content,
    Evaluation,
    Observed,
    Rows,
    Triples,
    Truth,
    rows_from_solutions,
)
from rsp_conformance.model.terms import (
    IRI,
    RDF,
    RDF_LANGSTRING,
    XSD_STRING,
    BlankNode,
    Literal,
    Term,
    Triple,
)
from rsp_conformance.text.ntriples import NTriplesError, parse_ntriples, write_ntriples

TYPES = ("uri", "bnode", "literal", "triple")
FORMS = ("solutions", "boolean", "graph")
_LANG_STRINGS = (RDF_LANGSTRING, RDF + "dirLangString")
_PARTS = ("subject", "predicate", "object")
_ANSWER = ("t", "cause", *FORMS, "variables", "ties", "determined")
_FRACTION = re.compile(r"-?[0-9]{1,40}(/0*[1-9][0-9]{0,39})?")


def term_to_json(term: Term) -> dict[str, Any]:
    """TERM as the value of a binding; a triple has the type ``triple``."""
    match term:
        case IRI():
            return {"type": "uri", "value": term.value}
        case BlankNode():
            return {"type": "bnode", "value": term.label}
        case Triple():
            value = {part: term_to_json(getattr(term, part)) for part in _PARTS}
            return {"type": "triple", "value": value}
        case Literal():
            found: dict[str, Any] = {"type": "literal", "value": term.lexical}
            if term.language:
                found["xml:lang"] = term.language
            elif term.datatype != XSD_STRING:
                found["datatype"] = term.datatype
            return found


def term_from_json(value: object, where: str = "term") -> Term:
    """The term that a binding's VALUE writes; FieldError at WHERE if it is none."""
    term = as_object(value, where)
    kind, content = as_choice(get(term, "type"), f"{where}.type", TYPES), get(term, "value")
    if kind == "triple":
        return _triple(content, f"{where}.value")
    text = as_text(content, f"{where}.value")
    if kind == "uri":
        return IRI(text)
    if kind == "bnode":
        return BlankNode(text.removeprefix("_:"))
    datatype, language = get(term, "datatype"), get(term, "xml:lang")
    if datatype is not MISSING:
        as_text(datatype, f"{where}.datatype")
    if language is MISSING:
        return Literal(text, XSD_STRING if datatype is MISSING else datatype)
    if not as_text(language, f"{where}.xml:lang"):
        fail(f"{where}.xml:lang", "a language tag", language)
    if datatype is not MISSING and datatype not in _LANG_STRINGS:
        fail(f"{where}.datatype", "no datatype beside xml:lang", datatype)
    return Literal(text, language=language)


def _triple(value: object, where: str) -> Triple:
    parts = as_object(value, where)
    subject, predicate, object_ = (term_from_json(get(parts, p), f"{where}.{p}") for p in _PARTS)
    if isinstance(subject, Literal):
        fail(f"{where}.subject", "an IRI, a blank node or a triple", parts["subject"])
    if not isinstance(predicate, IRI):
        fail(f"{where}.predicate", "an IRI", parts["predicate"])
    return Triple(subject, predicate, object_)


def solutions_to_json(rows: Rows) -> list[dict[str, Any]]:
    """The rows as a list of bindings; what is unbound is absent."""
    return [
        {name: term_to_json(term) for name, term in solution.items()}
        for solution in rows.solutions()
    ]


def solutions_from_json(value: object, where: str = "solutions") -> Rows:
    """Rows from a list of bindings, columns in the order of their first appearance."""
    solutions = []
    for number, row in enumerate(as_list(value, where)):
        place = f"{where}[{number}]"
        solution = as_object(row, place)
        for variable in solution:
            if not variable or variable[0] in "?$":
                fail(place, "variable names without ? or $", variable)
        solutions.append({v: term_from_json(term, f"{place}.{v}") for v, term in solution.items()})
    return rows_from_solutions(tuple(solutions))


def content_to_json(content: Content, *, whole: bool = False) -> dict[str, Any]:
    """The content of an answer as the member that the protocol gives it.

    A WHOLE one has its columns and ties beside, of which solutions alone say nothing.
    """
    match content:
        case Rows():
            found: dict[str, Any] = {"solutions": solutions_to_json(content)}
            if whole:
                found["variables"] = list(content.variables)
                if content.ties is not None:
                    found["ties"] = list(content.ties)
                if not content.determined:
                    found["determined"] = False
            return found
        case Truth(value):
            return {"boolean": value}
        case Triples(graph):
            # Sorted, because sets come in another order in every process.
            return {"graph": "".join(sorted(write_ntriples([triple]) for triple in graph))}


def content_from_json(
    answer: Mapping[str, Any], where: str = "answer", *, whole: bool = False
) -> Content:
    """What an answer holds: exactly one of ``solutions``, ``boolean`` and ``graph``.

    Of a WHOLE one columns and ties are read too. Raises FieldError, whose places are below WHERE;
    a bad line of a graph is in it.
    """
    given = [form for form in FORMS if form in answer]
    if len(given) != 1:
        fail(where, "exactly one of solutions, boolean and graph", given)
    (form,) = given
    value, place = answer[form], f"{where}.{form}"
    match form:
        case "boolean":
            return Truth(as_flag(value, place))
        case "graph":
            return _graph(as_text(value, place), place)
    rows = solutions_from_json(value, place)
    return _columns(rows, answer, where) if whole and "variables" in answer else rows


def _columns(rows: Rows, answer: Mapping[str, Any], where: str) -> Rows:
    """ROWS over the columns of ANSWER, with its ties."""
    names, ties = as_list(answer["variables"], f"{where}.variables"), answer.get("ties")
    variables = tuple(as_text(name, f"{where}.variables") for name in names)
    again = rows_from_solutions(tuple(rows.solutions()), variables)
    if ties is not None:
        ties = tuple(as_int(n, f"{where}.ties", least=0) for n in as_list(ties, f"{where}.ties"))
        if len(ties) != len(again) or list(ties) != sorted(ties):
            fail(f"{where}.ties", "a number for each row, ascending", answer["ties"])
    determined = as_flag(answer.get("determined", True), f"{where}.determined")
    return Rows(again.variables, again.rows, ties, determined)


def _graph(text: str, place: str) -> Triples:
    try:
        return Triples(frozenset(parse_ntriples(text)))
    except NTriplesError as error:
        line = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[error.line - 1]
        fail(place, f"N-Triples (line {error.line}: {error.problem})", line)


def answers_to_json(
    answers: Iterable[Evaluation | Observed], *, whole: bool = False
) -> list[dict[str, Any]]:
    """Answers in the shape of a reply's: ``[{"t": …, "solutions": […]}]``.

    WHOLE ones keep columns and ties. An instant that is none is written ``"13/2"``.
    """
    return [
        {"t": str(a.t) if isinstance(a.t, Fraction) else a.t}
        | ({"cause": a.cause} if isinstance(a, Observed) else {})
        | content_to_json(a.content, whole=whole)
        for a in answers
    ]


def answers_from_json(value: object, where: str = "answers") -> tuple[Observed, ...]:
    """The answers that ``answers_to_json`` wrote, whole; FieldError below WHERE for others."""
    answers = enumerate(as_list(value, where))
    return tuple(_answer(answer, f"{where}[{number}]") for number, answer in answers)


def _answer(value: object, where: str) -> Observed:
    item = as_record(value, where, _ANSWER)
    t, cause = get(item, "t"), item.get("cause")
    exact = isinstance(t, str) and _FRACTION.fullmatch(t)
    t = Fraction(t) if exact else as_instant(t, f"{where}.t")
    if cause is not None and cause != "end":
        cause = as_int(cause, f"{where}.cause", least=0)
    return Observed(t, content_from_json(item, where, whole=True), cause)
