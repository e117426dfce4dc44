"""The uncertainty functions for rdflib: the library's, under names that only the kit uses.

rdflib is asked for a second opinion of SPARQL, not of distributions: on those the definitions'
evaluator is the second opinion.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pyoxigraph as ox

from rsp_conformance.library.terms import StoredTerm
from rsp_conformance.library.uncertainty import Uncertainty


@cache
def register_functions() -> None:
    """Tell rdflib of the functions, once in a process; its register has no other place for them."""
    import rdflib
    from rdflib.plugins.sparql.operators import register_custom_function

    for iri, function in Uncertainty().functions().items():
        register_custom_function(rdflib.URIRef(iri.value), _wrapped(function), override=True)


def _wrapped(function: Callable[..., StoredTerm | None]) -> Callable[..., Any]:
    import rdflib
    from rdflib.plugins.sparql.sparql import SPARQLError

    def call(*arguments: Any) -> Any:
        terms = [_literal(argument) for argument in arguments]
        found = None if None in terms else function(*terms)
        if not isinstance(found, ox.Literal):
            raise SPARQLError("no value")
        datatype = rdflib.URIRef(found.datatype.value)
        return rdflib.Literal(found.value, datatype=datatype, normalize=False)

    return call


def _literal(node: Any) -> ox.Literal | None:
    """A literal with a datatype; the functions take nothing else."""
    import rdflib

    if not isinstance(node, rdflib.Literal) or node.datatype is None:
        return None
    return ox.Literal(str(node), datatype=ox.NamedNode(str(node.datatype)))
