"""The sentence for each kind of fact: a template, whose words ``argument`` finds."""

from __future__ import annotations

from collections.abc import Mapping

from rsp_conformance.explain.argument import FactKind
from rsp_conformance.model.tables import read_table

_TABLE = read_table(__name__, "sentences.toml")

SENTENCES: Mapping[FactKind, str] = _TABLE["sentences"]

HINTS: Mapping[str, str] = _TABLE["hints"]
