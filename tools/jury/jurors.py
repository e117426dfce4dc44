"""Who is asked: implementations of SPARQL, behind one face.

A juror holds one dataset at a time and answers a SELECT with rows of terms. It says what it thinks
by its ordinary ways: nothing is switched on or off, but that literals keep their lexical forms.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Protocol, TypeAlias

import pyoxigraph as ox
import rdflib
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.sparql import Query as PreparedQuery

from rsp_conformance.model.terms import IRI, Term, Triple
from tools.jury.oxigraph_terms import from_oxigraph, to_oxigraph
from tools.jury.rdflib_terms import from_rdflib, to_rdflib

Row: TypeAlias = tuple[Term | None, ...]


@dataclass(frozen=True, slots=True)
class Data:
    """An RDF dataset: the default graph and graphs by their names."""

    default: Sequence[Triple] = ()
    named: Mapping[IRI, Sequence[Triple]] = field(default_factory=dict)

    def graphs(self) -> Iterable[tuple[IRI | None, Sequence[Triple]]]:
        """Every graph with its name, None for the default graph."""
        return [(None, self.default), *self.named.items()]


class Juror(Protocol):
    """An implementation of SPARQL, with one dataset at a time."""

    name: str
    version: str

    def load(self, data: Data) -> None:
        """Have DATA in the place of what was there."""

    def select(self, text: str, variables: Sequence[str]) -> list[Row]:
        """The solutions of the query TEXT, each as the terms of VARIABLES.

        Raises:
            Exception: of any class, where the implementation gives up.
        """

    def select_each(self, text: str, variables: Sequence[str], nodes: Sequence[IRI]) -> list[Row]:
        """What `select` says where the first of VARIABLES is one of NODES, each on its own.

        Some implementations give up a whole query for one row: only that row is missing here.
        """


class SelectEach:
    """``select_each`` by halves: what is given up is asked again, as two queries."""

    def select(self, text: str, variables: Sequence[str]) -> list[Row]:
        """See ``Juror``."""
        raise NotImplementedError

    def select_each(self, text: str, variables: Sequence[str], nodes: Sequence[IRI]) -> list[Row]:
        """See ``Juror``; TEXT is restricted by VALUES."""
        listed = " ".join(f"<{node.value}>" for node in nodes)
        head, brace, rest = text.partition("{")
        try:
            values = f"VALUES ?{variables[0]} {{ {listed} }}"
            return self.select(f"{head}{brace} {values} {rest}", variables)
        except Exception:  # of any class, as `Juror.select` says
            if len(nodes) == 1:
                return []
        middle = len(nodes) // 2
        halves = nodes[:middle], nodes[middle:]
        return [row for half in halves for row in self.select_each(text, variables, half)]


class RDFLib:
    """rdflib, over a dataset whose default graph is no union."""

    name = "rdflib"

    def __init__(self) -> None:
        self.version = version("rdflib")
        self._dataset = rdflib.Dataset(default_union=False)
        self._prepared: dict[str, PreparedQuery] = {}

    def load(self, data: Data) -> None:
        """Make a dataset of DATA."""
        self._prepared.clear()
        self._dataset = rdflib.Dataset(default_union=False)
        for name, triples in data.graphs():
            graph = (
                self._dataset.default_graph
                if name is None
                else self._dataset.graph(to_rdflib(name))
            )
            for triple in triples:
                graph.add(tuple([to_rdflib(term) for term in triple]))  # type: ignore[arg-type]

    def select(self, text: str, variables: Sequence[str]) -> list[Row]:
        """Evaluate TEXT, which is parsed once for a dataset."""
        return self._rows(text, variables, {})

    def select_each(self, text: str, variables: Sequence[str], nodes: Sequence[IRI]) -> list[Row]:
        """Evaluate TEXT for each of NODES; parsing it so often would take most of the time."""
        rows: list[Row] = []
        for node in nodes:
            with suppress(Exception):  # of any class, as `Juror.select` says
                rows += self._rows(text, variables, {variables[0]: to_rdflib(node)})
        return rows

    def _rows(
        self, text: str, variables: Sequence[str], bound: dict[str, rdflib.term.Identifier]
    ) -> list[Row]:
        prepared = self._prepared.get(text)
        if prepared is None:
            prepared = self._prepared[text] = prepareQuery(text)
        names = [rdflib.Variable(v) for v in variables]
        return [
            tuple([None if (t := b.get(n)) is None else from_rdflib(t) for n in names])
            for b in self._dataset.query(prepared, initBindings=bound).bindings
        ]


def _quad(triple: Triple, graph: ox.NamedNode | ox.DefaultGraph) -> ox.Quad:
    subject, predicate, object_ = map(to_oxigraph, triple)
    assert not isinstance(subject, ox.Literal) and isinstance(predicate, ox.NamedNode)
    return ox.Quad(subject, predicate, object_, graph)


class Pyoxigraph(SelectEach):
    """pyoxigraph, over a store in memory."""

    def __init__(self) -> None:
        self.name = "pyoxigraph"
        self.version = version("pyoxigraph")
        self._store = ox.Store()

    def load(self, data: Data) -> None:
        """Fill a new store with DATA."""
        self._store = ox.Store()
        for name, triples in data.graphs():
            graph = ox.DefaultGraph() if name is None else ox.NamedNode(name.value)
            if name is not None:
                self._store.add_graph(graph)
            self._store.extend([_quad(triple, graph) for triple in triples])

    def select(self, text: str, variables: Sequence[str]) -> list[Row]:
        """Evaluate TEXT."""
        found = self._store.query(text)
        assert isinstance(found, ox.QuerySolutions)
        return [
            tuple([None if (t := s[v]) is None else from_oxigraph(t) for v in variables])
            for s in found
        ]


def local_jurors() -> list[Juror]:
    """The jurors that are installed with the kit's development tools."""
    return [RDFLib(), Pyoxigraph()]


def environment() -> dict[str, str]:
    """The versions that no juror has: of Python and of its Unicode."""
    return {"python": platform.python_version()}
