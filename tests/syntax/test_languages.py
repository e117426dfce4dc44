"""Languages and dialects that drivers name in their hello."""

from __future__ import annotations

import pytest

from rsp_conformance.model.query import Query
from rsp_conformance.syntax.languages import LANGUAGES, printer_of


def test_options_of_the_dialect_that_the_kit_does_not_know_are_ignored() -> None:
    dialect = {"duration": "instants", "colour": "green", "x-own": 1}
    assert printer_of("rsp-ql", dialect)(Query()) == printer_of("rsp-ql")(Query())


def test_a_duration_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="duration is 'weeks'"):
        printer_of("rsp-ql", {"duration": "weeks"})


@pytest.mark.parametrize("language", [name for name, write in LANGUAGES.items() if write is None])
def test_languages_that_are_not_printed_yet_are_refused_by_name(language: str) -> None:
    with pytest.raises(ValueError, match=f"queries in {language} are not printed yet"):
        printer_of(language)


def test_an_unknown_language_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(ValueError, match="did you mean 'rsp-ql'"):
        printer_of("rspql")
