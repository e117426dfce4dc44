r"""IRIs as prefixed names: read back by the kit, and by pyoxigraph, which has another grammar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import NamedNode, Store

from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.names import prefixed

NAMESPACE = "http://ex.org/"
PREFIXES = (("", NAMESPACE), ("deep", f"{NAMESPACE}a/"))


def read(name: str) -> str:
    """The IRI that NAME is, as the kit reads it and pyoxigraph does.

    pyoxigraph ends a name of several dots too soon: it reads `:0.0.0` as two terms.
    """
    text = f"SELECT * {{ VALUES ?x {{ {name} }} }}"
    text = "".join(f"PREFIX {prefix}: <{namespace}> " for prefix, namespace in PREFIXES) + text
    query = parse_query(text)
    assert isinstance(query, Query)
    ((ours,),) = query.pattern.rows  # type: ignore[union-attr]
    assert isinstance(ours, IRI)
    if name.count(".") < 2:
        ((theirs,),) = Store().query(text)  # type: ignore[union-attr]
        assert isinstance(theirs, NamedNode)
        assert ours.value == theirs.value
    return ours.value


@pytest.mark.parametrize(
    ("local", "name"),
    [
        ("", ":"),
        ("a", ":a"),
        ("a.b", ":a.b"),
        (".a.", r":\.a\."),
        ("a:b", ":a:b"),
        (":", "::"),
        ("-a-", r":\-a-"),
        ("_", ":_"),
        ("a/b", "deep:b"),
        ("a/", "deep:"),
        ("b/c#d?e=f", r":b\/c\#d\?e\=f"),
        ("%C3%a9", ":%C3%a9"),
        ("日本", ":日本"),
        ("e\u0301", ":e\u0301"),
        ("a'b~", r":a\'b\~"),
    ],
)
def test_a_name_is_read_back(local: str, name: str) -> None:
    assert prefixed(NAMESPACE + local, PREFIXES) == name
    assert read(name) == NAMESPACE + local


def test_a_percent_sign_alone_is_escaped() -> None:
    # By itself it is in no legal IRI, and pyoxigraph refuses it in each spelling.
    assert prefixed(f"{NAMESPACE}100%", PREFIXES) == r":100\%"
    assert prefixed(f"{NAMESPACE}%4", PREFIXES) == r":\%4"


@pytest.mark.parametrize(
    "iri", ["urn:x", f"{NAMESPACE}²", f"{NAMESPACE}\u0301e", f"{NAMESPACE}a[b"]
)
def test_what_no_name_can_hold(iri: str) -> None:
    assert prefixed(iri, PREFIXES) is None


@given(st.text("aé1._-:~/#?'()*+,;=@&$!20³\u0301\u00b7日", max_size=6))
def test_random_names_are_read_back(local: str) -> None:
    name = prefixed(NAMESPACE + local, PREFIXES)
    if name is not None:
        assert read(name) == NAMESPACE + local
