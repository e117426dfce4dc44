"""Relations between a case and the same case with other data: more, reordered or renamed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, TypeAlias, TypeVar

from hypothesis import assume
from hypothesis import strategies as st

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.algebra import BGP, Graph, TriplePattern
from rsp_conformance.model.answers import Content
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.expressions import Aggregate, Variable
from rsp_conformance.model.finding import Contradiction
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, BlankNode, Term, Triple
from rsp_conformance.model.trial import Trial, pair
from rsp_conformance.model.walk import parts, subpatterns, substituted, within
from rsp_conformance.relations.comparison import Seen, alike, first_difference
from rsp_conformance.relations.conditions import closing, once_an_instant, settings
from rsp_conformance.relations.drawing import ANYTHING, BURSTS, MIXED, cases
from rsp_conformance.relations.relation import Draws, described
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.other_windows import COUNTED
from rsp_conformance.strategies.written import changed

# Junk

_JUNK = vocabulary.name("unheard-of")
"""A predicate that no generated query mentions."""


def _places(subject: EngineUnderTest) -> tuple[str, ...]:
    """Where junk may be put for an engine."""
    found = []
    if all(closing(dials) is None for dials in settings(subject)):
        found += ["elements of its own"] * 2
    if "multi-triple-elements" in subject.features:
        found += ["the elements"]
    if "static-data" in subject.features:
        found += ["the background data"]
    return tuple(found)


def _no_place(subject: EngineUnderTest) -> str | None:
    """Why there is no place for junk, or None."""
    if _places(subject):
        return None
    return "there is no place for them: neither background data nor elements may hold more"


_COUNTING = {"elements of its own": COUNTED, "the elements": frozenset({"triple-windows"})}
"""The features of windows by count that would count junk in a place."""


def _junk(subject: EngineUnderTest) -> Draws:
    places = _places(subject)
    drawn = {}
    for place in places:
        without = _COUNTING.get(place, frozenset())
        if place == "elements of its own" and not _whole_instants(subject):
            without |= {"now-window"}
        drawn[place] = cases(subject, features=ANYTHING - without)

    def make(draw: st.DrawFn) -> Trial:
        place, often = pick(draw, places), pick(draw, (1, 3, 6, 12))
        case = drawn[place](draw)
        assume(not _could_match(case.query))
        other = _littered(case, place, often)
        assume(other != case)
        return pair(case, other, f"with junk in {place}")

    return make


def _could_match(query: Query) -> bool:
    """Whether a pattern of the query might match a triple whose predicate it does not mention."""
    for pattern in subpatterns(query.pattern):
        if isinstance(pattern, BGP) and any(
            not isinstance(t.predicate, IRI) for t in pattern.triples
        ):
            return True
        if isinstance(pattern, Graph) and isinstance(pattern.name, Variable):
            inside = [p for p in subpatterns(pattern.pattern) if isinstance(p, BGP)]
            if not all(p.triples for p in inside):
                return True
    return False


def _littered(case: Case, place: str, often: int) -> Case:
    """The case with ``often`` junk triples in a place: for each element, or in the background."""
    a = vocabulary.RESOURCES[0]
    junk = [Triple(a, _JUNK, vocabulary.name(f"junk{n + 1}")) for n in range(often)]
    if place == "the background data":
        entry = BackgroundEntry(tuple(junk))
        return changed(case, background=Background((*case.background, entry)))
    if place == "the elements":
        more = tuple(replace(e, graph=(*e.graph, *junk)) for e in case.elements)
        return changed(case, elements=more)
    elements: list[StreamElement] = []
    for element in case.elements:
        elements += [element, *(replace(element, graph=(t,), name=None) for t in junk)]
    return changed(case, elements=tuple(elements))


JUNK = described("junk", _junk, alike("the case", "the same case with junk"), refuses=_no_place)
"""More triples, under a predicate that the query does not mention, change no answer.

They are put into the case's own elements, into the background's default graph or, if only time
decides when to answer, into elements of their own. Each such element comes at the instant of one of
the case's elements, so the instants of arrival stay the same. A window by count would count these
elements, and one that counts triples would count the triples in others.
"""


def _whole_instants(subject: EngineUnderTest) -> bool:
    """Whether NOW holds all elements of its instant, for an engine."""
    return all(dials.now == "instant" for dials in settings(subject))


# Permuted


def _text(element: StreamElement) -> str:
    return repr(element.graph)


_ORDERS: dict[str, Callable[[list[StreamElement]], list[StreamElement]]] = {
    "reversed": lambda members: members[::-1],
    "rotated": lambda members: [*members[1:], members[0]],
    "sorted": lambda members: sorted(members, key=_text),
    "sorted backwards": lambda members: sorted(members, key=_text, reverse=True),
}
"""The orders into which the elements of an instant may be put."""


def _permutations(subject: EngineUnderTest) -> Draws:
    without = COUNTED if _whole_instants(subject) else COUNTED | {"now-window"}
    drawn = cases(subject, BURSTS, ANYTHING - without)

    def make(draw: st.DrawFn) -> Trial:
        how = pick(draw, (*_ORDERS, "sorted", "sorted backwards"))
        case = drawn(draw)
        instants = groupby(case.elements, key=lambda element: element.t)
        elements = tuple(e for _, members in instants for e in _ORDERS[how](list(members)))
        assume(elements != case.elements)
        other = changed(case, elements=elements)
        return pair(case, other, f"the elements of each instant {how}")

    return make


PERMUTED = described(
    "permuted",
    _permutations,
    alike("the case", "the same case permuted"),
    conditions=(once_an_instant,),
)
"""The elements of an instant, over all streams, may come in any order.

If the policy is tested once per instant, after its last element, all of them have entered by then.
Contents are sets or bags, which have no order. But the order of an instant's elements decides which
of them a window by count holds, and which NOW does if it holds a single one.
"""


# Renaming

Renaming: TypeAlias = Mapping[Term, Term]
CaseOrContent = TypeVar("CaseOrContent", Case, Content)

_LONG = "-long" * 12
"""A suffix of 60 characters, which an engine with names of bounded length would cut."""
_SUFFIXES = ("1", "2", "zz", "_", "-renamed", "/0", "e9", "é", *(_LONG,) * 5)
"""The suffixes for new names; no generated name ends in any of them."""


def _renamings(subject: EngineUnderTest) -> Draws:
    drawn = cases(subject, MIXED, ANYTHING - {"functions", "order", "limit"})

    def make(draw: st.DrawFn) -> Trial:
        suffix = pick(draw, _SUFFIXES)
        case = drawn(draw)
        assume(_names(case, suffix) and not looked_into(case, suffix))
        return pair(case, renamed(case, suffix), f"names with {suffix!r} behind")

    return make


def looked_into(case: Case, suffix: str) -> bool:
    """Whether an aggregate may show more of the case's names than which of them are equal.

    GROUP_CONCAT joins their texts, by a reading that is accepted (`open_points.JOINED_NUMBERS`).
    MIN and MAX order them: ``:a`` comes before ``:a.b``, and ``:a.bzz`` before ``:azz``.
    """
    used = {part.name for part in within(case.query) if isinstance(part, Aggregate)}
    names, given = _names(case, suffix), {part for part in within(case) if isinstance(part, IRI)}
    former = sorted(given, key=lambda iri: iri.value)
    new = [iri.value + suffix if iri in names else iri.value for iri in former]
    return "GROUP_CONCAT" in used or (not used.isdisjoint(("MIN", "MAX")) and new != sorted(new))


def _unlike_renamed(trial: Trial, observations: Sequence[Observation]) -> Contradiction | None:
    """How the answers differ in more than the names.

    The renamed case does not contain the former names. If an answer has one, it becomes a name that
    no answer has, so that the answer is not taken for the expected one. Blank nodes are compared up
    to a bijection, whatever an engine calls them.
    """
    former: dict[Term, Term] = {}
    pairs = zip(*(_mentioned(variant.case) for variant in trial.variants), strict=True)
    for old, new in pairs:
        if isinstance(old, IRI) and old != new:
            former |= {old: IRI(f"{old.value}#not-renamed"), new: old}

    def inverse(answer: Seen) -> Seen:
        return replace(answer, content=_under(former, answer.content))

    labels = ("the case", "the renamed case, under the former names,")
    return first_difference(observations, labels, inverse)


def renamed(case: Case, suffix: str) -> Case:
    """Return the case with ``suffix`` added to each name of its data, in the query too."""
    return _under(_names(case, suffix), case)


def _under(names: Renaming, whole: CaseOrContent) -> CaseOrContent:
    """A case or an answer under other names."""
    return substituted(whole, names)


def _names(case: Case, suffix: str) -> dict[Term, Term]:
    """The new name of each IRI and blank node of a case if ``suffix`` is added."""
    kept = {*case.streams, *(w.name for w in case.query.windows), *parts(case.stamp)}
    found: dict[Term, Term] = {}
    for term in dict.fromkeys(_mentioned(case)):
        if isinstance(term, IRI) and term not in kept:
            found[term] = IRI(term.value + suffix)
        elif isinstance(term, BlankNode):
            found[term] = BlankNode(term.label + (suffix if suffix.isalnum() else "0"))
    return found


def _mentioned(case: Case) -> Iterator[Any]:
    for given in (*case.elements, *case.background):
        yield from within(given)
    for pattern in within(case.query):
        if isinstance(pattern, TriplePattern):
            yield from (part for part in parts(pattern) if isinstance(part, IRI))


RENAMING = described("renaming", _renamings, _unlike_renamed)
"""If every IRI and blank node of the data gets another name, in the query too, so do the answers.

Names of windows, streams and datatypes stay. The queries only compare names for equality, or order
them where the new names have the order of the former: they do not take IRIs apart.
"""
