"""What a case exercises and how the engine behaved: what coverage is counted over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

from rsp_conformance.campaigns.unit import Signature
from rsp_conformance.model.answers import Content, Observed, Truth, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import FunctionCall, Operation, Variable
from rsp_conformance.model.shapes import query_shapes
from rsp_conformance.model.terms import XSD_STRING, BlankNode, Literal
from rsp_conformance.model.used_features import case_features
from rsp_conformance.model.walk import parts, within


def signature(case: Case, dials: Dials) -> Signature:
    """The signature of CASE under DIALS, before the engine was asked."""
    features = case_features(case)
    found: set[str] = set()
    _paths(case.query, found)
    found.update(f"prefix {prefix}:" for prefix, _ in case.query.prefixes)
    data = {part for one in (*case.elements, *case.background.entries) for part in parts(one)}
    found.update(f"data {_value(part)}" for one in data for part in within(one) if _is_value(part))
    return Signature(
        tuple(sorted(features)),
        tuple(sorted(query_shapes(case.query, dials) - features)),
        tuple(sorted(found)),
        geometry(case, dials),
    )


def _paths(node: object, found: set[str]) -> None:
    """Add to FOUND which operator stands directly in which, within NODE."""
    name = _name(node)
    for part in parts(node):
        found.add(f"{name}>{_name(part)}")
        _paths(part, found)


def _is_value(part: object) -> bool:
    return isinstance(part, (BlankNode, Literal))


def _value(term: Any) -> str:
    """The class of a literal: its datatype or language, and of a string what is odd in it."""
    if isinstance(term, BlankNode):
        return "blank node"
    if term.datatype != XSD_STRING:
        return str(term.language or term.datatype.rpartition("#")[2])
    odd = sorted({c for c in term.lexical if not (c.isascii() and c.isalnum())})
    return f"string {''.join(odd)}" if term.lexical else "empty string"


def _name(node: Any) -> str:
    match node:
        case Operation(name):
            return name
        case FunctionCall():
            return f"{node.function.value.rpartition('#')[2]}()"
        case Literal():
            return _value(node)
        case Variable():
            return f"?{node.name}"
        case _:
            return type(node).__name__


def geometry(case: Case, dials: Dials) -> str:
    """How windows lie over the elements of CASE, in classes."""
    try:
        windows = case.query.sliding_windows(dials.unit)
    except ValueError:  # a duration that is no whole number of instants
        windows = ()
    said = sorted({f"{_size(w.width)}/{_size(w.slide)}" for w in windows})
    times = [element.t for element in case.elements]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    widest = max((w.width for w in windows), default=0)
    traits = {
        "several windows": len(case.query.windows) > 1,
        "several streams": len(case.streams) > 1,
        "ties": 0 in gaps,
        "silence": bool(gaps) and max(gaps) > widest,
        "cut short": bool(times) and case.until < times[-1] + widest,
        "late start": case.registered > 0,
    }
    own = [name for name, has in traits.items() if has]
    return ", ".join([*said, f"{_size(len(times))} elements", *own])


def _size(number: int) -> str:
    """The class of a NUMBER: 0, 1, 2, 3-4, 5-8 and so on."""
    if number <= 2:
        return str(number)
    top = 1 << (number - 1).bit_length()
    return f"{top // 2 + 1}-{top}"


def rows_of(content: Content) -> int:
    """How many rows CONTENT has, or triples."""
    return 1 if isinstance(content, Truth) else len(content)


def behaviour(outcome: str, kind: str, observed: Iterable[Observed]) -> str:
    """How the engine behaved: what is said of its answer, how much there was, of what sort."""
    answers = list(observed)
    empty = sum(is_empty(answer.content) for answer in answers)
    rows = max((rows_of(answer.content) for answer in answers), default=0)
    mixed = "mixed" if 0 < empty < len(answers) else "empty" if empty else "full"
    verdict = f"{outcome} ({kind})" if kind else outcome
    return f"{verdict}, {_size(len(answers))} answers, {mixed}, {_size(rows)} rows"


def points(own: Signature) -> Iterator[str]:
    """What is covered by a case of signature OWN.

    Every pair of features and shapes, every path, every path with the geometry's and every feature
    with the behaviour's class.
    """
    traits = (*own.features, *own.shapes)
    yield own.behaviour
    yield from own.traits
    yield from (f"{one} & {other}" for one, other in combinations(traits, 2))
    yield from (f"{trait} | {own.behaviour}" for trait in traits)
    yield from (f"{path} | {own.behaviour}" for path in own.paths)


class Coverage:
    """What the cases of a campaign have covered so far; ``met`` counts what they exercised."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._points = set(known)
        # Of earlier cases only that they were.
        self.met = Counter(self._points)

    def __len__(self) -> int:
        return len(self._points)

    def add(self, own: Signature) -> list[str]:
        """Take note of a case; the points that no case before has covered."""
        self.met.update(own.traits)
        new = [point for point in points(own) if point not in self._points]
        self._points.update(new)
        return new


def rarest(signatures: Sequence[Signature], met: Mapping[str, int], number: int) -> list[int]:
    """The places of so many of SIGNATURES that exercise most of what was MET least often."""

    def rarity(place: int) -> float:
        return sum(1 / (1 + met.get(trait, 0)) for trait in signatures[place].traits)

    return sorted(sorted(range(len(signatures)), key=rarity, reverse=True)[:number])
