"""docs/protocol.md says what is valid, and what the reference engine answers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.protocol.failures import EngineUnavailable
from rsp_conformance.protocol.messages import Failure, read_hello, read_run
from rsp_conformance.text.languages import DIALECT, LANGUAGES

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")


def messages(mark: str, op: str) -> list[dict[str, Any]]:
    """The messages of the page in one direction with one operation."""
    found = [json.loads(line[2:]) for line in PAGE.splitlines() if line.startswith(mark)]
    assert found
    return [message for message in found if message["op"] == op]


def test_the_hellos_are_valid() -> None:
    whole, refused = messages("←", "hello")
    hello = read_hello(whole)
    assert (hello.engine, hello.dialect, hello.advances) == (
        "rsp-js",
        {"duration": "instants"},
        "elements",
    )
    with pytest.raises(EngineUnavailable, match="put its jars into"):
        read_hello(refused)


def test_the_case_is_answered_so_by_the_reference_engine() -> None:
    (request,) = messages("→", "run")
    reply, error = messages("←", "run")
    assert ReferenceEngine().run(request) == reply
    read_run(reply, elements=len(request["elements"]))
    read = read_run(error, elements=4)
    assert isinstance(read, Failure)
    assert (read.kind, read.element) == ("rejected", 3)


def test_languages_and_keys_of_the_dialect_stand_there() -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith("| `language`"))
    assert set(re.findall(r"`([a-z0-9-]+)`", row.split("|")[2])) == set(LANGUAGES)
    section = PAGE.partition("### The dialect")[2].partition("## run")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == DIALECT
