"""Streams from folders of data_NN.ttl and from .n3t files, and the unit of their numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.files.files import FileError
from rsp_conformance.files.stream_files import read_stream
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, XSD, BlankNode, Literal, Triple

S = IRI("urn:s")
a, b, p = (IRI(f"http://ex.org/{name}") for name in "abp")
A, B, P = (f"<http://ex.org/{name}>" for name in "abp")
AB, BA = Triple(a, p, b), Triple(b, p, a)


@pytest.fixture
def folder(tmp_path: Path) -> Any:
    def write(**files: str) -> Path:
        for name, text in files.items():
            (tmp_path / f"{name}.ttl").write_text(text, "utf-8")
        return tmp_path

    return write


def failure(path: Path, **options: Any) -> str:
    with pytest.raises(FileError) as caught:
        read_stream(path, S, **options)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(str(path))
    return str(caught.value).removeprefix(str(path))


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
