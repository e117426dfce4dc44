"""Quads and background data from files: N-Triples, N-Quads, Turtle, TriG, JSON-LD, RDF/XML.

Quoted triples have the meaning of RDF-star, as in RSP-QL*: `<< s p o >> :q 1` is a statement about
the triple itself. The parser of Turtle and TriG reads RDF 1.2, in which the same text creates a
node that reifies the triple; if that node has no name of its own, the triple replaces it again.
Annotations, `s p o {| :q 1 |}`, become the triple and the statements about it. `<<( s p o )>>` is
the triple itself.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from rsp_conformance.files.files import FileError, located, missing, read_text
from rsp_conformance.model.background import BackgroundEntry
from rsp_conformance.model.terms import IRI, RDF, BlankNode, GraphName, Triple
from rsp_conformance.text.ntriples import (
    MOST_NESTED,
    NTriplesError,
    Quad,
    parse_nquads,
    parse_ntriples,
)

_PARSED = {".ttl": "TURTLE", ".trig": "TRIG", ".jsonld": "JSON_LD", ".rdf": "RDF_XML"}
"""The suffixes of files that pyoxigraph parses, and its names of their formats."""

SUFFIXES = (".nt", ".nq", *_PARSED)
_NESTING = {
    ".jsonld": r'"(?:[^"\\]|\\.)*"|([\[{])|[\]}]',
    ".rdf": r"<!--.*?-->|<!\[CDATA\[.*?]]>|<\?.*?\?>|"
    r"""(<[^/!?<>"'][^<>"']*(?:(?:"[^"]*"|'[^']*')[^<>"']*)*(?<!/)>)|</""",
    ".ttl": r'"{3}(?:[^"\\]|\\.|""?(?!"))*"{3}|"(?:[^"\\\n]|\\.)*"|'
    r"'{3}(?:[^'\\]|\\.|''?(?!'))*'{3}|'(?:[^'\\\n]|\\.)*'|"
    r"""<[^\x00-\x20<>"{}|^`\\]*>|#[^\n]*|\\.|(<<)|>>""",
}
"""Matches the marks that open (the group) and close a level, and text that only looks like them."""
_DEEPEST = {".jsonld": 500, ".rdf": 500, ".ttl": MOST_NESTED}  # levels, see `_check_nesting`
_REIFIES = IRI(RDF + "reifies")
_LABEL = re.compile(r"_:([\w.\-\u00b7]*[\w\-\u00b7])")
_DIRECTED = re.compile(r'(?<!\\)"@[A-Za-z0-9-]+--(ltr|rtl)')
_TAG = re.compile(
    r"""(["']@|xml:lang\s*=\s*["']|"@language"\s*:\s*")([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)(?![\w-])"""
)
_INTERVAL = re.compile(r"(?P<file>.*)@(?P<since>-?\d+)?\.\.(?P<until>-?\d+)?", re.DOTALL)


def read_quads(path: Path, base: str | None = None, scope: str = "") -> list[Quad]:
    """Return the quads of a file, in the order of the file; its suffix names the format.

    Args:
        path: the file.
        base: as for ``parse_quads``.
        scope: as for ``parse_quads``.

    Raises:
        FileError: the file cannot be read, or cannot be parsed; the message has the place.
    """
    path = located(path, SUFFIXES)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES and not os.path.exists(path):
        raise missing(path)
    if suffix not in SUFFIXES:
        raise FileError(path, f"cannot tell its format: name it {' '.join(SUFFIXES)}")
    return parse_quads(path, read_text(path), suffix, base, scope)


def parse_quads(
    path: Path, text: str, suffix: str, base: str | None = None, scope: str = ""
) -> list[Quad]:
    """Return the quads of a text.

    Blank nodes keep their labels, because a label is one node throughout a case.

    Args:
        path: the text's file, for errors.
        text: the text.
        suffix: the suffix of files in its format.
        base: the IRI against which relative IRIs are resolved; without it they are errors.
        scope: a prefix for labels, if a label is one node only within the file.

    Raises:
        FileError: the text cannot be parsed.
    """
    try:
        if suffix in _PARSED:
            quads = parse_nquads(_as_nquads(path, text, suffix, base))
        elif suffix == ".nq":
            quads = parse_nquads(text)
        else:
            quads = [(triple, None) for triple in parse_ntriples(text)]
    except NTriplesError as error:
        raise FileError(path, error.problem, error.line) from None
    return _with_own_nodes(path, quads, text if suffix in {".ttl", ".trig"} else None, scope)


def _as_nquads(path: Path, text: str, suffix: str, base: str | None) -> str:
    import pyoxigraph as ox

    if suffix == ".rdf":
        refuse_entities(path, text)
    _check_nesting(path, text, ".ttl" if suffix == ".trig" else suffix)
    text, as_written = _with_marked_tags(text)
    try:
        found = ox.parse(text, getattr(ox.RdfFormat, _PARSED[suffix]), base_iri=base)
        nquads = (ox.serialize(found, format=ox.RdfFormat.N_QUADS) or b"").decode()
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        said = re.sub(r"^Parser error at line \d+ (between columns|column) ", r"\1 ", error.args[0])
        raise FileError(path, " ".join(said.split()), line) from None
    if _DIRECTED.search(nquads):
        raise FileError(path, "literals with a direction (RDF 1.2) are not supported")
    return as_written(nquads)


def _with_marked_tags(text: str) -> tuple[str, Callable[[str], str]]:
    """Mark each language tag that has capitals; return the text and what restores the tags.

    The parser writes tags in lower case, which RDF allows, but then LANG would return another text
    than an engine that reads the same file and keeps its tags. Text in a string or a comment that
    only looks like a tag is restored in the same way.
    """
    mark = next(m for m in (f"x-{n:04x}" for n in count()) if m not in text.lower())
    tags: list[str] = []

    def marked(found: re.Match[str]) -> str:
        if found[2].islower():
            return found[0]
        tags.append(found[2])
        return f"{found[1]}{mark}-{len(tags) - 1}z"

    def as_written(parsed: str) -> str:
        return re.sub(rf"{mark}-(\d+)z", lambda found: tags[int(found[1])], parsed)

    text = _TAG.sub(marked, text)
    return text, as_written if tags else lambda parsed: parsed


def _check_nesting(path: Path, text: str, suffix: str) -> None:
    """Raise FileError for levels by the thousand, on which the parser crashes or takes hours."""
    depth = 0
    for match in re.finditer(_NESTING[suffix], text, re.DOTALL):
        if match[1]:
            depth += 1
        elif match[0] in (">>", "]", "}", "</"):
            depth -= 1
        if depth > _DEEPEST[suffix]:
            line = text.count("\n", 0, match.start()) + 1
            raise FileError(path, f"nested more than {_DEEPEST[suffix]} deep", line)


def refuse_entities(path: Path, text: str) -> None:
    """Refuse an XML file that declares entities: a few lines can mean gigabytes.

    Raises:
        FileError: it declares entities.
    """
    if declared := re.search("<!ENTITY", text):
        line = text.count("\n", 0, declared.start()) + 1
        raise FileError(path, "declares entities, which are not read from XML files", line)


def _with_own_nodes(path: Path, quads: list[Quad], text: str | None, scope: str) -> list[Quad]:
    """Replace reifiers by their quoted triples, and invented blank nodes by stable names.

    The parser invents names for nodes without a label, different ones in each run: a name is
    invented if it is not a label in `text`. Without `text` no name counts as invented.
    """
    written = None if text is None else frozenset(_LABEL.findall(text))
    # Nodes without a label in different files are different nodes.
    file = sha256(str(path).encode()).hexdigest()[:6]
    names: dict[BlankNode, BlankNode | Triple] = {}
    met: set[BlankNode] = set()

    def is_invented(term: object) -> bool:
        return written is not None and isinstance(term, BlankNode) and term.label not in written

    def own(term: Any) -> Any:
        if isinstance(term, Triple):
            return Triple(own(term.subject), term.predicate, own(term.object))
        if is_invented(term):
            met.add(term)
            return names.setdefault(term, BlankNode(f"anon-{file}-{len(names)}"))
        return BlankNode(scope + term.label) if isinstance(term, BlankNode) else term

    kept: list[Quad] = []
    for triple, graph in quads:
        node, said = triple.subject, triple.object
        # A reifier within the quoted triple was written, and read, before.
        if triple.predicate == _REIFIES and is_invented(node) and isinstance(said, Triple):
            names[node] = own(said)  # type: ignore[index]  # an invented node is a blank node
        else:
            kept.append((triple, graph))
    result = [(own(triple), own(graph)) for triple, graph in kept]
    for node, name in names.items():
        if node not in met:
            raise FileError(path, f"nothing is said of the quoted triple {name!r}")
    return result


def split_interval(written: str) -> tuple[Path, int | None, int | None]:
    """Split ``FILE`` or ``FILE@FROM..UNTIL`` into the file and both ends, inclusive.

    An end of None is unbounded.

    Raises:
        FileError: the interval ends before it begins.
    """
    match = _INTERVAL.fullmatch(written)
    if match is None:
        return Path(written), None, None
    path = Path(match["file"])
    since, until = (None if match[end] is None else int(match[end]) for end in ("since", "until"))
    if since is not None and until is not None and until < since:
        raise FileError(path, f"the interval {since}..{until} ends before it begins")
    return path, since, until


def read_background(written: str) -> tuple[BackgroundEntry, ...]:
    """Return the background data of ``FILE`` or ``FILE@FROM..UNTIL``: an entry per graph.

    Named graphs come from the formats that have them (`.nq`, `.trig`, `.jsonld`).

    Raises:
        FileError: the file cannot be read or parsed, or the interval ends before it begins.
    """
    path, since, until = split_interval(written)
    if not os.path.exists(located(path, SUFFIXES)) and "@" in path.name:
        raise FileError(
            path, "there is no such file (an interval is written FILE@FROM..UNTIL, as in @2..13)"
        )
    graphs: dict[GraphName | None, dict[Triple, None]] = {}
    for triple, name in read_quads(path):
        graphs.setdefault(name, {})[triple] = None
    return tuple(
        BackgroundEntry(tuple(triples), name, since, until) for name, triples in graphs.items()
    )
