"""Terms, solutions and answers as JSON: as the protocol writes them, and as files keep them.

Terms and solutions have the form of SPARQL 1.1 Query Results JSON; a triple has the type ``triple``
(docs/protocol.md, section "run", ``solutions``). Files keep what solutions do not show: columns,
ties, and instants that are fractions.

    ANSWERS.write(Term, term)                           # {"type": "uri", "value": …}
    ANSWERS.read(Content, {"boolean": True}, "answer")  # Truth(True)
    STORED_ANSWERS.read(tuple[Observed, ...], document["answers"], "answers")
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Final, TypeAlias, cast
from typing import Literal as OneOf

from rsp_conformance.files.codec import (
    Check,
    Format,
    Keys,
    Rule,
    Text,
    Via,
    at_least,
    matching,
    raw,
)
from rsp_conformance.files.fields import DIGITS, as_instant, fail, whole
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
    Subject,
    Term,
    Triple,
)
from rsp_conformance.model.uncertainty import DISTRIBUTION
from rsp_conformance.text.ntriples import LETTER, NTriplesError, parse_ntriples, write_ntriples

FORMS = ("solutions", "boolean", "graph")
LONGEST: Final = 1_000_000
"""The greatest number of characters in a text of another program: a hundred times the longest
generated text. It bounds the time that such a text can take."""
LONGEST_VALUE: Final = 1_000
"""The greatest length of a literal of XML Schema, except strings, because numbers are computed."""
MOST_VARIABLES: Final = 500
"""The greatest number of variables in the rows of an answer: far more than any
generated query has. It bounds the work for an answer that is not meant."""
# Datatypes whose literals may be longer, because no number is computed from them.
_LONG: Final = ("string", "normalizedString", "token", "anyURI", "base64Binary", "hexBinary")
_LANG_STRINGS: Final = (RDF_LANGSTRING, RDF + "dirLangString")
_FRACTION = re.compile(r"-?[0-9]{1,40}(/0*[1-9][0-9]{0,39})?")

# --- terms --------------------------------------------------------------------------------------

IriText = Annotated[str, matching(r"""[^\x00-\x20<>"{}|^`\\\ud800-\udfff]+""", "an IRI")]
Label = Annotated[
    str, matching(r"(?!_:$)[^\x00-\x20\x7f\ud800-\udfff]+", "the label of a blank node")
]
# STRLANG may make a tag of any text: whether that is an error is open (`ill-formed-tag`).
LanguageTag = Annotated[str, matching(r"(?!-)[^\x00-\x20\x7f\ud800-\udfff]+", "a language tag")]
VariableName = Annotated[
    str,
    matching(
        rf"[{LETTER}0-9][{LETTER}0-9\u00b7\u0300-\u036f\u203f-\u2040]*",
        "variable names without ? or $, by SPARQL's VARNAME",
    ),
]


@dataclass(frozen=True, slots=True)
class LiteralJson:
    """A literal; without datatype and language it is an xsd:string."""

    value: str
    datatype: IriText | None = None
    language: LanguageTag | None = None

    def term(self) -> Literal:
        """Return the literal."""
        if self.language is None:
            return cast(Literal, bounded(Literal(self.value, self.datatype or XSD_STRING)))
        if self.datatype is not None and self.datatype not in _LANG_STRINGS:
            fail("datatype", "no datatype beside xml:lang", self.datatype)
        return Literal(self.value, language=self.language)


def _literal_json(term: Literal) -> LiteralJson:
    if term.language:
        return LiteralJson(term.lexical, language=term.language)
    return LiteralJson(term.lexical, None if term.datatype == XSD_STRING else term.datatype)


@dataclass(frozen=True, slots=True)
class TripleJson:
    """A quoted triple."""

    value: PartsJson


@dataclass(frozen=True, slots=True)
class PartsJson:
    """The parts of a quoted triple."""

    subject: Subject
    predicate: IRI
    object: Term


def bounded(term: Term) -> Term:
    """Return the term; refuse a literal of XML Schema, or a distribution, that is too long.

    Raises:
        FieldError: the term contains such a literal.
    """
    if isinstance(term, Literal) and len(term.lexical) > LONGEST_VALUE:
        _, found, name = term.datatype.rpartition(XSD)
        if (found and name not in _LONG) or term.datatype == DISTRIBUTION:
            fail("value", f"at most {LONGEST_VALUE} characters of {term.datatype}", term.lexical)
    elif isinstance(term, Triple):
        for part in term:
            bounded(part)
    return term


TERMS: Final[Mapping[Any, Rule]] = {
    IRI: Keys("value", members={"value": IriText}, tag="uri"),
    BlankNode: Keys(
        "value=label",
        members={"label": Label},
        make=lambda label: BlankNode(label.removeprefix("_:")),
        tag="bnode",
    ),
    Literal: Via(LiteralJson, LiteralJson.term, _literal_json),
    LiteralJson: Keys(
        "value datatype xml:lang=language",
        absent="*",
        tag="literal",
        schema={
            "dependentSchemas": {
                "xml:lang": {"properties": {"datatype": {"enum": [*_LANG_STRINGS]}}}
            }
        },
    ),
    Triple: Via(
        TripleJson,
        lambda own: Triple(own.value.subject, own.value.predicate, own.value.object),
        lambda triple: TripleJson(PartsJson(*triple)),
    ),
    TripleJson: Keys(tag="triple"),
    PartsJson: Keys(tag=""),  # In the algebra all other objects have the name of their class.
}
"""How terms are written, in every format whose tag is ``type``."""

# --- answers ------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class ContentJson:
    """The content of an answer: exactly one of ``solutions``, ``boolean`` and ``graph``."""

    solutions: SOLUTIONS | None = None
    """SELECT: bindings of SPARQL 1.1 Query Results JSON."""
    boolean: bool | None = None
    """ASK."""
    graph: Triples | None = None
    """CONSTRUCT: N-Triples."""
    variables: tuple[str, ...] | None = None
    """The columns, for solutions that are kept whole."""
    ties: tuple[Annotated[int, at_least(0)], ...] | None = None
    """For each row the number of its group under ORDER BY, ascending."""
    determined: bool = True
    """Whether LIMIT or OFFSET leaves one answer."""

    def content(self) -> Content:
        """Return the content.

        Raises:
            FieldError: there is not exactly one of the three forms, or the columns and ties do
                not fit the rows.
        """
        given = [name for name in FORMS if getattr(self, name) is not None]
        if len(given) != 1:
            fail("", "exactly one of solutions, boolean and graph", given)
        if self.graph is not None:
            return self.graph
        if self.boolean is not None:
            return Truth(self.boolean)
        rows = rows_from_solutions(self.solutions or (), self.variables or ())
        if len(rows.variables) > MOST_VARIABLES:
            fail("solutions", f"at most {MOST_VARIABLES} variables", list(rows.variables))
        if self.ties is not None and (
            len(self.ties) != len(rows) or list(self.ties) != sorted(self.ties)
        ):
            fail("ties", "a number for each row, ascending", self.ties)
        return Rows(rows.variables, rows.rows, self.ties, self.determined)


def members_of(content: Content) -> dict[str, Any]:
    """Return the fields of `ContentJson` for a content."""
    match content:
        case Rows():
            return {
                "solutions": tuple(content.solutions()),
                "variables": content.variables,
                "ties": content.ties,
                "determined": content.determined,
            }
        case Truth(value):
            return {"boolean": value}
        case Triples():
            return {"graph": content}


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerJson(ContentJson):
    """The answer of one evaluation."""

    t: int | Fraction | None
    """The instant that the engine itself reports; null if it reports none."""
    cause: Annotated[int, at_least(0)] | OneOf["end"] | None = None
    """The index of the element pushed last when the answer came; null if not known."""

    def answer(self) -> Observed:
        """Return the answer."""
        return Observed(self.t, self.content(), self.cause)


@dataclass(frozen=True, kw_only=True, slots=True)
class EvaluationJson(ContentJson):
    """An expected answer."""

    t: int
    """The instant of the evaluation."""

    def evaluation(self) -> Evaluation:
        """Return the evaluation."""
        return Evaluation(self.t, self.content())


def _graph(text: str) -> Triples:
    try:
        triples = parse_ntriples(text)
    except NTriplesError as error:
        line = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[error.line - 1]
        fail("", f"N-Triples (line {error.line}: {error.problem})", line)
    return Triples(frozenset(cast(Triple, bounded(triple)) for triple in triples))


def _graph_text(content: Triples) -> str:
    # Sorted, because the order of a set differs from process to process.
    return "".join(sorted(write_ntriples([triple]) for triple in content.graph))


Instant: TypeAlias = int | Fraction | None
_END = 10**DIGITS
"""The first number beyond the instants that are read, as JSON Schema states it."""
_NUMBERS: Final[Any] = {
    "type": ["number", "null"],
    "exclusiveMinimum": -_END,
    "exclusiveMaximum": _END,
}
_KINDS: Final = (int, float, Decimal, type(None))
_EXPECTED: Final = "an integer, a decimal or null"


def _stored_instant(value: Any) -> Any:
    exact = isinstance(value, str) and _FRACTION.fullmatch(value)
    return Fraction(value) if exact else as_instant(value, "")


def _written_instant(t: Any) -> Any:
    return str(t) if isinstance(t, Fraction) else t


def _whole(value: Any) -> Any:
    value = whole(value)
    if isinstance(value, bool) or not isinstance(value, int):
        fail("", "an integer", value)
    return value


INSTANT: Final = raw(
    lambda value: as_instant(value, ""),
    lambda t: float(t) if isinstance(t, Fraction) else t,
    _NUMBERS,
    _EXPECTED,
    *_KINDS,
)
"""An instant that an engine reports."""
STORED_INSTANT: Final = raw(
    _stored_instant,
    _written_instant,
    {"type": ["number", "null", "string"]},
    _EXPECTED,
    *_KINDS,
    str,
)
"""An instant that a file keeps: one that is not an integer is written as a fraction, ``"13/2"``."""
WHOLE: Final = raw(_whole, int, {"type": "integer"}, "an integer", int, float, Decimal)
"""An integer, which JSON Schema allows to be written with a point: ``2.0`` is 2."""

_COMMON: Final[Mapping[Any, Rule]] = {
    **TERMS,
    Mapping[str, Term]: Annotated[
        Mapping[VariableName, Term],
        Check(lambda row: len(row) <= MOST_VARIABLES, f"at most {MOST_VARIABLES} variables"),
    ],
    Triples: Text(_graph_text, _graph, "N-Triples"),
    Content: Via(ContentJson, ContentJson.content, lambda c: ContentJson(**members_of(c))),
    Observed: Via(
        AnswerJson,
        AnswerJson.answer,
        lambda own: AnswerJson(t=own.t, cause=own.cause, **members_of(own.content)),
    ),
    Evaluation: Via(
        EvaluationJson,
        EvaluationJson.evaluation,
        lambda own: EvaluationJson(t=own.t, **members_of(own.content)),
    ),
}
SOLUTIONS = tuple[Mapping[str, Term], ...]
"""The rows of an answer as bindings; unbound variables are absent."""
_ONE_FORM: Final = {"oneOf": [{"required": [name]} for name in FORMS]}
_PLAIN, _WHOLE = " ".join(FORMS), " ".join((*FORMS, "variables", "ties", "determined"))


def _with_keys(keys: str) -> dict[Any, Rule]:
    """Return the rules for answers whose contents have these keys."""
    left_out: Any = {"absent": _WHOLE, "omit": "determined", "schema": _ONE_FORM}
    return {
        ContentJson: Keys(keys, **left_out),
        AnswerJson: Keys(f"t cause {keys}", **left_out),
        EvaluationJson: Keys(f"t {keys}", **left_out),
    }


ANSWERS: Final = Format(
    {**_COMMON, **_with_keys(_PLAIN), Instant: INSTANT}, tag="type", open=True, longest=LONGEST
)
"""Answers as the protocol writes them."""
STORED_ANSWERS: Final = Format(
    {**_COMMON, **_with_keys(_WHOLE), Instant: STORED_INSTANT}, tag="type", longest=LONGEST
)
"""Answers as files keep them, with columns and ties; unknown keys are refused."""
