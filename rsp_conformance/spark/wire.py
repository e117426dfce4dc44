"""Elements and answers on their way to a worker: plain tuples of text, which cost little to pickle.

What is packed alike is unpacked once and then is one object, so workers compare by identity.
Language tags stay as they are written, for LANG shows them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, cast

from rsp_conformance.model.answers import Content, Observed, Rows, Triples, Truth
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, BlankNode, GraphName, Literal, Term, Triple
from rsp_conformance.sparql.canonical import canonical

Value = TypeVar("Value")

Packed: TypeAlias = "str | tuple[Any, ...] | None"
"""An IRI as its text, any other term as its kind and its parts; None where nothing is bound."""
PackedElement: TypeAlias = "tuple[str, int, tuple[Any, ...], Packed]"
"""Stream, instant, triples, name."""
PackedContent: TypeAlias = "bool | frozenset[Packed] | tuple[Any, ...]"
PackedAnswer: TypeAlias = "tuple[int | Fraction | None, PackedContent, int | str | None]"
"""Instant, content, cause."""

_KINDS: dict[str, type] = {"l": Literal, "b": BlankNode}


class Arrival(NamedTuple):
    """A stream element as it has come to a worker."""

    stream: IRI
    t: int
    graph: tuple[Triple, ...]
    name: GraphName | None


def pack_elements(elements: Iterable[StreamElement], dials: Dials) -> list[PackedElement]:
    """ELEMENTS as they enter under DIALS, to be sent."""
    if dials.literals == "canonical":
        elements = map(canonical, elements)
    return [
        (e.stream.value, e.t, tuple([_pack(triple) for triple in e.graph]), _pack(e.name))
        for e in elements
    ]


def pack_answers(observed: Iterable[Observed]) -> list[PackedAnswer]:
    """OBSERVED answers, to be sent."""
    return [(answer.t, _pack_content(answer.content), answer.cause) for answer in observed]


def _pack_content(content: Content) -> PackedContent:
    match content:
        case Truth(value):
            return value
        case Triples(graph):
            return frozenset([_pack(triple) for triple in graph])
        case Rows(variables, rows, ties, determined):
            packed = [
                tuple([term.value if term.__class__ is IRI else _pack(term) for term in row])
                for row in rows
            ]
            return variables, tuple(packed), ties, determined


def _pack(term: Term | None) -> Packed:
    match term:
        case Triple():
            subject, object_ = term.subject, term.object
            return (
                "t",
                subject.value if subject.__class__ is IRI else _pack(subject),
                term.predicate.value,
                object_.value if object_.__class__ is IRI else _pack(object_),
            )
        case IRI():
            return term.value
        case Literal():
            return "l", term.lexical, term.datatype, term.language
        case BlankNode():
            return "b", term.label
        case None:
            return None


class _Known(dict[Any, Value], Generic[Value]):
    """What is MADE of packed values, each once."""

    def __init__(self, made: Callable[[Any], Value]) -> None:
        self._made = made

    def __missing__(self, packed: Any) -> Value:
        value = self[packed] = self._made(packed)
        return value


class Unpacker:
    """Unpacks what has come to a worker in one share; keeps it all, so identities stay."""

    def __init__(self) -> None:
        self._terms: _Known[Any] = _Known(self._term)
        self._terms[None] = None
        self._graphs = _Known(lambda graph: tuple([self._terms[triple] for triple in graph]))
        self._contents = _Known(self._content)
        self._streams: dict[object, list[Arrival]] = {}

    def arrivals(
        self, elements: Sequence[PackedElement], predicates: frozenset[str] | None = None
    ) -> list[Arrival]:
        """The stream that ELEMENTS are, one for its cases; without triples of other PREDICATES."""
        key = id(elements), predicates
        if key not in self._streams:
            terms, graphs = self._terms, self._graphs
            self._streams[key] = [
                Arrival(
                    terms[stream],
                    t,
                    graphs[graph]
                    if predicates is None
                    else tuple([terms[triple] for triple in graph if triple[2] in predicates]),
                    terms[name],
                )
                for stream, t, graph, name in elements
            ]
        return self._streams[key]

    def observed(self, answers: Sequence[PackedAnswer]) -> list[Observed]:
        """The answers."""
        contents = self._contents
        return [Observed(t, contents[content], cause) for t, content, cause in answers]

    def _term(self, packed: Any) -> Term:
        if packed.__class__ is str:
            return IRI(packed)
        kind, *parts = packed
        if kind == "t":
            return Triple(*[self._terms[part] for part in parts])
        return cast("Term", _KINDS[kind](*parts))

    def _content(self, packed: PackedContent) -> Content:
        match packed:
            case bool():
                return Truth(packed)
            case frozenset():
                return Triples(frozenset([self._terms[triple] for triple in packed]))
            case variables, rows, ties, determined:
                terms = self._terms
                found = [tuple([terms[term] for term in row]) for row in rows]
                return Rows(variables, tuple(found), ties, determined)
        raise ValueError(f"no content is packed as {packed!r}")
