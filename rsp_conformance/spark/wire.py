"""Elements and answers on their way to a worker: plain tuples of text, which cost little to pickle.

Values that are packed alike are unpacked once and are then one object, so workers compare by
identity. Language tags stay as they are written, for LANG shows them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import Any, NamedTuple, TypeAlias

from rsp_conformance.model.answers import Content, Observed, Rows, Triples, Truth
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, BlankNode, GraphName, Literal, Term, Triple
from rsp_conformance.sparql.canonical import canonical

Packed: TypeAlias = "str | tuple[Any, ...] | None"
"""An IRI as its text, any other term as its kind and its parts; None for an unbound variable."""
PackedElement: TypeAlias = "tuple[str, int, tuple[Any, ...], Packed]"
"""Stream, instant, triples, name."""
PackedContent: TypeAlias = "bool | frozenset[Packed] | tuple[Any, ...]"
PackedAnswer: TypeAlias = "tuple[int | Fraction | None, PackedContent, int | str | None]"
"""Instant, content, cause."""

_KINDS: dict[str, type] = {"l": Literal, "b": BlankNode}


class ArrivedElement(NamedTuple):
    """A stream element as it has come to a worker."""

    stream: IRI
    t: int
    graph: tuple[Triple, ...]
    name: GraphName | None


def pack_elements(elements: Iterable[StreamElement], dials: Dials) -> list[PackedElement]:
    """Pack elements as they enter under some dials."""
    if dials.literals == "canonical":
        elements = map(canonical, elements)
    return [
        (e.stream.value, e.t, tuple([_pack(triple) for triple in e.graph]), _pack(e.name))
        for e in elements
    ]


def pack_answers(observed: Iterable[Observed]) -> list[PackedAnswer]:
    """Pack observed answers."""
    return [(answer.t, _pack_content(answer.content), answer.cause) for answer in observed]


def _pack_content(content: Content) -> PackedContent:
    match content:
        case Truth(value):
            return value
        case Triples(graph):
            return frozenset([_pack(triple) for triple in graph])
        case Rows(variables, rows, ties, determined):
            packed = [tuple([_pack(term) for term in row]) for row in rows]
            return variables, tuple(packed), ties, determined


def _pack(term: Term | None) -> Packed:
    kind = term.__class__
    if kind is IRI:
        return term.value  # type: ignore[union-attr]
    match term:
        case Triple():
            return "t", _pack(term.subject), term.predicate.value, _pack(term.object)
        case Literal():
            return "l", term.lexical, term.datatype, term.language
        case BlankNode():
            return "b", term.label
    return None


def labelled_apart(elements: Iterable[PackedElement], first: int = 0) -> list[PackedElement]:
    """The elements with labels of blank nodes that no other element and no background data have.

    Args:
        elements: the elements.
        first: how many came before these.
    """
    apart: list[PackedElement] = []
    for place, (stream, t, graph, name) in enumerate(elements, first):
        # A sign that no label has.
        own = partial(_relabelled, suffix=f"@{place}")
        apart.append((stream, t, tuple(map(own, graph)), own(name)))
    return apart


def _relabelled(packed: Any, suffix: str) -> Any:
    match packed:
        case ("b", label):
            return "b", label + suffix
        case ("t", subject, predicate, object_):
            return "t", _relabelled(subject, suffix), predicate, _relabelled(object_, suffix)
    return packed


def labels(elements: Iterable[PackedElement]) -> Iterator[set[str]]:
    """The labels of blank nodes in each of the elements."""
    for _, _, graph, name in elements:
        found: set[str] = set()
        waiting: list[Packed] = [*graph, name]
        while waiting:
            match waiting.pop():
                case ("b", label):
                    found.add(label)
                case ("t", subject, _, object_):
                    waiting += subject, object_
        yield found


class Unpacker:
    """Unpacks a share's values in a worker. It keeps them all, so identities stay."""

    def __init__(self) -> None:
        self._term = cache(self._new_term)
        self._content = cache(self._new_content)
        self._streams: dict[object, list[ArrivedElement]] = {}

    def arrivals(
        self, elements: Sequence[PackedElement], predicates: frozenset[str] | None = None
    ) -> list[ArrivedElement]:
        """Unpack elements to a stream, the same for all cases that have it.

        Args:
            elements: the elements.
            predicates: triples with other predicates are left out; None for none.
        """
        key = id(elements), predicates
        if key not in self._streams:
            if predicates is not None:
                elements = [
                    (stream, t, tuple([one for one in graph if one[2] in predicates]), name)
                    for stream, t, graph, name in elements
                ]
            term = self._term
            self._streams[key] = [
                ArrivedElement(
                    term(stream), t, tuple([term(triple) for triple in graph]), term(name)
                )
                for stream, t, graph, name in elements
            ]
        return self._streams[key]

    def observed(self, answers: Sequence[PackedAnswer]) -> list[Observed]:
        """Unpack answers."""
        content = self._content
        return [Observed(t, content(packed), cause) for t, packed, cause in answers]

    def _new_term(self, packed: Any) -> Any:
        if packed is None or isinstance(packed, str):
            return None if packed is None else IRI(packed)
        kind, *parts = packed
        return Triple(*map(self._term, parts)) if kind == "t" else _KINDS[kind](*parts)

    def _new_content(self, packed: PackedContent) -> Content:
        term = self._term
        if isinstance(packed, bool):
            return Truth(packed)
        if isinstance(packed, frozenset):
            return Triples(frozenset(map(term, packed)))
        variables, rows, ties, determined = packed
        return Rows(variables, tuple([tuple(map(term, row)) for row in rows]), ties, determined)
