"""Queries over the whole syntax, plain SPARQL and RSP-QL, the tricky ones among them."""

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
