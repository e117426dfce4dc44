"""The meaning of names at an instant: the graph of the store for each name in the query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from pyoxigraph import BlankNode, NamedNode

from rsp_conformance.adapters.reference.oxigraph.iris import is_absolute

GraphTerm: TypeAlias = "NamedNode | BlankNode"

_STORE = "urn:x-rsp:graph:"
GRAPH_TERMS = _STORE + "names"
"""The graph that says for a stored graph which term the query knows it by."""

KNOWN_AS = "urn:x-rsp:known-as"


@dataclass(frozen=True, slots=True)
class StoredGraph:
    """A graph of the store; a bag of triples is stored in layers.

    Layer n holds the triples that the bag has at least n times, so the union of what a pattern
    matches in each layer has every copy once.
    """

    key: str
    layers: int = 1

    def names(self) -> tuple[str, ...]:
        """Return the IRIs of the layers."""
        return tuple(f"{_STORE}{self.key}:{layer}" for layer in range(1, self.layers + 1))


@dataclass(frozen=True, slots=True)
class Names:
    """The graphs for GRAPH and WINDOW in one scope: the query's dataset, or one window's in it.

    ``graphs`` are all graphs that ``GRAPH <name>`` reaches; ``ranged`` are those that ``GRAPH ?g``
    ranges over. ``windows`` is empty inside a window.
    """

    default: StoredGraph
    graphs: tuple[tuple[GraphTerm, StoredGraph], ...] = ()
    ranged: tuple[GraphTerm, ...] = ()
    windows: tuple[tuple[str, Names], ...] = ()


def is_written(name: GraphTerm) -> bool:
    """Return whether a query can write a name: no blank node, and no relative IRI."""
    return isinstance(name, NamedNode) and is_absolute(name.value)


class Scope(NamedTuple):
    """Where a pattern stands: what names mean there, and the graph that is active."""

    names: Names
    active: StoredGraph
