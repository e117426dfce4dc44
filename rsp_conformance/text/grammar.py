"""Loads the grammar, once and when it is first needed."""

from __future__ import annotations

from functools import cache
from importlib import resources

from lark import Lark

from rsp_conformance.text.builtin_functions import TERMINAL


@cache
def parser() -> Lark:
    """The LALR parser of RSP-QL; about a third of a second the first time."""
    folder = resources.files("rsp_conformance.text")
    text = "\n".join((folder / name).read_text("utf-8") for name in ("sparql.lark", "rspql.lark"))
    return Lark(
        f"{text}\nBUILTIN: /(?:{TERMINAL})(?![A-Za-z0-9_])/i\n",
        parser="lalr",
        start="rspql_query",
        maybe_placeholders=False,
    )
