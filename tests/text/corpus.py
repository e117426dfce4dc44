"""Queries over the whole syntax, plain SPARQL and RSP-QL, the tricky ones among them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

TABLES = tomllib.loads(Path(__file__).with_name("corpus.toml").read_text("utf-8"))

PROLOGUE = """PREFIX : <http://ex.org/>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""

# Each is legal SPARQL 1.1 below PROLOGUE.
SPARQL = TABLES["sparql"]

# RSP-QL and quoted triples, which plain SPARQL does not have.
RSP_QL = TABLES["rsp_ql"]

ALL = {name: PROLOGUE + text for name, text in (SPARQL | RSP_QL).items()}

# Illegal by SPARQL 1.1.
WRONG = TABLES["wrong"]


def pairs(table: str, **words: str) -> list[tuple[str, str, str]]:
    """The rows of a table: a language, which stands in brackets above, a text, and its partner.

    A text goes on where a line is indented, and ``{WORD}`` stands for one of WORDS.
    """
    found: list[tuple[str, str, str]] = []
    language = text = ""
    for entry in re.split(r"\n(?!  )", table.strip()):
        line = " ".join(entry.split())
        for word, meant in words.items():
            line = line.replace(f"{{{word}}}", meant.strip())
        if line.startswith("["):
            language = line.strip("[]")
        elif line.startswith("→ "):
            found.append((language, text, line.removeprefix("→ ")))
        else:
            text = line
    return found
