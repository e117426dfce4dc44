"""Streams and background data from files, and what is said where they are wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.files.files import DEEPEST, FileError, parse_json, read_text
from rsp_conformance.files.rdf_files import read_background, read_quads, split_interval
from rsp_conformance.files.stream_files import StreamFile, read_stream
from rsp_conformance.model.background import BackgroundEntry
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import (
    IRI,
    RDF,
    XSD,
    XSD_DATETIME,
    XSD_INTEGER,
    BlankNode,
    Literal,
    Triple,
)

S = IRI("urn:s")
a, b, p = (IRI(f"http://ex.org/{name}") for name in "abp")
fact = Triple(a, p, b)
LINE = "<http://ex.org/a> <http://ex.org/p> <http://ex.org/b> ."
PREFIX = """@prefix : <http://ex.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix prov: <http://www.w3.org/ns/prov#> .
"""


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def write_file(name: str, *lines: str) -> Path:
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n", "utf-8")
        return path

    return write_file


def failure(path: Path, **options: Any) -> str:
    with pytest.raises(FileError) as caught:
        read_stream(path, S, **options)
    said = str(caught.value)
    assert "\n" not in said
    assert said.startswith(str(path))
    return said.removeprefix(str(path))


def element(t: int, graph: str = LINE, **fields: Any) -> str:
    return json.dumps({"t": t, "graph": graph, **fields})


# ----------------------------------------------------------------------------------------- .jsonl


def test_lines_are_elements(write: Any) -> None:
    path = write(
        "s.jsonl",
        element(2, stream="urn:s", other="ignored"),
        "",
        element(2, f"{LINE}\n_:x <http://ex.org/p> 'x' .".replace("'", '"')),
        element(5, name="http://ex.org/g"),
        element(5, name="_:g"),
    )
    assert read_stream(path, S) == StreamFile(
        (
            StreamElement(S, 2, (fact,)),
            StreamElement(S, 2, (fact, Triple(BlankNode("x"), p, Literal("x")))),
            StreamElement(S, 5, (fact,), IRI("http://ex.org/g")),
            StreamElement(S, 5, (fact,), BlankNode("g")),
        )
    )


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["{"], ", line 1: no JSON ("),
        (["[]"], ", line 1: expected an object"),
        ([element(1), '{"graph": ""}'], ", line 2: t: expected an integer, found nothing"),
        (['{"t": 1.5, "graph": ""}'], ", line 1: t: expected an integer, found 1.5"),
        (['{"t": true, "graph": ""}'], ", line 1: t: expected an integer, found true"),
        (['{"t": 1}'], ", line 1: graph: expected N-Triples, found nothing"),
        ([element(1, "")], ", line 1: graph: an element holds at least one triple"),
        ([element(1, "<a> .")], ", line 1: graph: the IRI <a> is not absolute"),
        ([element(-1)], ", line 1: t=-1: streams start at 0 or later"),
        ([element(3), "", element(2)], ", line 3: t=2 comes after t=3: time never runs backwards"),
        (
            [element(1, stream="urn:t")],
            ", line 1: stream: the file was given for <urn:s>, found <urn:t>",
        ),
        ([element(1, name=5)], ", line 1: name: expected an IRI or _:label, found 5"),
        (
            [element(1, name="urn:g"), element(2, name="urn:g")],
            ", line 2: the name <urn:g> is taken by an earlier element",
        ),
    ],
)
def test_what_is_wrong_in_lines(write: Any, lines: list[str], said: str) -> None:
    assert failure(write("s.jsonl", *lines)).startswith(said)


def test_files_that_cannot_be_read_and_what_is_no_text(tmp_path: Path) -> None:
    assert failure(tmp_path / "none.jsonl") == ": there is no such file"
    (tmp_path / "d.jsonl").mkdir()
    assert failure(tmp_path / "d.jsonl") == ": a directory, where a file was expected"
    (tmp_path / "s.csv").write_text("")
    assert failure(tmp_path / "s.csv") == (
        ": a stream is read from a file named .jsonl, .trig or .n3t, or a folder of data_NN.ttl"
    )
    (tmp_path / "l.jsonl").write_bytes(b"\n\xe9\n")
    assert failure(tmp_path / "l.jsonl") == ", line 2: no UTF-8 text"
    path = tmp_path / "s.jsonl"
    path.write_text(element(1), "utf-8-sig")
    assert read_text(path) == element(1)


def test_json_has_no_infinity(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="line 3: no JSON"):
        parse_json("Infinity", tmp_path / "x", 3)
    with pytest.raises(FileError, match="nested more than 150 deep"):
        parse_json("[" * 100_000, tmp_path / "x")


@pytest.mark.parametrize("within", ["", "1", '"é"', "{}"])
def test_json_is_nested_just_so_deep(within: str, tmp_path: Path) -> None:
    deepest = DEEPEST - within.count("{")
    parse_json("[" * deepest + within + "]" * deepest, tmp_path / "x")
    with pytest.raises(FileError, match="nested more than 150 deep"):
        parse_json("[" * (deepest + 1) + within + "]" * (deepest + 1), tmp_path / "x")


@pytest.mark.parametrize("text", [r'["\ud83d"]', r'{"\uDE00": 1}', '"\udc80"'])
def test_half_of_a_character_is_no_json(text: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="half of a character"):
        parse_json(text, tmp_path / "x")
    assert parse_json(r'"\ud83d\ude00"', tmp_path / "x") == "\U0001f600"


# ------------------------------------------------------------------------------------------ .trig


def test_graphs_with_timestamps_are_elements(write: Any) -> None:
    path = write(
        "s.trig",
        PREFIX + ":g1 { :a :p :b } :g1 prov:generatedAtTime 2 .",
        '_:g2 { :a :p :b . :b :p "x" } _:g2 prov:generatedAtTime 2 .',
        ":g0 prov:generatedAtTime 3 . :g0 { :a :p << :a :p :b >> }",
    )
    assert read_stream(path, S) == StreamFile(
        (
            StreamElement(S, 2, (fact,), IRI("http://ex.org/g1")),
            StreamElement(S, 2, (fact, Triple(b, p, Literal("x"))), BlankNode("g2")),
            StreamElement(S, 3, (Triple(a, p, fact),), IRI("http://ex.org/g0")),
        ),
        IRI(XSD_INTEGER),
    )


def test_dates_count_instants_from_the_epoch(write: Any) -> None:
    stamp = '"{}"^^<http://www.w3.org/2001/XMLSchema#dateTime>'
    path = write(
        "s.trig",
        PREFIX,
        f":g1 :at {stamp.format('1970-01-01T00:01:00Z')} . :g1 {{ :a :p :b }}",
        f":g2 :at {stamp.format('1970-01-01T01:02:00+01:00')} . :g2 {{ :a :p :b }}",
        f":g3 :at {stamp.format('1970-01-01T00:03:00.500')} . :g3 {{ :a :p :b }}",
    )
    at = IRI("http://ex.org/at")
    found = read_stream(path, S, time_predicate=at, unit=500)
    assert [e.t for e in found.elements] == [120, 240, 361]
    assert found.datatype == IRI(XSD_DATETIME)
    assert failure(path, time_predicate=at, unit=1000) == (
        ": the timestamp 1970-01-01T00:03:00.500 of <http://ex.org/g3> is no whole number of "
        "instants of 1000 ms: turn the dial unit"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (":g { :a :p :b }", ": the element <http://ex.org/g> has no timestamp: write <"),
        (
            ":g prov:generatedAtTime 1.5 . :g { :a :p :b }",
            ": the timestamp of <http://ex.org/g> is neither an integer nor an xsd:dateTime: ",
        ),
        (
            ":g prov:generatedAtTime 1 . :g { :a :p :b } :h { :a :p :b } "
            ':h prov:generatedAtTime "1970-01-01T00:00:02Z"^^xsd:dateTime .',
            ": some timestamps are integers and some xsd:dateTime",
        ),
        (":a :p :b .", ": the default graph holds timestamps (<http://www.w3.org/ns/prov#gen"),
        (":g { :a :p }", ", line 3: "),
        (
            ":g prov:generatedAtTime 2 . :g { :a :p :b } "
            ":h prov:generatedAtTime 1 . :h { :a :p :b }",
            ": the element <http://ex.org/h> t=1 comes after t=2: time never runs backwards",
        ),
    ],
)
def test_what_is_wrong_in_trig(write: Any, text: str, said: str) -> None:
    assert failure(write("s.trig", PREFIX + text)).startswith(said)


# ------------------------------------------------------------------------------------ background


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("f.nt", ("f.nt", None, None)),
        ("f.nt@2..13", ("f.nt", 2, 13)),
        ("f.nt@..13", ("f.nt", None, 13)),
        ("f.nt@14..", ("f.nt", 14, None)),
        ("f.nt@..", ("f.nt", None, None)),
        ("f.nt@-3..-3", ("f.nt", -3, -3)),
        ("a@b/f@1..2@3..4", ("a@b/f@1..2", 3, 4)),
        ("f@2", ("f@2", None, None)),
    ],
)
def test_intervals(written: str, expected: tuple[str, int | None, int | None]) -> None:
    path, since, until = split_interval(written)
    assert (str(path), since, until) == expected


def test_an_interval_that_ends_before_it_begins() -> None:
    with pytest.raises(FileError, match=r"f\.nt: the interval 3\.\.2 ends before it begins"):
        read_background("f.nt@3..2")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("d.nq", f"{LINE}\n{LINE[:-1]}<http://ex.org/b> .\n{LINE}"),
        ("d.trig", "@prefix : <http://ex.org/> . :a :p :b . :b { :a :p :b }"),
    ],
)
def test_each_graph_is_an_entry(write: Any, name: str, text: str) -> None:
    path = write(name, text)
    assert read_background(f"{path}@2..13") == (
        BackgroundEntry((fact,), None, 2, 13),
        BackgroundEntry((fact,), b, 2, 13),
    )


def test_other_formats(write: Any) -> None:
    assert read_quads(write("d.ttl", PREFIX + ":a :p :b .")) == [(fact, None)]
    assert read_quads(write("d.nt", LINE, "# nothing", "")) == [(fact, None)]
    ld = '[{"@id": "http://ex.org/a", "http://ex.org/p": [{"@id": "http://ex.org/b"}]}]'
    assert read_quads(write("d.jsonld", ld)) == [(fact, None)]


XML = f"""<rdf:RDF xmlns:rdf="{RDF}" xmlns="http://ex.org/">
<rdf:Description rdf:about="http://ex.org/a"><p xml:lang="en-US">x</p></rdf:Description>
</rdf:RDF>"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("d.ttl", PREFIX + ':a :p "x"@en-US .'),
        ("d.ttl", PREFIX + ":a :p '''x'''@en-US ."),
        ("d.trig", PREFIX + '{ :a :p "x"@en-US }'),
        ("d.nq", LINE.replace("<http://ex.org/b>", '"x"@en-US')),
        ("d.rdf", XML),
        (
            "d.jsonld",
            '[{"@id": "http://ex.org/a", '
            '"http://ex.org/p": [{"@value": "x", "@language": "en-US"}]}]',
        ),
    ],
)
def test_a_tag_stays_as_it_is_written(write: Any, name: str, text: str) -> None:
    assert read_quads(write(name, text)) == [(Triple(a, p, Literal("x", language="en-US")), None)]


def test_what_only_looks_like_a_tag_stays_as_it_is(write: Any) -> None:
    text = """# '@EN'
:a :p "'@EN\\u0031", "x-0000-0z", "x '@EN'@DE"@EN, "y"@De-Ch, "z"@de ."""
    assert read(write, text) == [
        Triple(a, p, Literal(lexical, language=tag))
        for lexical, tag in [
            ("'@EN1", ""),
            ("x-0000-0z", ""),
            ("x '@EN'@DE", "EN"),
            ("y", "De-Ch"),
            ("z", "de"),
        ]
    ]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("d.nt", f"{LINE}\n{LINE[:-1]}", ", line 2: expected '.' at column 55, found the end"),
        ("d.nt", f"{LINE[:-1]}<urn:g> .", ", line 1: a triple has no fourth term"),
        ("d.ttl", "<a> <b> <c> .", ", line 1: between columns 1 and 4: No scheme found"),
        ("d.ttl", PREFIX + ":a :p :b", ", line "),
        ("d.ttl", PREFIX + "<< :a :p :b >> .", ": nothing is said of the quoted triple <<"),
        ("d.csv", "", ": cannot tell its format: name it .nt .nq .ttl .trig .jsonld .rdf"),
    ],
)
def test_what_is_wrong_in_data(write: Any, name: str, text: str, said: str) -> None:
    path = write(name, text)
    with pytest.raises(FileError) as caught:
        read_quads(path)
    assert str(caught.value).startswith(f"{path}{said}")


# ----------------------------------------------------------------------- quoted triples and nodes


def read(write: Any, text: str, name: str = "d.ttl") -> list[Triple]:
    return [triple for triple, _ in read_quads(write(name, PREFIX + text))]


def test_quoted_triples_are_rdf_stars_and_named_reifiers_nodes(write: Any) -> None:
    said = Triple(fact, p, Literal("1", XSD_INTEGER))
    assert read(write, "<< :a :p :b >> :p 1 .") == [said]
    assert read(write, ":a :p << :a :p :b >> .") == [Triple(a, p, fact)]
    assert read(write, ":a :p <<( :a :p :b )>> .") == [Triple(a, p, fact)]
    assert read(write, ":a :p :b {| :p 1 |} .") == [fact, said]
    assert read(write, "<< << :a :p :b >> :p 1 >> :p << :a :p _:x >> .") == [
        Triple(said, p, Triple(a, p, BlankNode("x")))
    ]
    reifies = IRI(RDF + "reifies")
    for name, node in (("_:r", BlankNode("r")), (":b", b)):
        assert read(write, f"<< :a :p :b ~ {name} >> :p :a .") == [
            Triple(node, reifies, fact),
            Triple(node, p, a),
        ]


def test_blank_nodes_keep_their_labels_or_are_the_same_in_every_run(write: Any) -> None:
    assert read(write, "_:x.1 :p _:b0 .") == [Triple(BlankNode("x.1"), p, BlankNode("b0"))]
    first, second = (read(write, ":a :p [ :p [] ] .") for _ in range(2))
    assert first == second
    assert len({t.subject for t in first} | {t.object for t in first}) == 3
    other = read(write, ":a :p [ :p [] ] .", "other.ttl")
    assert not {t.object for t in first} & {t.object for t in other}


def test_directions_are_refused_by_name(write: Any) -> None:
    with pytest.raises(FileError, match=r"literals with a direction \(RDF 1.2\) are not supp"):
        read(write, ':a :p "x"@ar--rtl .')


# --- Folders of data_NN.ttl, .n3t files, and the unit of their numbers ----------------------------

A, B, P = (f"<http://ex.org/{name}>" for name in "abp")
AB, BA = Triple(a, p, b), Triple(b, p, a)


@pytest.fixture
def folder(tmp_path: Path) -> Any:
    def write(**files: str) -> Path:
        for name, text in files.items():
            (tmp_path / f"{name}.ttl").write_text(text, "utf-8")
        return tmp_path

    return write


# ------------------------------------------------------------------------------------- folders


def test_a_file_is_an_element_and_its_number_the_instant(folder: Any) -> None:
    path = folder(data_00=f"{A} {P} {B} .\n{B} {P} {A} .", data_10=f"{A} {P} {B} .")
    (path / "README.md").write_text("no part of the stream")
    assert read_stream(path, S).elements == (
        StreamElement(S, 0, (AB, BA)),
        StreamElement(S, 10, (AB,)),
    )


def test_numbers_are_ordered_as_numbers(folder: Any) -> None:
    path = folder(data_2=f"{A} {P} {B} .", data_100=f"{A} {P} {B} .", data_11=f"{A} {P} {B} .")
    assert [e.t for e in read_stream(path, S).elements] == [2, 11, 100]


def test_gaps_and_files_without_triples_are_silence(folder: Any) -> None:
    path = folder(data_01="", data_02="# nothing", data_05=f"{A} {P} {B} .")
    assert [e.t for e in read_stream(path, S).elements] == [5]


def test_a_stream_may_be_silent_throughout(folder: Any) -> None:
    assert read_stream(folder(data_01=""), S).elements == ()


def test_nodes_without_a_label_differ_between_files_and_labels_do_not(folder: Any) -> None:
    path = folder(data_1=f"[] {P} _:x .", data_2=f"[] {P} _:x .")
    (one,), (two,) = (e.graph for e in read_stream(path, S).elements)
    assert isinstance(one.subject, BlankNode)
    assert one.subject != two.subject
    assert one.object == two.object


def test_the_unit_turns_numbers_into_instants(folder: Any) -> None:
    path = folder(data_01=f"{A} {P} {B} .", data_03=f"{A} {P} {B} .")

    def instants(**units: int) -> list[int]:
        return [e.t for e in read_stream(path, S, **units).elements]

    assert instants(file_unit=1000, unit=100) == [10, 30]
    assert instants(file_unit=1000, unit=1000) == [1, 3]
    assert instants(unit=100) == [1, 3]
    assert failure(path, file_unit=1500, unit=1000) == (
        "/data_01.ttl: 1 stands for 1500 ms (--unit 1500), which is no whole number of instants "
        "of 1000 ms: turn the dial unit"
    )


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, ": holds no data_NN.ttl"),
        (
            {"data_x": ""},
            "/data_x.ttl: names no instant: the files of a stream's folder are called data_NN.ttl",
        ),
        (
            {"other": ""},
            "/other.ttl: names no instant: the files of a stream's folder are called data_NN.ttl",
        ),
        ({"data_1": "", "data_01": ""}, "/data_1.ttl: has the number of data_01.ttl"),
        ({"data_1": "no turtle"}, "/data_1.ttl, line 1: "),
    ],
)
def test_folders_that_are_no_stream(folder: Any, files: dict[str, str], said: str) -> None:
    assert failure(folder(**files)).startswith(said)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert failure(tmp_path / "data") == ": there is no such file or folder"


# ---------------------------------------------------------------------------------------- .n3t


def n3t(folder: Path, *lines: str) -> Path:
    path = folder / "s.n3t"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_lines_of_one_time_stay_elements_of_their_own(tmp_path: Path) -> None:
    path = n3t(
        tmp_path, "# a comment", f"{A} {P} {B} 1 .", "", f"{B} {P} {A} 1 .", f"{A} {P} {B} 4."
    )
    assert read_stream(path, S).elements == (
        StreamElement(S, 1, (AB,)),
        StreamElement(S, 1, (BA,)),
        StreamElement(S, 4, (AB,)),
    )


@pytest.mark.parametrize(
    "time", ["3000", '"3000"', f'"3000"^^<{XSD}integer>', f'"3000"^^<{XSD}long>']
)
@pytest.mark.parametrize("end", ["", " ", " .", "."])
def test_times_are_integers_bare_quoted_or_typed(tmp_path: Path, time: str, end: str) -> None:
    path = n3t(tmp_path, f"{A} {P} {B} {time}{end}")
    assert read_stream(path, S, file_unit=1, unit=1000).elements == (StreamElement(S, 3, (AB,)),)


@pytest.mark.parametrize(
    ("written", "literal"),
    [
        ('"59 F"', Literal("59 F")),
        ('"5 7 ."', Literal("5 7 .")),
        (f'"59"^^<{XSD}double>', Literal("59", f"{XSD}double")),
        # As the files that YABench publishes have it.
        (f"59^^{XSD}double", Literal("59", f"{XSD}double")),
        (f"59^^<{XSD}double>", Literal("59", f"{XSD}double")),
    ],
)
def test_objects_are_literals_too(tmp_path: Path, written: str, literal: Literal) -> None:
    path = n3t(tmp_path, f'{A} {P} {written} "31000"')
    assert read_stream(path, S).elements == (StreamElement(S, 31000, (Triple(a, p, literal),)),)


EXPECTED = "expected a triple and its time, a whole number, as in <s> <p> <o> 1000 ."


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([f"{A} {P} {B} ."], f", line 1: {EXPECTED}"),
        ([f"{A} {P} {B} 1.5 ."], f", line 1: {EXPECTED}"),
        ([f'{A} {P} {B} "1"^^<{XSD}dateTime> .'], f", line 1: {EXPECTED}"),
        ([f'{A} {P} "5" .'], ", line 1: before the time 5: expected an object at column "),
        ([f"{A} {P} {B} {A} {B} 3 ."], ", line 1: before the time 3: expected "),
        ([f"{A} {P} {B} 1 .", "oops 3 ."], ", line 2: before the time 3: expected a subject"),
        (
            [f"{A} {P} {B} 5 .", f"{A} {P} {B} 4 ."],
            ", line 2: t=4 comes after t=5: time never runs backwards, order the elements by t",
        ),
        ([f"{A} {P} {B} -1 ."], ", line 1: t=-1: streams start at 0 or later"),
    ],
)
def test_lines_that_are_no_timestamped_triple(tmp_path: Path, lines: list[str], said: str) -> None:
    assert failure(n3t(tmp_path, *lines)).startswith(said)


def test_a_time_that_is_no_whole_instant(tmp_path: Path) -> None:
    path = n3t(tmp_path, f"{A} {P} {B} 1000 .", f"{A} {P} {B} 1047 .")
    assert failure(path, file_unit=1, unit=100) == (
        ", line 2: 1047 stands for 1047 ms (--unit 1), which is no whole number of instants of "
        "100 ms: turn the dial unit"
    )
