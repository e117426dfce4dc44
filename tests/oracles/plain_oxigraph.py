"""What pyoxigraph says of a text, with nothing of the kit's between but the terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import pyoxigraph as ox

from rsp_conformance.model.terms import IRI, BlankNode, GraphName, Literal, Term, Triple


def to_ox(value: Term) -> ox.NamedNode | ox.BlankNode | ox.Literal:
    if isinstance(value, IRI):
        return ox.NamedNode(value.value)
    if isinstance(value, BlankNode):
        return ox.BlankNode(value.label)
    assert isinstance(value, Literal)
    if value.language:
        return ox.Literal(value.lexical, language=value.language)
    return ox.Literal(value.lexical, datatype=ox.NamedNode(value.datatype))


def from_ox(value: object) -> Term:
    if isinstance(value, ox.NamedNode):
        return IRI(value.value)
    if isinstance(value, ox.BlankNode):
        return BlankNode(value.value)
    assert isinstance(value, ox.Literal)
    return Literal(value.value, value.datatype.value, value.language)


def store(default: Iterable[Triple], named: Mapping[GraphName, Iterable[Triple]]) -> ox.Store:
    result = ox.Store()
    for name, members in [(None, default), *named.items()]:
        target = ox.DefaultGraph() if name is None else to_ox(name)
        if name is not None:
            result.add_graph(target)
        for t in members:
            result.add(ox.Quad(to_ox(t.subject), to_ox(t.predicate), to_ox(t.object), target))
    return result


def ox_bag(
    text: str, default: Iterable[Triple], named: Mapping[GraphName, Iterable[Triple]]
) -> Counter[frozenset[tuple[str, Term]]]:
    """Pyoxigraph's solutions of a SELECT."""
    found = store(default, named).query(text)
    names = [variable.value for variable in found.variables]
    return Counter(frozenset((v, from_ox(s[v])) for v in names if s[v] is not None) for s in found)
