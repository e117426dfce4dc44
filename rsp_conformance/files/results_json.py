"""Terms, solutions and contents of answers as the protocol and crash files write them.

Terms and solutions have the form of SPARQL 1.1 Query Results JSON; a triple has the type ``triple``
(docs/protocol.md, section "run", ``solutions``). Input is checked here, once: a `FieldError` names
the solution, the variable and what is wrong with its term.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Annotated, Any, Final, cast
from typing import Literal as OneOf

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    model_validator,
)

from rsp_conformance.files.fields import (
    as_flag,
    as_instant,
    as_int,
    as_list,
    as_record,
    as_text,
    fail,
    get,
)
from rsp_conformance.files.forms import ABSENT, MANY, JsonForm, Matching, Text, read_form
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
    XSD,
    XSD_STRING,
    BlankNode,
    Literal,
    Term,
    Triple,
)
from rsp_conformance.model.uncertainty import DISTRIBUTION
from rsp_conformance.text.ntriples import LETTER, NTriplesError, parse_ntriples, write_ntriples

FORMS = ("solutions", "boolean", "graph")
LONGEST_VALUE: Final = 1_000
"""The greatest length of a literal of XML Schema, except strings, because numbers are computed."""
MOST_VARIABLES: Final = 500
"""The greatest number of variables in the rows of an answer: far more than any
generated query has. It bounds the work for an answer that is not meant."""
# Datatypes whose literals may be longer, because no number is computed from them.
_LONG: Final = ("string", "normalizedString", "token", "anyURI", "base64Binary", "hexBinary")
_LANG_STRINGS = (RDF_LANGSTRING, RDF + "dirLangString")
_BESIDE_LANGUAGE: Final[Any] = {"properties": {"datatype": {"enum": [*_LANG_STRINGS]}}}
_PARTS = ("subject", "predicate", "object")
_ANSWER = ("t", "cause", *FORMS, "variables", "ties", "determined")
_FRACTION = re.compile(r"-?[0-9]{1,40}(/0*[1-9][0-9]{0,39})?")

# --- the forms of terms and rows ----------------------------------------------------------------

IriText = Annotated[str, Matching(r"""[^\x00-\x20<>"{}|^`\\\ud800-\udfff]+""", "an IRI")]
Label = Annotated[
    str, Matching(r"(?!_:$)[^\x00-\x20\x7f\ud800-\udfff]+", "the label of a blank node")
]
# STRLANG may make a tag of any text: whether that is an error is open (`ill-formed-tag`).
LanguageTag = Annotated[str, Matching(r"(?!-)[^\x00-\x20\x7f\ud800-\udfff]+", "a language tag")]
VariableName = Annotated[
    str,
    Matching(
        rf"[{LETTER}0-9][{LETTER}0-9\u00b7\u0300-\u036f\u203f-\u2040]*",
        "variable names without ? or $, by SPARQL's VARNAME",
    ),
]


class UriForm(JsonForm):
    """An IRI."""

    type: OneOf["uri"]
    value: IriText

    def term(self) -> IRI:
        """Return the term of the model."""
        return IRI(self.value)


class BlankNodeForm(JsonForm):
    """A blank node; its label identifies a node of the engine."""

    type: OneOf["bnode"]
    value: Label

    def term(self) -> BlankNode:
        """Return the term of the model."""
        return BlankNode(self.value.removeprefix("_:"))


class LiteralForm(JsonForm):
    """A literal; without datatype and language it is an xsd:string."""

    model_config = ConfigDict(
        json_schema_extra={"dependentSchemas": {"xml:lang": _BESIDE_LANGUAGE}}
    )
    type: OneOf["literal"]
    value: Text
    datatype: IriText = XSD_STRING
    language: LanguageTag = Field("", alias="xml:lang")

    def term(self) -> Literal:
        """Return the term of the model."""
        if not self.language:
            return Literal(self.value, self.datatype)
        if "datatype" in self.model_fields_set and self.datatype not in _LANG_STRINGS:
            fail("datatype", "no datatype beside xml:lang", self.datatype)
        return Literal(self.value, language=self.language)


class TripleForm(JsonForm):
    """A quoted triple."""

    type: OneOf["triple"]
    value: PartsForm

    def term(self) -> Triple:
        """Return the term of the model."""
        parts: Any = self.value
        return Triple(parts.subject, parts.predicate, parts.object)


def _bounded(term: Term) -> Term:
    """Return the term; refuse a literal of XML Schema, or a distribution, that is too long."""
    if isinstance(term, Literal) and len(term.lexical) > LONGEST_VALUE:
        _, found, name = term.datatype.rpartition(XSD)
        if (found and name not in _LONG) or term.datatype == DISTRIBUTION:
            fail("value", f"at most {LONGEST_VALUE} characters of {term.datatype}", term.lexical)
    elif isinstance(term, Triple):
        for part in term:
            _bounded(part)
    return term


_MADE: Final = AfterValidator(lambda form: _bounded(form.term()))
"""Marks forms whose values are terms of the model."""
SubjectForm = Annotated[
    Annotated[UriForm, _MADE] | Annotated[BlankNodeForm, _MADE] | Annotated[TripleForm, _MADE],
    Field(discriminator="type"),
]
TermForm = Annotated[
    Annotated[UriForm, _MADE]
    | Annotated[BlankNodeForm, _MADE]
    | Annotated[LiteralForm, _MADE]
    | Annotated[TripleForm, _MADE],
    Field(discriminator="type"),
]


class PartsForm(JsonForm):
    """The parts of a quoted triple."""

    subject: SubjectForm
    predicate: Annotated[UriForm, _MADE]
    object: TermForm


TripleForm.model_rebuild()


def _narrow(row: object) -> object:
    """Return the row; refuse one that binds more variables than `MOST_VARIABLES`."""
    if isinstance(row, dict) and len(row) > MOST_VARIABLES:
        fail("", f"at most {MOST_VARIABLES} variables", row)
    return row


RowForm = Annotated[
    dict[VariableName, TermForm],
    BeforeValidator(_narrow),
    Field(json_schema_extra={"additionalProperties": False}),
]
"""The bindings of one solution; unbound variables are absent."""
RowsForm = Annotated[list[RowForm], MANY]


def _graph(text: str) -> Triples:
    try:
        triples = parse_ntriples(text)
    except NTriplesError as error:
        line = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[error.line - 1]
        fail("", f"N-Triples (line {error.line}: {error.problem})", line)
    return Triples(frozenset(cast(Triple, _bounded(triple)) for triple in triples))


class ContentForm(JsonForm):
    """The content of an answer: exactly one of ``solutions``, ``boolean`` and ``graph``."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": [n]} for n in FORMS]})
    solutions: RowsForm = ABSENT
    """SELECT: bindings of SPARQL 1.1 Query Results JSON."""
    boolean: bool = ABSENT
    """ASK."""
    graph: Annotated[Text, AfterValidator(_graph)] = ABSENT
    """CONSTRUCT: N-Triples."""

    @model_validator(mode="before")
    @classmethod
    def _one(cls, answer: Any) -> Any:
        if isinstance(answer, dict) and len(given := [n for n in FORMS if n in answer]) != 1:
            fail("", "exactly one of solutions, boolean and graph", given)
        return answer

    def content(self) -> Content:
        """Return the content of the model."""
        if self.solutions is not None:
            return _rows(self.solutions)
        return cast(Triples, self.graph) if self.boolean is None else Truth(self.boolean)


def _rows(solutions: Any) -> Rows:
    rows = rows_from_solutions(tuple(solutions))
    if len(rows.variables) > MOST_VARIABLES:
        fail("solutions", f"at most {MOST_VARIABLES} variables", list(rows.variables))
    return rows


_ROWS: TypeAdapter[Any] = TypeAdapter(RowsForm)
_CONTENT: TypeAdapter[Any] = TypeAdapter(ContentForm)

# --- the model as JSON, and back ----------------------------------------------------------------


def term_to_json(term: Term) -> dict[str, Any]:
    """Return a term as the value of a binding; a triple has the type ``triple``."""
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


def solutions_to_json(rows: Rows) -> list[dict[str, Any]]:
    """Return the rows as a list of bindings; unbound variables are absent."""
    return [
        {name: term_to_json(term) for name, term in solution.items()}
        for solution in rows.solutions()
    ]


def solutions_from_json(value: object, where: str = "solutions") -> Rows:
    """Return rows from a list of bindings, with columns in the order of their first appearance."""
    return _rows(read_form(_ROWS, value, where))


def content_to_json(content: Content, *, whole: bool = False) -> dict[str, Any]:
    """Return the content of an answer as the member that the protocol gives it.

    Args:
        content: the content.
        whole: whether columns and ties are written too, which solutions alone do not show.
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
            # Sorted, because the order of a set differs from process to process.
            return {"graph": "".join(sorted(write_ntriples([triple]) for triple in graph))}


def content_from_json(
    answer: Mapping[str, Any], where: str = "answer", *, whole: bool = False
) -> Content:
    """Return the content of an answer: exactly one of ``solutions``, ``boolean`` and ``graph``.

    Args:
        answer: the JSON object.
        where: its place, for errors.
        whole: whether columns and ties are read too.

    Raises:
        FieldError: the answer has no such content; the error contains a bad line of a graph.
    """
    content: Content = read_form(_CONTENT, answer, where).content()
    if not whole or "variables" not in answer or not isinstance(content, Rows):
        return content
    return _columns(content, answer, where)


def _columns(rows: Rows, answer: Mapping[str, Any], where: str) -> Rows:
    """Return `rows` with the columns and ties of `answer`."""
    names, ties = as_list(answer["variables"], f"{where}.variables"), answer.get("ties")
    variables = tuple(as_text(name, f"{where}.variables") for name in names)
    again = rows_from_solutions(tuple(rows.solutions()), variables)
    if ties is not None:
        ties = tuple(as_int(n, f"{where}.ties", least=0) for n in as_list(ties, f"{where}.ties"))
        if len(ties) != len(again) or list(ties) != sorted(ties):
            fail(f"{where}.ties", "a number for each row, ascending", answer["ties"])
    determined = as_flag(answer.get("determined", True), f"{where}.determined")
    return Rows(again.variables, again.rows, ties, determined)


def answers_to_json(
    answers: Iterable[Evaluation | Observed], *, whole: bool = False
) -> list[dict[str, Any]]:
    """Return answers in the form of a reply's: ``[{"t": …, "solutions": […]}]``.

    An instant that is not an integer is written as a fraction, ``"13/2"``.

    Args:
        answers: the answers.
        whole: whether columns and ties are kept.
    """
    return [
        {"t": str(a.t) if isinstance(a.t, Fraction) else a.t}
        | ({"cause": a.cause} if isinstance(a, Observed) else {})
        | content_to_json(a.content, whole=whole)
        for a in answers
    ]


def answers_from_json(value: object, where: str = "answers") -> tuple[Observed, ...]:
    """Return the answers that ``answers_to_json`` wrote whole.

    Raises:
        FieldError: the value is not a list of such answers.
    """
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
