"""What pyoxigraph says of a text, with nothing of the kit's between but the terms."""

from __future__ import annotations

import pyoxigraph as ox

from rsp_conformance.model.terms import IRI, BlankNode, Literal, Term


def from_ox(value: object) -> Term:
    if isinstance(value, ox.NamedNode):
        return IRI(value.value)
    if isinstance(value, ox.BlankNode):
        return BlankNode(value.value)
    assert isinstance(value, ox.Literal)
    return Literal(value.value, value.datatype.value, value.language)
