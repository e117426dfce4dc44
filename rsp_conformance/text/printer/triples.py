"""Triples as statements: one by one, or with ``;`` and ``,``, square brackets and lists.

``[ :p ?o ]`` means the same as ``_:b :p ?o`` for a blank node that occurs nowhere else, and
``( ?x )`` the same as ``_:b rdf:first ?x ; rdf:rest rdf:nil``. The parser reads their triples in
the place of the brackets. So a node can be written in brackets only if the triples about it
directly follow the triple that names it, and are all its occurrences; as a subject, if they come
first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from rsp_conformance.model.algebra import PatternTerm, TriplePattern
from rsp_conformance.model.layout import Layout
from rsp_conformance.model.terms import RDF_FIRST, RDF_NIL, RDF_REST, BlankNode
from rsp_conformance.model.walk import within


class Statements:
    """The triples of one basic graph pattern or template, in an order that the parser restores."""

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
        self._semicolon = " ;; " if layout.semicolons else " ; "

    def lines(self) -> list[str]:
        """Return a statement per line, each with its dot."""
        found: list[str] = []
        at = 0
        while at < len(self._triples):
            text, at = self._statement(at)
            found.append(f"{text} .")
        return found

    def _statement(self, at: int) -> tuple[str, int]:
        """Return the statement that begins with the triple at `at`, and the place after it."""
        subject = self._triples[at].subject
        if isinstance(subject, BlankNode):
            if self._layout.anonymous and self._uses[subject] == 1 and self._layout.lists != 1:
                text, after = self._properties(at, joined=False)
                return f"[] {text}", after
            found = self._list(subject, at, inner=False) or self._described(subject, at)
            if found is not None:
                return found
        text, after = self._properties(at, joined=self._layout.lists > 0)
        return f"{self._node(subject)} {text}", after

    def _described(self, subject: BlankNode, at: int) -> tuple[str, int] | None:
        """Return ``[ … ]`` with all that the triples from `at` on state about `subject`.

        If triples are not joined, only the first is within the brackets: ``[ :p ?o ] :q ?r``.
        """
        joined = self._layout.lists > 0
        if not self._layout.anonymous or self._bracketed(subject, at, self._uses[subject]) is None:
            return None
        text, after = self._properties(at, joined=joined)
        if joined or self._about(subject, after) is None:
            return f"[ {text} ]", after
        rest, after = self._properties(after, joined=True)
        return f"[ {text} ] {rest}", after

    def _about(self, subject: PatternTerm, at: int) -> TriplePattern | None:
        """Return the triple at `at`, if it is about `subject`."""
        triple = self._triples[at] if at < len(self._triples) else None
        return triple if triple is not None and triple.subject == subject else None

    def _properties(self, at: int, *, joined: bool) -> tuple[str, int]:
        """Return the statements from `at` on about one subject; only the first if not `joined`."""
        subject = self._triples[at].subject
        parts: list[str] = []
        while self._about(subject, at) is not None:
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
        return self._semicolon.join(parts) + (" ;" if self._layout.semicolons else ""), at

    def _object(self, at: int) -> tuple[str, int]:
        """Return the object of the triple at `at`, and the place after the statements within it."""
        node = self._triples[at].object
        if isinstance(node, BlankNode):
            if self._layout.anonymous and self._uses[node] == 1:
                return "[]", at + 1
            found = self._list(node, at + 1, inner=True)
            if found is None and self._layout.anonymous:
                found = self._bracketed(node, at + 1, self._uses[node] - 1)
            if found is not None:
                return found
        return self._node(node), at + 1

    def _node(self, node: PatternTerm) -> str:
        """Return a subject or an object as one token, or in the brackets of a quoted triple."""
        return "()" if self._layout.collections and node == RDF_NIL else self._term(node)

    def _bracketed(self, node: BlankNode, at: int, uses: int) -> tuple[str, int] | None:
        """Return ``[ … ]`` for `node`, if the triples from `at` on are about it, and no others."""
        if self._about(node, at) is None:
            return None
        text, after = self._properties(at, joined=True)
        about = sum(triple.subject == node for triple in self._triples[at:after])
        return (f"[ {text} ]", after) if about == uses else None

    def _list(self, node: BlankNode, at: int, *, inner: bool) -> tuple[str, int] | None:
        """Return ``( … )`` for `node`, if the triples from `at` on are a list that begins with it.

        With `inner` one more triple has the node as its object. Other statements about the subject
        of a statement follow the list.
        """
        found = self._members(node, at, None if not inner else 3)
        if found is None:
            return None
        members, after = found
        text = f"( {' '.join(members)} )"
        if inner:
            return text, after
        if self._uses[node] == 2:
            return text, after
        if self._about(node, after) is None:
            return None
        rest, end = self._properties(after, joined=True)
        about = sum(triple.subject == node for triple in self._triples[after:end])
        return (f"{text} {rest}", end) if about == self._uses[node] - 2 else None

    def _members(self, node: BlankNode, at: int, uses: int | None) -> tuple[list[str], int] | None:
        """Return the members of a list that begins with `node`, and the place after its triples.

        Each node of the list must occur in exactly three triples (the first in `uses`, if that is a
        number). If not, there are other statements about it, and it cannot be written as a list.
        """
        members: list[str] = []
        while self._layout.collections and self._triples[at : at + 1]:
            if (first := self._about(node, at)) is None or first.predicate != RDF_FIRST:
                return None
            if uses is not None and self._uses[node] != uses:
                return None
            text, at = self._object(at)
            members.append(text)
            rest = self._about(node, at)
            if rest is None or rest.predicate != RDF_REST:
                return None
            at += 1
            if rest.object == RDF_NIL:
                return members, at
            if not isinstance(rest.object, BlankNode):
                return None
            node, uses = rest.object, 3
        return None
