"""How a query is to look."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rsp_conformance.model.query import abbreviated
from rsp_conformance.model.windows import Span
from rsp_conformance.text.durations import write_span

_NOT_IN_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\]')


@dataclass(frozen=True, slots=True)
class Style:
    """Prefixes and the dialect's options.

    ``duration`` and ``unit`` are those of ``durations.write_span``; ``explicit_step`` writes the
    STEP of one instant that a RANGE without STEP means; ``triple_terms`` writes quoted triples as
    RDF 1.2 does, ``<<( s p o )>>``; ``star`` keeps to RSP-QL*'s own grammar.
    """

    prefixes: tuple[tuple[str, str], ...] = ()
    duration: str | None = None
    unit: int = 1
    explicit_step: bool = False
    triple_terms: bool = False
    star: bool = False

    def iri(self, value: str) -> str:
        """The IRI with the longest prefix that fits, else in angle brackets.

        ValueError where it holds a character that SPARQL's IRIs cannot hold.
        """
        text = abbreviated(value, self.prefixes)
        if text.startswith("<") and (bad := _NOT_IN_IRI.search(value)):
            raise ValueError(f"the IRI {value!r} holds {bad[0]!r}, which SPARQL's IRIs cannot hold")
        return text

    def span(self, span: Span) -> str:
        """A length of time."""
        return write_span(span, self.duration, self.unit)

    def quoted(self, inside: str) -> str:
        """A quoted triple."""
        return f"<<( {inside} )>>" if self.triple_terms else f"<< {inside} >>"


PLAIN = Style()
