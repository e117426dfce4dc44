"""A suite is written and read back whole; both manifests and both forms of streams say the same."""

from __future__ import annotations

import json
import lzma
from dataclasses import replace
from pathlib import Path

import pyshacl
import pytest
import rdflib

from rsp_conformance.files.cases import ELEMENTS
from rsp_conformance.files.profiles import bundled_profile
from rsp_conformance.files.rdf_files import read_quads
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import BadInput, Unsupported
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI
from rsp_conformance.strategies import GENERATED, some_cases
from rsp_conformance.test_suite.answered import under_profile
from rsp_conformance.test_suite.case_files import ELEMENT, VOCABULARY
from rsp_conformance.test_suite.entry import SuiteEntry
from rsp_conformance.test_suite.export import (
    check_folder,
    copy_suite,
    export_suite,
    pack_suite,
    suite_case,
)
from rsp_conformance.test_suite.manifest import packaged_suite, read_suite
from rsp_conformance.test_suite.packed import PACKED, packed
from tests.test_suite.conftest import packaged

DIALS = Dials(unit=1000)
FOCI = (
    *("windows", "multi-window", "static", "time-varying", "named-graphs", "named-elements"),
    *("order", "construct", "ask", "terms", "blank-nodes", "rdf-star", "triple-terms"),
)


def drawn(focus: str, number: int = 6) -> list[SuiteEntry]:
    """Tests of a focus, with the answers under three profiles; some are asked in two forms."""
    found = []
    for place, case in enumerate(some_cases(GENERATED, DIALS, focus, number, seed=1)):
        try:
            made = suite_case(case, DIALS, f"{focus}-{place}", f'<{focus}> \\ "{place}"', "é\n")
        except (Unsupported, LimitExceeded, ValueError):
            continue
        own = replace(made, requires=({"bounds": ("(o,c]", "[o,c]")}, {"tick": ("tuple",)}))
        others = (under_profile(own, bundled_profile(name)) for name in ("yasper", "c-sparql"))
        found.append(SuiteEntry((own, *filter(None, others))))
    return found


def normal(case: Case) -> object:
    """CASE but for how its windows' slides and its background's intervals are written."""
    windows = tuple(replace(w, slide=w.slide or 1) for w in case.query.windows)
    query = replace(case.query, windows=windows)
    background = {(t, e.graph, e.since, e.until) for e in case.background for t in e.triples}
    elements = case.elements, case.streams, case.registered, case.until
    return query, background, elements


@pytest.mark.parametrize("focus", FOCI)
def test_what_is_written_is_read_back(focus: str, tmp_path: Path) -> None:
    tests = drawn(focus)
    assert tests
    export_suite(tmp_path / "suite", 'a "label"', tests)
    read = read_suite(tmp_path / "suite").tests
    cases, again = ([own for one in those for own in one.cases] for those in (tests, read))
    same = cases[0].case
    assert [replace(own, case=same) for own in again] == [replace(own, case=same) for own in cases]
    assert [normal(own.case) for own in again] == [normal(own.case) for own in cases]


@pytest.mark.parametrize("focus", ["multi-window", "named-elements", "rdf-star"])
def test_both_forms_of_the_streams_say_the_same(focus: str, tmp_path: Path) -> None:
    export_suite(tmp_path, "both", drawn(focus))
    for folder in (tmp_path / "cases").iterdir():
        lines = (folder / "streams.jsonl").read_text().splitlines()
        elements = [ELEMENTS.read(StreamElement, json.loads(line)) for line in lines]
        quads = read_quads(folder / "streams.trig")
        said = {
            (t.subject, t.predicate.value.removeprefix(VOCABULARY)): t.object
            for t, graph in quads
            if graph is None
        }
        for position, element in enumerate(elements):
            name = element.name or IRI(f"{ELEMENT}{position}")
            assert {t for t, graph in quads if graph == name} == set(element.graph)
            assert said[name, "stream"] == element.stream
            assert said[name, "instant"].lexical == str(element.t)  # type: ignore[union-attr]
            assert said[name, "position"].lexical == str(position)  # type: ignore[union-attr]
        assert len({graph for _, graph in quads} - {None}) == len(elements)


MF = rdflib.Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
RSPT = rdflib.Namespace(VOCABULARY)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packaged suite with all its files."""
    folder = tmp_path_factory.mktemp("exported")
    copy_suite(folder)
    return folder


@pytest.fixture(scope="module")
def manifest(exported: Path) -> rdflib.Graph:
    return rdflib.Graph().parse(exported / "manifest.ttl", publicID="http://e/")


def test_both_manifests_say_the_same(manifest: rdflib.Graph, exported: Path) -> None:
    document = json.loads((exported / "manifest.json").read_text("utf-8"))
    (head,) = manifest.subjects(rdflib.RDF.type, MF.Manifest)
    assert str(manifest.value(head, rdflib.RDFS.label)) == document["label"]
    entries = [*rdflib.collection.Collection(manifest, manifest.value(head, MF.entries))]
    assert len(entries) == len(document["tests"])

    def file(subject: rdflib.term.Node, predicate: rdflib.URIRef) -> str:
        return str(manifest.value(subject, predicate)).removeprefix("http://e/")

    def number(subject: rdflib.term.Node, name: str) -> object:
        value = manifest.value(subject, RSPT[name])
        return None if value is None else value.toPython()  # type: ignore[attr-defined]

    for entry, test in zip(entries, document["tests"], strict=True):
        action = manifest.value(entry, MF.action)
        stamp = manifest.value(action, RSPT.stamp)
        streams = manifest.value(action, RSPT.streams)
        assert test == {
            "name": str(manifest.value(entry, MF.name)),
            "title": str(manifest.value(entry, rdflib.RDFS.comment)),
            "source": str(manifest.value(entry, rdflib.DCTERMS.source) or ""),
            "query": file(action, RSPT.query),
            "jsonl": file(action, RSPT.elements),
            "trig": file(action, RSPT.elementGraphs),
            "streams": [str(s) for s in rdflib.collection.Collection(manifest, streams)],
            "background": sorted(
                (
                    {
                        "path": file(one, RSPT.data),
                        "since": number(one, "from"),
                        "until": number(one, "until"),
                    }
                    for one in manifest.objects(action, RSPT.background)
                ),
                key=lambda one: [b["path"] for b in test["background"]].index(one["path"]),
            ),
            "registered": number(action, "registered"),
            "until": number(action, "until"),
            "result": file(entry, MF.result),
            "features": sorted(map(str, manifest.objects(entry, RSPT.feature))),
            "stamp": None
            if stamp is None
            else {
                "predicate": str(manifest.value(stamp, RSPT.predicate)),
                "datatype": str(manifest.value(stamp, RSPT.datatype)),
            },
        }
        assert str(entry) == f"urn:x-rsp-conformance:test:{test['name']}"


def test_the_manifest_has_its_shapes(manifest: rdflib.Graph) -> None:
    shapes = rdflib.Graph().parse(packaged_suite() / "vocabulary.ttl")
    small = rdflib.Graph()
    entries = [*manifest.subjects(rdflib.RDF.type, RSPT.ContinuousQueryTest)][:25]
    for entry in entries:
        small += manifest.cbd(entry)
    conforms, _, text = pyshacl.validate(small, shacl_graph=shapes)
    assert conforms, text
    action = small.value(entries[0], MF.action)
    for broken in ((action, RSPT.until), (entries[0], MF.result)):
        wrong = small - [(*broken, small.value(*broken))]
        assert not pyshacl.validate(wrong, shacl_graph=shapes)[0], broken
    small.add((entries[0], RSPT.misspelt, rdflib.Literal(1)))
    assert not pyshacl.validate(small, shacl_graph=shapes)[0]


def test_every_word_is_explained(manifest: rdflib.Graph) -> None:
    vocabulary = rdflib.Graph().parse(packaged_suite() / "vocabulary.ttl")
    used = {p for p in manifest.predicates() if str(p).startswith(VOCABULARY)}
    used |= {o for o in manifest.objects() if str(o).startswith(VOCABULARY)}
    for term in used:
        assert vocabulary.value(term, rdflib.RDFS.comment) is not None, term


def test_one_file_says_what_the_folder_says(exported: Path) -> None:
    """The packaged suite, and its export."""
    one, many = packaged(), read_suite(exported)
    assert (one.label, one.tests) == (many.label, many.tests)
    assert packed(many.label, many.tests).encode() == lzma.decompress(one.path.read_bytes())
    name = one.tests[0].name
    assert many.files_of(name) == str(exported / "cases" / name)
    assert one.files_of(name) == f"DIR/cases/{name}, after `rsp-conformance export DIR`"


@pytest.mark.parametrize("focus", ["time-varying", "named-elements", "construct", "rdf-star"])
def test_what_is_packed_is_exported_as_it_was(focus: str, tmp_path: Path) -> None:
    tests = drawn(focus)
    pack_suite(tmp_path / "packed", "é", tests, "# page\n")
    assert files_in(tmp_path / "packed").keys() == {PACKED, "coverage.md"}
    suite = read_suite(tmp_path / "packed")
    export_suite(tmp_path / "again", suite.label, suite.tests)
    export_suite(tmp_path / "first", "é", tests)
    assert files_in(tmp_path / "again") == files_in(tmp_path / "first")


def files_in(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    for write in (check_folder, copy_suite):
        with pytest.raises(BadInput, match="something else than a suite"):
            write(tmp_path)
    assert (tmp_path / "thesis.tex").read_text() == "years of work"


def test_an_earlier_suite_is_replaced(tmp_path: Path) -> None:
    first, second = drawn("windows"), drawn("ask")
    export_suite(tmp_path, "first", first)
    export_suite(tmp_path, "second", second)
    assert {f.name for f in (tmp_path / "cases").iterdir()} == {e.name for e in second}
    assert [e.name for e in read_suite(tmp_path).tests] == [e.name for e in second]
