"""Dials are read by the types that they declare."""

from __future__ import annotations

from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from rsp_conformance.model.dials import DIALS, VALUES, Dials, floors, parse_dial, write_dial

WORDS = {
    dial: get_args(declared)
    for dial, declared in get_type_hints(Dials).items()
    if get_origin(declared) is Literal
}


def test_most_dials_take_one_of_a_few_words() -> None:
    assert len(WORDS) == 17
    assert WORDS.keys() < set(DIALS)


@pytest.mark.parametrize("dial", WORDS)
def test_a_dial_takes_the_words_of_its_type_and_no_other(dial: str) -> None:
    for word in WORDS[dial]:
        assert getattr(Dials().with_dial(dial, word), dial) == word
        with pytest.raises(ValueError, match=dial):
            parse_dial(dial, word + "x")
    assert getattr(Dials(), dial) in WORDS[dial]


@pytest.mark.parametrize("dial", DIALS)
def test_every_dial_reads_what_it_writes(dial: str) -> None:
    assert parse_dial(dial, Dials().text(dial)) == getattr(Dials(), dial)


def test_the_values_to_try_are_all_of_a_dial_or_those_without_a_number() -> None:
    assert {*DIALS} - {*VALUES} == {"time_tolerance", "unit"}
    for dial, values in VALUES.items():
        parsed = [parse_dial(dial, value) for value in values]
        assert len({*parsed}) == len(values) > 1
        assert getattr(Dials(), dial) in parsed
        assert [write_dial(value) for value in parsed] == [*values]
    assert WORDS.items() <= VALUES.items()


def test_floors_are_values_of_t0() -> None:
    assert [str(parse_dial("t0", value)) for value in floors([2, 5])] == [
        "first-element-floor(2)",
        "first-element-floor(5)",
        "first-element-close-floor(2)",
        "first-element-close-floor(5)",
    ]
