"""What is SPARQL and what is not, held against Oxigraph's parser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pyoxigraph
import pytest

from rsp_conformance.text.parse import parse_query
from tests.text.corpus import PROLOGUE, SPARQL, WRONG

# Oxigraph's parser takes lower case only here, wants a name in a negated property set, and does
# not let a SELECT expression use the one before it.
OXIGRAPH_REFUSES = {"booleans", "paths", "grouping"}
# ... and does not look for aggregates within aggregates.
OXIGRAPH_ACCEPTS = {"nested aggregates"}


def accepts(text: str) -> bool:
    try:
        parse_query(text)
    except ValueError:
        return False
    return True


def oxigraph_accepts(text: str) -> bool:
    try:
        pyoxigraph.Store().query(text)
    except SyntaxError:
        return False
    except (OSError, RuntimeError, ValueError):
        pass  # it was read, and its evaluation failed: SERVICE
    return True


@pytest.mark.parametrize("name", SPARQL)
def test_legal_queries(name: str) -> None:
    text = PROLOGUE + SPARQL[name]
    assert accepts(text)
    assert oxigraph_accepts(text) is (name not in OXIGRAPH_REFUSES)


@pytest.mark.parametrize("name", WRONG)
def test_illegal_queries(name: str) -> None:
    assert not accepts(WRONG[name])
    assert oxigraph_accepts(WRONG[name]) is (name in OXIGRAPH_ACCEPTS)


TOKEN = re.compile(r"<[^<>\s]*>|\"\"\"|'''|\"[^\"]*\"|'[^']*'|[?$:\w.\-]+|\S")


def damaged(text: str) -> Iterator[str]:
    """TEXT with each token left out, and with each pair of neighbours swapped."""
    spans = [match.span() for match in TOKEN.finditer(text)]
    for (start, end), (next_start, next_end) in pairwise(spans):
        yield text[:start] + text[end:]
        first, second = text[start:end], text[next_start:next_end]
        yield f"{text[:start]}{second} {first}{text[next_end:]}"


@pytest.mark.parametrize("name", sorted(SPARQL.keys() - OXIGRAPH_REFUSES))
def test_damaged_queries(name: str) -> None:
    """One token less or two swapped: this parser and Oxigraph's say the same."""
    for text in damaged(SPARQL[name]):
        whole = PROLOGUE + text
        if re.search(r"(?i)!\s*!|\?\w\+ 1|FILTER\w", text):
            continue  # Oxigraph takes `!!`, `?s+` as a path, and wants a space after FILTER
        assert accepts(whole) is oxigraph_accepts(whole), text
