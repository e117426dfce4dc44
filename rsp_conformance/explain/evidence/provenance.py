"""Which elements a row comes from, found by evaluating the query over other contents.

**What is sought.** For an expected row, the elements that give it. For a row that should not be
there, the elements that would give it: they show what the engine may have done, such as reading an
element that lies outside of the window.

**Why this way.** Nothing is traced through the operators of SPARQL. The query is evaluated over
contents with elements added or taken away, and the row comes out or not. So it works for every
query, and the reference model has computed whatever is claimed.

**How.** An expected row (`Provenance.origin`): elements are taken away one by one as long as the
row stays. A row that should not be there (`Provenance.wish`): first the FILTER or VALUES that
excludes it is looked for, since such a row comes from no other content. Then contents are tried,
the nearest to the right one first: with one element more or less, with two, with all that has
arrived, with another stretch of the stream, with elements of other streams. The content that gives
the row is moved back towards the right one, element by element (`Provenance._towards`). Last come
MINUS, background data of other instants, and terms that occur nowhere.

**What it guarantees.** The elements that are named do give the row; if the query is monotone, none
of them can be left out. A row is said to come *only* from some elements if, besides, no choice of
the other elements gives it. If the budget ends a search, the report says that no small change was
found, not that there is none.

**What it costs.** At most `BUDGET` evaluations a row, each content once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import TypeAlias

from rsp_conformance.explain.argument import AnswerPart, Fact, FactKind, Of
from rsp_conformance.explain.evidence.differences import count
from rsp_conformance.explain.evidence.windows import placement
from rsp_conformance.explain.situation import Situation
from rsp_conformance.model.algebra import BGP, Filter, LeftJoin, Minus, Pattern, Values
from rsp_conformance.model.answers import Content as Answer
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.expressions import Aggregate, Exists
from rsp_conformance.model.query import Query
from rsp_conformance.model.slips import with_names_in_having
from rsp_conformance.model.terms import IRI, Term
from rsp_conformance.model.walk import rewritten_pattern, subpatterns, within
from rsp_conformance.spec.content import WindowContent
from rsp_conformance.spec.forms import content as form_content
from rsp_conformance.spec.trace import TraceStep
from rsp_conformance.spec.windows import CountedInstance

Item: TypeAlias = tuple[int, int]
"""The positions of a window and of an element that it holds."""
HeldItems: TypeAlias = frozenset[Item]
"""The elements that all windows hold."""
BUDGET = 1_200
"""The most evaluations of the query that one search may ask for."""


def monotone(query: Query) -> bool:
    """Whether more data can only give more rows (no aggregate, OPTIONAL, MINUS, EXISTS, LIMIT)."""
    return not any(
        isinstance(part, (LeftJoin, Minus, Aggregate, Exists))
        or (isinstance(part, Query) and (part.group_by, part.limit, part.offset) != (None,) * 3)
        for part in within(query)
    )


class Provenance:
    """A row of the query at one evaluation, over whatever contents are asked for.

    Args:
        situation: the case under one z.
        step: the evaluation.
        part: the row.
    """

    def __init__(self, situation: Situation, step: TraceStep, part: AnswerPart) -> None:
        self.situation = situation
        self.moment = step.moment
        self.contents = step.contents
        self.part = part
        self.held: HeldItems = frozenset(
            (position, index)
            for position, content in enumerate(step.contents)
            for index in content.elements
        )
        self._answers: dict[tuple[HeldItems, Background | None], Answer] = {}

    def origin(self, *parts: AnswerPart, of: Of = "row") -> list[Fact]:
        """The elements from which an expected row comes; no facts if it does not come out.

        Args:
            parts: the parts of the answer that the fact is about.
            of: the subject of the fact if there are no parts.
        """
        if not self.count():
            return []
        least = self.minimal(self.held)
        entries = self._entries(least) if self.situation.case.background else ()
        kind: FactKind = "comes from" if least or entries else "needs nothing"
        places, elements = self._places(sorted(least)), _elements(least)
        return [Fact(kind, parts, of, elements=elements, background=entries, places=places)]

    def wish(self, *parts: AnswerPart) -> list[Fact]:
        """The elements that would give a row that is not expected; no facts if it comes out.

        As little as possible is changed.

        Args:
            parts: the parts of the answer that the fact is about.
        """
        if self.count():
            return []
        named = named_in_having(self.situation, self.moment.t, self.contents)
        if named is not None and count(self.part, named, self.situation.dials.numbers):
            return [Fact("unbound in HAVING", parts, t=self.moment.t)]
        t, background = self.moment.t, self.situation.case.background
        # A row that FILTER or VALUES excludes comes from no other content.
        if (clause := self._excluding(Filter, Values)) is not None:
            return [Fact("excluded", parts, t=t, clause=clause)]
        for candidate in self._candidates():
            if self._exhausted:
                break
            if self.yields(candidate):
                return [self._would_come(parts, self._towards(candidate))]
        if (clause := self._excluding(Filter, Minus)) is not None:
            return [Fact("excluded", parts, t=t, clause=clause)]
        if background.time_varying:
            for instant in background_instants(self.situation, t):
                if self.yields(self.held, frozen_background(self.situation, instant)):
                    holding = tuple(entry for entry in background if entry.holds(t))
                    return [Fact("other background", parts, t=t, other=instant, background=holding)]
        known = self._terms()
        unknown = tuple(o for o in self.part.row if isinstance(o, IRI) and o not in known)
        if unknown:
            return [Fact("unknown terms", parts, t=t, terms=unknown)]
        return [Fact("no small change" if self._exhausted else "no choice", parts, t=t)]

    def _excluding(self, *kinds: type[Pattern]) -> Pattern | None:
        """A clause of some kinds, over no pattern, without which the windows give the row."""
        query = self.situation.case.query
        for own in dict.fromkeys(subpatterns(query.pattern)):
            if not isinstance(own, kinds):
                continue
            pattern = rewritten_pattern(query.pattern, partial(_without, own))
            relaxed = replace(query, pattern=pattern)
            relation = self.situation.relation(self.moment.t, self.contents, query=relaxed)
            if count(self.part, form_content(relaxed, relation), self.situation.dials.numbers):
                return _bare(own)
        return None

    @property
    def _exhausted(self) -> bool:
        """Whether the budget is spent; a search then ends without a result."""
        return len(self._answers) >= BUDGET

    def _answer(self, held: HeldItems, background: Background | None) -> Answer:
        """The answer, before any streaming operator, over windows that hold these elements."""
        key = (held, background)
        if key not in self._answers:
            contents = tuple(
                WindowContent(content.instance, tuple(sorted(i for p, i in held if p == position)))
                for position, content in enumerate(self.contents)
            )
            relation = self.situation.relation(self.moment.t, contents, background)
            self._answers[key] = form_content(self.situation.case.query, relation)
        return self._answers[key]

    def count(self) -> int:
        """How often the row comes out."""
        return count(self.part, self._answer(self.held, None), self.situation.dials.numbers)

    def yields(self, held: HeldItems, background: Background | None = None) -> bool:
        """Whether windows that hold these elements give the row, over the case's background.

        Args:
            held: the elements.
            background: other background data than the case's.
        """
        return count(self.part, self._answer(held, background), self.situation.dials.numbers) > 0

    def minimal(self, held: HeldItems) -> HeldItems:
        """A minimal choice of elements that still gives the row.

        Elements that the windows should not hold are dropped first.
        """
        current = held
        for item in sorted(held, key=lambda item: (item in self.held, item)):
            if not self._exhausted and self.yields(current - {item}):
                current -= {item}
        return current

    def _everything(self, *, arrived: bool) -> HeldItems:
        """All elements of every window's stream, or those that have arrived."""
        elements = self.situation.case.elements
        known = range(self.moment.arrived if arrived else len(elements))
        return frozenset(
            (position, index)
            for position, window in enumerate(self.situation.windows)
            for index in known
            if elements[index].stream == window.stream
        )

    def _would_come(self, parts: tuple[AnswerPart, ...], held: HeldItems) -> Fact:
        """How windows that hold these elements, and so give the row, differ from the right ones."""
        grows = monotone(self.situation.case.query)
        least = self.minimal(held) if grows else held
        added, dropped = least - self.held, frozenset() if grows else self.held - held
        places = self._places([*sorted(added), *sorted(dropped)])
        if not grows or not added:
            wishes = (*_by_window("held too", added), *_by_window("not held", dropped))
            return Fact("would come if", parts, facts=wishes, places=places)
        only = not self._exhausted and all(self._needed(index) for _, index in sorted(added))
        kind: FactKind = "comes only from" if only else "would come from"
        used = _elements(least & self.held)
        return Fact(kind, parts, elements=_elements(added), used=used, places=places)

    def _needed(self, index: int) -> bool:
        """Whether no choice of the other elements yields the row; the query must be monotone."""
        everything = self._everything(arrived=False)
        return not self.yields(frozenset(item for item in everything if item[1] != index))

    def _towards(self, found: HeldItems) -> HeldItems:
        """A content between the one found and the right one that still gives the row."""
        current = found
        for item in sorted(current ^ self.held, key=self._distance, reverse=True):
            if not self._exhausted and self.yields(current ^ {item}):
                current ^= {item}
        return current

    def _candidates(self) -> Iterator[HeldItems]:
        everything = self._everything(arrived=False)
        outside = sorted(everything - self.held, key=self._distance)
        yield from (self.held | {item} for item in outside)
        yield from (self.held - {item} for item in sorted(self.held))
        for left, right in combinations(outside[:16], 2):
            yield self.held | {left, right}
        yield self._everything(arrived=True)
        yield everything
        for left, right in combinations(sorted(self.held)[:12], 2):
            yield self.held - {left, right}
        yield from sorted(self._runs(everything), key=lambda held: len(held ^ self.held))
        yield frozenset()
        yield from (self.held | {item} for item in sorted(self._of_other_streams()))

    def _of_other_streams(self) -> HeldItems:
        """The elements that have come on streams which a window does not read, in that window."""
        elements, windows = self.situation.case.elements, enumerate(self.situation.windows)
        return frozenset(
            (position, index)
            for position, window in windows
            for index in range(self.moment.arrived)
            if elements[index].stream != window.stream
        )

    def _runs(self, everything: HeldItems) -> Iterator[HeldItems]:
        """Contents in which one window holds another stretch of its stream."""
        for position in range(len(self.situation.windows)):
            own = sorted(i for p, i in everything if p == position)
            others = frozenset(item for item in self.held if item[0] != position)
            for first in range(len(own)):
                for last in range(first, min(len(own), first + 12)):
                    yield others | {(position, i) for i in own[first : last + 1]}

    def _distance(self, item: Item) -> tuple[int, int, int]:
        """A sort key by how far an element lies from the window; the nearest comes first."""
        position, index = item
        t = self.situation.case.elements[index].t
        instance = self.contents[position].instance
        if instance is None or isinstance(instance, CountedInstance):
            return (abs(t - self.moment.t), position, index)
        return (max(instance.opens - t, t - instance.closes, 0), position, index)

    def _places(self, items: Iterable[Item]) -> tuple[Fact, ...]:
        return tuple(
            placement(self.situation, index, position, self.moment, self.contents[position])
            for position, index in items
        )

    def _entries(self, held: HeldItems) -> tuple[BackgroundEntry, ...]:
        """A minimal set of background entries with which these elements give the row."""
        entries = list(self.situation.case.background)
        for entry in tuple(entries):
            rest = [e for e in entries if e is not entry]
            if not self._exhausted and self.yields(held, Background(tuple(rest))):
                entries = rest
        return tuple(entries)

    def _terms(self) -> set[Term]:
        """Every term of streams and background data, and the names of graphs and windows."""
        case = self.situation.case
        found: set[Term] = {
            *case.background.graph_names(),
            *(w.name for w in self.situation.windows),
        }
        found |= {e.name for e in case.elements if e.name is not None}
        triples = [t for e in case.elements for t in e.graph]
        triples += [t for entry in case.background for t in entry.triples]
        return found.union(term for triple in triples for term in within(triple))


def _without(clause: Pattern, pattern: Pattern) -> Pattern:
    """A pattern, or what is left of it without the clause that it is."""
    match pattern:
        case Filter(_, inner) | Minus(inner, _) if pattern == clause:
            return inner
        case Values() if pattern == clause:
            return BGP()
    return pattern


def _bare(clause: Pattern) -> Pattern:
    """A clause over no pattern, as it can be written."""
    match clause:
        case Filter():
            return replace(clause, pattern=BGP())
        case Minus():
            return replace(clause, left=BGP())
    return clause


def named_in_having(
    situation: Situation, t: int, contents: tuple[WindowContent, ...]
) -> Answer | None:
    """The answer at t if HAVING knew the names of SELECT; None if it uses none of them."""
    named = with_names_in_having(situation.case.query)
    if named is situation.case.query:
        return None
    return form_content(named, situation.relation(t, contents, query=named))


def _elements(held: HeldItems) -> tuple[int, ...]:
    return tuple(sorted({index for _, index in held}))


def _by_window(kind: FactKind, items: HeldItems) -> Iterator[Fact]:
    """A fact for each window, with its elements among the items."""
    for position in sorted({position for position, _ in items}):
        own = frozenset(item for item in items if item[0] == position)
        yield Fact(kind, position=position, elements=_elements(own))


def background_instants(situation: Situation, t: int) -> Iterable[int]:
    """Instants just before and at each change of the background data, the nearest to t first."""
    changes = situation.case.background.changes()
    instants = {instant for change in changes for instant in (change - 1, change)}
    return sorted(instants, key=lambda instant: (abs(instant - t), instant))


def frozen_background(situation: Situation, t: int) -> Background:
    """The background data of instant t, for ever."""
    default, named = situation.case.background.at(t)
    return Background(
        (
            BackgroundEntry(tuple(default)),
            *(BackgroundEntry(tuple(graph), name) for name, graph in named.items()),
        )
    )
