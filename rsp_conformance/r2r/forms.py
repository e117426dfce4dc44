"""Query forms: from solutions to the content of an answer (SPARQL 1.1, section 16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rsp_conformance.model.answers import Content
    from rsp_conformance.model.query import Query
    from rsp_conformance.r2r.relation import Relation


def content(query: Query, relation: Relation) -> Content:
    """The content that QUERY's form makes of RELATION."""
    raise NotImplementedError
