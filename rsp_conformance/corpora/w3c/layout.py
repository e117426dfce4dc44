"""Where a folder holds W3C's SPARQL test suites, and what its files are called in public.

A checkout of ``w3c/rdf-tests`` is public at https://w3c.github.io/rdf-tests/: the manifests' IRIs
are relative to that place, and so are those of queries and results. Nothing is read from there:
whatever the manifests name lies in the folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from rsp_conformance.files.files import FileError

PUBLIC = "https://w3c.github.io/rdf-tests/"
SUITES = ("sparql10", "sparql11")
MANIFEST = "manifest.ttl"
ALL = "manifest-all.ttl"
"""What lists also the groups that are not for every implementation, where there is one."""


@dataclass(frozen=True, slots=True)
class Document:
    """A file of a suite, and the IRI by which manifests and queries name it."""

    path: Path
    iri: str


@dataclass(frozen=True, slots=True)
class Checkout:
    """The folder ``root``, which is public at ``base``, and the manifests to begin with."""

    root: Path
    base: str
    manifests: tuple[Path, ...]

    def document(self, path: Path) -> Document:
        """A file below the root."""
        return Document(path, self.base + quote(path.relative_to(self.root).as_posix()))

    def find(self, iri: str) -> Document | None:
        """The file that IRI names; None where it is none of the folder's."""
        local = iri.removeprefix(self.base)
        if local == iri:
            return None
        path = (self.root / unquote(local)).resolve()
        if not path.is_relative_to(self.root) or not path.is_file():
            return None
        return Document(path, iri)

    def suite(self, manifest: Path) -> str:
        """The name of the suite that MANIFEST lists: its folder, such as ``sparql11/bind``."""
        return manifest.parent.relative_to(self.root).as_posix()


def find_checkout(folder: Path) -> Checkout:
    """The suites of FOLDER.

    FOLDER is a checkout of w3c/rdf-tests, its folder ``sparql``, or any folder below that has a
    manifest of its own.

    Raises:
        FileError: there is no such folder, or nothing of the kind in it.
    """
    if not folder.is_dir():
        said = "no folder" if folder.exists() else "there is no such folder"
        raise FileError(folder, f"{said}: give a checkout of w3c/rdf-tests")
    root = folder.resolve()
    for top in (root / "sparql", root):
        found = tuple(m for name in SUITES for m in _manifests(top / name))
        if found:
            return Checkout(top, f"{PUBLIC}sparql/", found)
    found = _manifests(root)
    if not found:
        raise FileError(
            folder,
            "holds neither sparql/sparql10, sparql/sparql11 nor a manifest.ttl: "
            "give a checkout of w3c/rdf-tests, or a folder of it that has a manifest",
        )
    suite = next((f for f in (root, *root.parents) if f.name in SUITES), root)
    return Checkout(suite.parent, f"{PUBLIC}sparql/", found)


def _manifests(folder: Path) -> tuple[Path, ...]:
    return tuple(path for name in (MANIFEST, ALL) if (path := folder / name).is_file())
