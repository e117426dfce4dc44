"""Triples as statements: one by one, or with ``;`` and ``,`` and blank nodes in square brackets.

``[ :p ?o ]`` says what ``_:b :p ?o`` says of a blank node that occurs nowhere else. The parser
reads its triples where it stands, so it can be written where the triples about the node follow the
one that names it, and are all there is of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from rsp_conformance.model.algebra import PatternTerm, TriplePattern
from rsp_conformance.model.layout import Layout
from rsp_conformance.model.terms import BlankNode
from rsp_conformance.model.walk import within


class Statements:
    """TRIPLES of one basic graph pattern or template, in the order in which they are read again."""

    def __init__(
        self,
        triples: Sequence[TriplePattern],
        layout: Layout,
        term: Callable[[PatternTerm], str],
        verb: Callable[[TriplePattern], str],
    ) -> None:
        self._triples, self._layout = triples, layout
        self._term, self._verb = term, verb
        nodes = (part for triple in triples for part in within(triple))
        self._uses = Counter(node for node in nodes if isinstance(node, BlankNode))

    def lines(self) -> list[str]:
        """A statement a line, each with its dot."""
        found: list[str] = []
        at = 0
        while at < len(self._triples):
            text, at = self._statement(at)
            found.append(f"{text} .")
        return found

    def _statement(self, at: int) -> tuple[str, int]:
        """The statement that begins with the triple AT, and the place after it."""
        subject = self._triples[at].subject
        if self._layout.anonymous and isinstance(subject, BlankNode):
            if self._uses[subject] == 1 and self._layout.lists != 1:
                text, after = self._properties(at, joined=False)
                return f"[] {text}", after
            if bracketed := self._bracketed(subject, at, self._uses[subject]):
                return bracketed
        text, after = self._properties(at, joined=self._layout.lists > 0)
        return f"{self._term(subject)} {text}", after

    def _properties(self, at: int, *, joined: bool) -> tuple[str, int]:
        """What the triples from AT on say of one subject; of the first alone if not JOINED."""
        subject = self._triples[at].subject
        parts: list[str] = []
        while at < len(self._triples) and self._triples[at].subject == subject:
            verb = self._triples[at].predicate
            written = self._verb(self._triples[at])
            objects: list[str] = []
            while not objects or (
                joined
                and self._layout.lists > 1
                and at < len(self._triples)
                and (self._triples[at].subject, self._triples[at].predicate) == (subject, verb)
            ):
                text, at = self._object(at)
                objects.append(text)
            parts.append(f"{written} {', '.join(objects)}")
            if not joined:
                break
        return " ; ".join(parts), at

    def _object(self, at: int) -> tuple[str, int]:
        """The object of the triple AT, and the place after all that is said within it."""
        node = self._triples[at].object
        if self._layout.anonymous and isinstance(node, BlankNode):
            if self._uses[node] == 1:
                return "[]", at + 1
            if bracketed := self._bracketed(node, at + 1, self._uses[node] - 1):
                return bracketed
        return self._term(node), at + 1

    def _bracketed(self, node: BlankNode, at: int, uses: int) -> tuple[str, int] | None:
        """``[ … ]`` for NODE, where the triples from AT on are about it and are all its USES."""
        if at >= len(self._triples) or self._triples[at].subject != node:
            return None
        text, after = self._properties(at, joined=True)
        about = sum(triple.subject == node for triple in self._triples[at:after])
        return (f"[ {text} ]", after) if about == uses else None
