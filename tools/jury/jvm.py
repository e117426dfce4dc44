"""Jena ARQ and RDF4J, in one virtual machine inside this process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rsp_conformance.adapters.jvm.java import Java, start_java
from rsp_conformance.model.terms import IRI, XSD_STRING, BlankNode, Literal, Term
from tools.jury.jurors import Data, Juror, Row, SelectEach

LEAST_JAVA = 17
"""Jena 5's."""
COORDINATES = (
    "org.apache.jena:jena-arq",
    "org.eclipse.rdf4j:rdf4j-repository-sail",
    "org.eclipse.rdf4j:rdf4j-sail-memory",
)
"""What has to be in the folder of jars, with what it depends on."""


def java_jurors(folder: Path) -> list[Juror]:
    """Jena and RDF4J from the jars in FOLDER, those of them that are there.

    Raises:
        EngineUnavailable: there is no Java, or no JPype.
    """
    jars = sorted(folder.glob("*.jar"))
    java = start_java(jars, LEAST_JAVA)
    found: list[Juror] = []
    if version := _version(jars, "jena-arq"):
        found.append(Jena(java, version))
    if version := _version(jars, "rdf4j-repository-sail"):
        found.append(RDF4J(java, version))
    return found


def _version(jars: Sequence[Path], artifact: str) -> str | None:
    names = [jar.stem for jar in jars if jar.stem.startswith(artifact + "-")]
    return names[0].removeprefix(artifact + "-") if names else None


class _Terms:
    """Terms of a library in Java and back, each made once."""

    def __init__(self) -> None:
        self._made: dict[tuple[Term, str | None], Any] = {}

    def made(self, term: Term) -> Any:
        """The object for TERM; literals that differ in the case of a tag are two."""
        key = term, term.language if isinstance(term, Literal) else None
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = self.make(term)
        return found

    def make(self, term: Term) -> Any:
        """A new object for TERM."""
        raise NotImplementedError

    def read(self, node: Any) -> Term:
        """The term that NODE is."""
        raise NotImplementedError


class _JenaTerms(_Terms):
    def __init__(self, java: Java) -> None:
        super().__init__()
        self._factory = java.cls("org.apache.jena.graph.NodeFactory")
        types = java.cls("org.apache.jena.datatypes.TypeMapper").getInstance()
        self._datatype = types.getSafeTypeByName

    def make(self, term: Term) -> Any:
        match term:
            case IRI(value=value):
                return self._factory.createURI(value)
            case BlankNode(label=label):
                return self._factory.createBlankNode(label)
            case Literal():
                if term.language:
                    return self._factory.createLiteralLang(term.lexical, term.language)
                return self._factory.createLiteralDT(term.lexical, self._datatype(term.datatype))
        raise ValueError(f"no term for Jena: {term!r}")

    def read(self, node: Any) -> Term:
        if node.isURI():
            return IRI(str(node.getURI()))
        if node.isBlank():
            return BlankNode(str(node.getBlankNodeLabel()))
        language = str(node.getLiteralLanguage()) or None
        return Literal(
            str(node.getLiteralLexicalForm()), str(node.getLiteralDatatypeURI()), language
        )


class Jena(SelectEach):
    """Jena ARQ, over a dataset in memory that keeps terms as they are."""

    def __init__(self, java: Java, version: str) -> None:
        self.name = "jena"
        self.version = version
        self._terms = _JenaTerms(java)
        self._datasets = java.cls("org.apache.jena.sparql.core.DatasetGraphFactory")
        self._execution = java.cls("org.apache.jena.sparql.exec.QueryExec")
        self._var = java.cls("org.apache.jena.sparql.core.Var").alloc
        self._dataset = self._datasets.createTxnMem()

    def load(self, data: Data) -> None:
        """Fill a new dataset with DATA."""
        self._dataset = self._datasets.createTxnMem()
        self._dataset.begin(self._write)
        made = self._terms.made
        default = self._default
        for name, triples in data.graphs():
            graph = default if name is None else made(name)
            for t in triples:
                self._dataset.add(graph, made(t.subject), made(t.predicate), made(t.object))
        self._dataset.commit()
        self._dataset.end()

    @property
    def _write(self) -> Any:
        import jpype

        return jpype.JClass("org.apache.jena.query.ReadWrite").WRITE

    @property
    def _default(self) -> Any:
        import jpype

        return jpype.JClass("org.apache.jena.sparql.core.Quad").defaultGraphIRI

    def select(self, text: str, variables: Sequence[str]) -> list[Row]:
        """Evaluate TEXT."""
        read = self._terms.read
        names = [self._var(v) for v in variables]
        execution = self._execution.dataset(self._dataset).query(text).build()
        try:
            found = execution.select()
            rows: list[Row] = []
            while found.hasNext():
                row = found.next()
                nodes = [row.get(name) for name in names]
                rows.append(tuple([None if node is None else read(node) for node in nodes]))
            return rows
        finally:
            execution.close()


class _RDF4JTerms(_Terms):
    def __init__(self, java: Java) -> None:
        super().__init__()
        self._factory = java.cls("org.eclipse.rdf4j.model.impl.SimpleValueFactory").getInstance()

    def make(self, term: Term) -> Any:
        match term:
            case IRI(value=value):
                return self._factory.createIRI(value)
            case BlankNode(label=label):
                return self._factory.createBNode(label)
            case Literal():
                if term.language:
                    return self._factory.createLiteral(term.lexical, term.language)
                if term.datatype == XSD_STRING:
                    return self._factory.createLiteral(term.lexical)
                return self._factory.createLiteral(
                    term.lexical, self._factory.createIRI(term.datatype)
                )
        raise ValueError(f"no term for RDF4J: {term!r}")

    def read(self, node: Any) -> Term:
        if node.isIRI():
            return IRI(str(node.stringValue()))
        if node.isBNode():
            return BlankNode(str(node.getID()))
        language = node.getLanguage()
        tag = str(language.get()) if language.isPresent() else None
        return Literal(str(node.getLabel()), str(node.getDatatype().stringValue()), tag)


class RDF4J(SelectEach):
    """RDF4J, over its store in memory."""

    def __init__(self, java: Java, version: str) -> None:
        self.name = "rdf4j"
        self.version = version
        self._terms = _RDF4JTerms(java)
        sail = java.cls("org.eclipse.rdf4j.sail.memory.MemoryStore")
        repository = java.cls("org.eclipse.rdf4j.repository.sail.SailRepository")(sail())
        self._connection = repository.getConnection()
        self._dataset_class = java.cls("org.eclipse.rdf4j.query.impl.SimpleDataset")
        self._nil = java.cls("org.eclipse.rdf4j.model.vocabulary.RDF4J").NIL
        self._dataset = self._dataset_class()

    def load(self, data: Data) -> None:
        """Put DATA in the place of what the store holds."""
        connection, made = self._connection, self._terms.made
        connection.begin()
        connection.clear()
        for name, triples in data.graphs():
            context = [] if name is None else [made(name)]
            for t in triples:
                terms = made(t.subject), made(t.predicate), made(t.object)
                connection.add(*terms, *context)
        connection.commit()
        # Without one the default graph is the union of all graphs, and every context is named.
        self._dataset = self._dataset_class()
        self._dataset.addDefaultGraph(self._nil)
        for name in data.named:
            self._dataset.addNamedGraph(made(name))

    def select(self, text: str, variables: Sequence[str]) -> list[Row]:
        """Evaluate TEXT."""
        read = self._terms.read
        query = self._connection.prepareTupleQuery(text)
        query.setDataset(self._dataset)
        found = query.evaluate()
        try:
            rows: list[Row] = []
            while found.hasNext():
                row = found.next()
                nodes = [row.getValue(v) for v in variables]
                rows.append(tuple([None if node is None else read(node) for node in nodes]))
            return rows
        finally:
            found.close()
