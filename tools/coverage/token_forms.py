"""The forms of tokens that are cells: ``.5`` and ``1e0`` of numbers, ``$x`` of variables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from rsp_conformance.sparql.coverage import AGGREGATES

_ESCAPE = re.compile(r"\\[^uU]")
_CODE_POINT = re.compile(r"\\[uU]")

_NUMBERS: Final = ("12", "1.5", ".5", "1e0")
FORMS: Final[dict[str, tuple[str, ...]]] = {
    "COMPARISON": ("=", "!=", "<", "<=", ">", ">="),
    "AGGREGATE": tuple(sorted(AGGREGATES - {"GROUP_CONCAT"})),
    "BOOLEAN": ("true", "false"),
    "STREAM_OPERATOR": ("RSTREAM", "ISTREAM", "DSTREAM"),
    "NUMBER": _NUMBERS,
    "SIGNED_NUMBER": _NUMBERS,
    "STRING": (
        *('"x"', "'x'", '"""x"""', "'''x'''"),
        *("escape \\n", "escape \\u", "empty", "beyond ASCII", "beyond the BMP"),
    ),
    "LANGTAG": ("en", "en-GB"),
    "VAR": ("?x", "$x", "beyond ASCII", "digits first"),
    "PNAME": (
        *(":x", "p:x", "escape or %", "with a dot", "with a dash"),
        *("digits first", "beyond ASCII", "empty local", "with a colon"),
    ),
    "IRIREF": ("absolute", "relative", "beyond ASCII", "escape %", "other schemes"),
    "BLANK_NODE_LABEL": ("_:x",),
    "ANON": ("[]",),
    "NIL": ("()",),
    "INTEGER": ("12",),
    "DURATION": ("PT5S",),
}
"""The forms of each kind of token that is a cell."""


@lru_cache(maxsize=1 << 14)
def forms(kind: str, text: str) -> tuple[str, ...]:
    """The cells of the token TEXT, which is of a KIND that has any, as "NUMBER: .5"."""
    of = _READERS.get(kind)
    own = FORMS[kind] if of is None else of(text)
    return tuple(f"{kind}: {form}" for form in own)


def _number(text: str) -> Iterator[str]:
    text = text.lstrip("+-").lower()
    yield "1e0" if "e" in text else ".5" if text[0] == "." else "1.5" if "." in text else "12"


def _string(text: str) -> Iterator[str]:
    quote = text[0] * (3 if text[:3] == text[0] * 3 and len(text) > 5 else 1)
    yield f"{quote}x{quote}"
    if _ESCAPE.search(text):
        yield "escape \\n"
    if _CODE_POINT.search(text):
        yield "escape \\u"
    if len(text) == 2 * len(quote):
        yield "empty"
    if not text.isascii():
        yield "beyond ASCII"
    if max(text) > "\uffff":
        yield "beyond the BMP"


def _variable(text: str) -> Iterator[str]:
    if not text.isascii():
        yield "beyond ASCII"
    else:
        yield "digits first" if text[1].isdigit() else f"{text[0]}x"


def _prefixed_name(text: str) -> Iterator[str]:
    prefix, _, local = text.partition(":")
    yield "p:x" if prefix else ":x"
    traits = {
        "escape or %": "\\" in local or "%" in local,
        "with a dot": "." in local,
        "with a dash": "-" in local,
        "digits first": local[:1].isdigit(),
        "beyond ASCII": not text.isascii(),
        "empty local": not local,
        "with a colon": ":" in local,
    }
    yield from (name for name, has in traits.items() if has)


def _iri(text: str) -> Iterator[str]:
    yield "relative" if ":" not in text else "absolute" if "://" in text else "other schemes"
    if not text.isascii():
        yield "beyond ASCII"
    if "%" in text:
        yield "escape %"


_READERS: Final[dict[str, Callable[[str], Iterator[str]]]] = {
    "COMPARISON": lambda text: iter((text,)),
    "BOOLEAN": lambda text: iter((text.lower(),)),
    "AGGREGATE": lambda text: iter((text.upper(),)),
    "STREAM_OPERATOR": lambda text: iter((text.upper(),)),
    "NUMBER": _number,
    "SIGNED_NUMBER": _number,
    "STRING": _string,
    "LANGTAG": lambda text: iter(("en-GB" if "-" in text else "en",)),
    "VAR": _variable,
    "PNAME": _prefixed_name,
    "IRIREF": _iri,
}
