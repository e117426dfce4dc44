"""An argument in prose: the blocks of a report, and the words that ``sentences`` asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from rsp_conformance.explain import argument as arg
from rsp_conformance.explain.argument import ByDial, Fact, Hint
from rsp_conformance.explain.evidence.argued import argued
from rsp_conformance.explain.render.layout import counted, listed, ordinal, shorten, unglued
from rsp_conformance.explain.render.notation import SituationNotation, capital, instant
from rsp_conformance.explain.render.sentences import HINTS, SENTENCES
from rsp_conformance.model.answers import Evaluation, Observed, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import printable
from rsp_conformance.model.query import Query
from rsp_conformance.model.slips import names_in_having
from rsp_conformance.model.verdict import Kind, Verdict
from rsp_conformance.model.windows import AnyWindow, CountWindow, NowWindow, SlidingWindow
from rsp_conformance.spec.alignment_stamps import set_off_after_the_end
from rsp_conformance.spec.windows import CountedInstance
from rsp_conformance.text.printer.rspql import QueryPrinter
from rsp_conformance.text.slips import unknown_windows

CLAUSE = 60
"""The columns of a clause of the query that are shown."""
_LYING = frozenset({"before", "inside", "after"})
"""Elements that share one of these places are named together, as in ``5 and 7 lie inside …``."""


def because(
    case: Case,
    dials: Dials,
    observed: Sequence[Observed],
    verdict: Verdict,
    by_dial: ByDial | None = None,
) -> str:
    """Say why an answer is correct or wrong, in one paragraph without line breaks.

    Args:
        case: the case.
        dials: the dials in force.
        observed: the answers of the engine.
        verdict: the verdict on them.
        by_dial: as for ``argued``.
    """
    found = blocks(argued(case, dials, observed, verdict, by_dial=by_dial))
    return unglued(" ".join(text for block in found for text in block))


def blocks(argument: arg.Argument) -> list[list[str]]:
    """The sentences in blocks: the first difference and why, the other members of Z, the dials."""
    notation = SituationNotation(argument.situation)
    unknown = _unknown_windows(notation.query)
    if argument.correct:
        return [[_right(notation), *unknown]]
    if not argument.facts:
        return [["The answer is wrong, but nothing was found where it parts."]]
    # A query without windows has none to tell of.
    facts = [text for fact in argument.facts if (text := stated(fact, notation))]
    others = _alternatives(argument.alternatives, notation) if argument.alternatives else ""
    parted = argument.situation.divergence
    timely = parted is not None and parted.kind in (Kind.ROWS, Kind.ORDER)
    turned = explained(argument.dials, timely=timely) if argument.dials else ""
    return [block for block in ([*facts, *unknown], [others], [turned]) if any(block)]


def _unknown_windows(query: Query) -> list[str]:
    """That WINDOW names no window. A fact tells of names in HAVING."""
    lines = map(capital, unknown_windows(query))
    return [line if line.endswith("?") else f"{line}." for line in lines]


def _right(notation: SituationNotation) -> str:
    situation = notation.situation
    number = len(situation.expected)
    verb, pronoun = ("is", "it") if number == 1 else ("are", "they")
    expected = f"{counted(number, 'answer')} {verb} expected, and {pronoun} came"
    if not number:
        came = situation.observed
        expected = (
            f"nothing is expected, and {_not_counted(notation) if came else 'nothing else came'}"
        )
    starts = notation.starts(situation.starts)
    who = f"{starts} makes the answer right" if starts else "The answer is right"
    return f"{who}: from {situation.t_s} to {situation.case.until}, {expected}."


def _not_counted(notation: SituationNotation) -> str:
    """The answers that came although none is expected, and why the first does not count."""
    situation, first = notation.situation, notation.situation.observed[0]
    stamp, until = situation.stamp(first), situation.case.until
    why = f"an evaluation before {situation.t_s} may have given it"
    if situation.dials.answer_time != "none" and stamp is not None and stamp < situation.t_s:
        why = f"it is of before {situation.t_s}"
    elif situation.dials.answer_time == "evaluation":
        why = f"it is of after {until}"
    elif situation.dials.answers == "rows" and is_empty(first.content):
        why = "it has no rows"
    elif set_off_after_the_end(first, situation.case, situation.dials):
        why = f"an element appended after {until} may have set it off"
    number = len(situation.observed)
    which = "the only answer does" if number == 1 else f"the {number} answers do"
    return (
        f"{which} not count: {'' if number == 1 else 'of the first, '}"
        f"{notation.brief(first.content)} {notation.answered(first)}, {why}"
    )


# --- the other members of Z, and other dials ---


def _alternatives(found: arg.Alternatives, notation: SituationNotation) -> str:
    """That no other vector makes the answer right; empty for a query without windows by time."""
    legal, situation = found.legal, notation.situation
    if not legal:
        return ""
    if found.none:
        starts = "window start is" if len(legal) == 1 else "window starts are"
        dial = f"t0={situation.dials.text('t0')}"
        return f"No other {starts} possible ({dial}), so the answer is wrong."
    number = prod(len(own) for own in legal)
    which = "×".join(set_of(own) for own in legal)
    subject = f"no t0 in {which}" if len(legal) == 1 else f"none of the {number} t0 in {which}"
    details = "; ".join(stated(own, notation) for own in found.departures[:3])
    details += "; the others differ elsewhere" if len(found.departures) > 3 else ""
    inner = f" ({details})" if details else ""
    return f"{capital(subject)} makes the answer right{inner}."


def set_of(own: Sequence[int | None]) -> str:
    """Starts as a set, such as ``{0,1}``; of many the first and the last."""
    if len(own) > 4:  # all of T⁰ under dial t0=any
        return f"{{{own[0]},…,{own[-1]}}}"
    return "{" + ",".join(str(t) for t in own) + "}"


def explained(found: arg.Explanations, *, timely: bool = False) -> str:
    """Say which single dial would make the answer right; one case cannot say more than that.

    Args:
        found: the settings that do.
        timely: whether the answer came when one was expected: a dial of instants then makes it
            right only as another answer.
    """
    strict, lenient = (
        [own.replace(" ", "=", 1) for own in found.settings(timing=timing)]
        for timing in (False, True)
    )
    costly = ["=".join(own) for own in found.untried]
    be = "was" if len(costly) == 1 else "were"
    number = counted(len(costly), "more setting")
    rest = f" {number} {be} too costly to try: {listed(costly)}." if costly else ""
    if strict:
        others = listed(strict[1:], limit=5, last="or")
        so = f"; so it is with {others}" if others else ""
        return f"With {strict[0]} this answer is right{so}.{rest}"
    if lenient and timely:
        return (
            f"No single dial explains it. {listed(lenient, last='or')} would accept it, but only "
            f"by taking it for an answer that is expected at another time.{rest}"
        )
    if lenient:
        return (
            f"Only the time is wrong: with {listed(lenient, last='or')} this answer is right, and "
            f"no other single dial explains it.{rest}"
        )
    if found.untried:
        return f"No single dial of the {found.tried} settings tried explains it.{rest}"
    return "No single dial explains it, so it looks like a bug."


# --- facts, and the words of their templates ---


def stated(fact: Fact, notation: SituationNotation, *, is_named: bool = False) -> str:
    """A fact as a sentence or two; a reason, a wish and a place are clauses.

    Args:
        fact: the fact.
        notation: how its parts are written.
        is_named: whether its window has just been named, so that a clause goes on about it.
    """
    return SENTENCES[fact.kind].format_map(_Words(fact, notation, is_named))


class _Count(int):
    """A number that a template may write with a noun: ``{count:answer}``."""

    def __format__(self, noun: str) -> str:
        return counted(self, noun) if noun else str(int(self))


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of templates for one fact."""

    fact: Fact
    notation: SituationNotation
    is_named: bool = False

    def __getitem__(self, word: str) -> object:
        if word == "the_window":
            return "" if self.is_named else _the_window(self.fact, self.notation)
        return _WORDS[word](self.fact, self.notation)


def _windows(fact: Fact, notation: SituationNotation) -> str:
    """The state of every window; for one or two windows also the elements that they hold."""
    if len(fact.facts) <= 2:
        said = []
        for own in fact.facts:
            nothing = "" if own.instance else ", so it holds nothing"
            said.append(f"{capital(stated(own, notation))}{nothing}.")
        return " ".join(said)
    spans = [
        f"{notation.window(own.position or 0)} {notation.span(own.instance)}"
        for own in fact.facts
        if own.instance is not None
    ]
    absent = len(fact.facts) - len(spans)
    if not spans:
        return f"At {fact.t} all {absent} windows are undefined and hold nothing."
    rest = f" ({absent} undefined)" if absent else ""
    return f"The windows evaluated at {fact.t} are {listed(spans, limit=6)}{rest}."


def measure(window: AnyWindow) -> str:
    """How much a window holds, and how it slides."""
    if isinstance(window, CountWindow):
        held = counted(window.width, window.unit.removesuffix("s"))
        return f"the last {held}" if window.slide == 1 else f"{held}, slide {window.slide}"
    if isinstance(window, SlidingWindow):
        lag = f", lag {window.lag}" if window.lag else ""
        return f"width {window.width}, slide {window.slide}{lag}"
    return "what comes at the instant" if isinstance(window, NowWindow) else "all that has come"


def _reasons(fact: Fact, notation: SituationNotation) -> str:
    if not fact.facts:
        early = fact.kind == "not evaluated" and notation.situation.windows
        return ": no window is open yet" if early else ""
    policy = str(notation.situation.reporter.policy)
    # Where strategies are joined by "and" alone, they say what the policy does.
    by = f" by report {policy}" if any(sign in policy for sign in "!|") else ""
    told = fact.facts[:3]
    clauses = [
        f"{_reason(own, before, notation)} ({own.strategy})"
        for before, own in zip((None, *told), told, strict=False)
    ]
    return f"{by}: {listed(clauses)}"


def _reason(fact: Fact, before: Fact | None, notation: SituationNotation) -> str:
    """A reason; what a window holds is said without its name if that has just been said."""
    is_named = (
        before is not None
        and before.kind == "closes"
        and (fact.position, fact.instance) == (before.position, before.instance)
    )
    return stated(fact, notation, is_named=is_named)


def _the_window(fact: Fact, notation: SituationNotation) -> str:
    """The window that a clause begins with."""
    assert fact.instance is not None, "what is empty or not is an instance"
    return f"the window {notation.span(fact.instance)} of {notation.window(fact.position or 0)} "


def _places(fact: Fact, notation: SituationNotation) -> str:
    """The places of elements; elements that lie alike are told together.

    For example ``5 and 7 lie inside …``.
    """
    groups: dict[tuple[object, ...], Fact] = {}
    for own in fact.places:
        alike: tuple[object, ...] = (stated(own, notation),)
        if own.kind in _LYING:
            alike = (own.kind, own.instance, _by_number(own) and own.position)
        first = groups.get(alike)
        elements = own.elements if first is None else (*first.elements, *own.elements)
        groups[alike] = replace(first or own, elements=elements)
    return listed([stated(own, notation) for own in groups.values()], limit=3)


def _by_number(fact: Fact) -> bool:
    """Whether elements lie somewhere by their numbers on a stream, not by their instants."""
    return fact.kind in _LYING and isinstance(fact.instance, CountedInstance)


def _when(fact: Fact, notation: SituationNotation) -> list[str]:
    """The instants of elements, each once; for a window by count their numbers on its stream."""
    if _by_number(fact):
        return [f"#{notation.situation.number(index)}" for index in fact.elements]
    return list(dict.fromkeys(str(notation.case.elements[i].t) for i in fact.elements))


def _said_when(fact: Fact, notation: SituationNotation) -> str:
    said = listed(_when(fact, notation), limit=8)
    if not _by_number(fact):
        return said
    return f"{said} of {notation.iri(notation.case.elements[fact.elements[0]].stream)}"


def _end(fact: Fact, notation: SituationNotation) -> str:
    assert fact.instance is not None
    return "opening" if _when(fact, notation) == [str(fact.instance.opens)] else "closing"


def _seen(fact: Fact, notation: SituationNotation, before: int) -> str:
    """The instant of a fact as its window sees it: one in the past sees what was a lag ago."""
    assert fact.t is not None
    window, t = notation.situation.windows[fact.position or 0], fact.t - before
    return f"{t - window.lag} ({window.lag} before {t})" if window.lag else str(t)


def _came(fact: Fact, notation: SituationNotation) -> str:
    """That no received answer counts, and at which instants they came."""
    number, stamps = len(notation.situation.observed), notation.situation.stamps
    at = f" (at {listed([instant(stamp) for stamp in stamps])})" if stamps else ""
    if number < 2:
        return f"The only answer{at} does not count" if number else "No answer comes"
    return f"None of the {number} answers{at} counts"


def _when_expected(fact: Fact, notation: SituationNotation) -> str:
    assert fact.expected is not None and fact.received is not None
    there = (
        notation.situation.dials.answer_time == "evaluation" and fact.received.t == fact.expected.t
    )
    return "" if there else f" {notation.expected_at(fact.expected.t)}"


def _expected(expected: Evaluation, notation: SituationNotation) -> str:
    """The expected answer; braces alone are easily overlooked."""
    return "an empty answer" if is_empty(expected.content) else notation.brief(expected.content)


def _clause(fact: Fact, notation: SituationNotation) -> str:
    """A clause as the query writes it, on a line."""
    assert fact.clause is not None
    lines = QueryPrinter(notation.query.prefixes).group_lines(fact.clause)
    return shorten(printable(" ".join(own.strip() for own in lines)), CLAUSE)


def _who(fact: Fact, notation: SituationNotation) -> str:
    names = [notation.vector(vector) for vector in fact.vectors]
    if len(names) > 2:
        names = [", ".join(names[:2]), counted(len(names) - 2, "other")]
    return " and ".join(names)


def _subject(fact: Fact, notation: SituationNotation) -> str:
    words = {"row": "it", "earlier row": "there it", "solution": "a solution"}
    return capital(listed([notation.part(part) for part in fact.parts]) or words[fact.of])


def _sources(fact: Fact, notation: SituationNotation) -> str:
    sources = [notation.elements(fact.elements)] if fact.elements else []
    if fact.background:
        sources.append(f"the background data {_entries(fact, notation)}")
    return listed(sources)


def _entries(fact: Fact, notation: SituationNotation) -> str:
    return listed([notation.background_entry(entry) for entry in fact.background], limit=3)


def _background(fact: Fact, notation: SituationNotation) -> str:
    if not fact.background:
        return "no background data holds"
    return f"the background data is {_entries(fact, notation)}"


def _in_having(notation: SituationNotation) -> str:
    names = [f"?{variable.name}" for variable in names_in_having(notation.query)]
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'}"


def _last(fact: Fact) -> str:
    return f"the evaluation before, at {fact.other}{' too' if fact.other == fact.t else ''},"


def _times(number: int) -> str:
    return "" if number <= 1 else f" {number} times"


def _often(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _cells(fact: Fact, phrase: str, notation: SituationNotation) -> str:
    """A phrase for every variable, with its expected and its received term."""
    expected, received = fact.parts
    terms = (map(notation.term, part.row) for part in fact.parts)
    cells = zip(expected.variables, *terms, strict=True)
    names = expected.differing(received)
    return listed([phrase.format(*cell) for cell in cells if cell[0] in names])


def _in_the_row(fact: Fact, notation: SituationNotation) -> str:
    """Which row it is, by the cells that are right."""
    expected, received = fact.parts
    shared = expected.cells(set(expected.variables) - set(expected.differing(received)))
    return f"In the row of {notation.row(shared.variables, shared.row)} " if shared.row else ""


def _hint(hint: Hint, notation: SituationNotation) -> str:
    what, position = hint
    name = notation.window(position) if notation.situation.windows else ""
    return HINTS[what].format(window=name)


_WORDS: Mapping[str, Callable[[Fact, SituationNotation], object]] = {
    # What a fact is about
    "rows": lambda f, n: listed([n.part(part) for part in f.parts]) or "A solution",
    "a_row": lambda f, n: listed([n.part(part) for part in f.parts]) or "a solution",
    "are": lambda f, n: "is" if len(f.parts) == 1 else "are",
    "hold": lambda f, n: "hold" if len(f.parts) > 1 else "holds",
    "come": lambda f, n: "come" if len(f.parts) > 1 else "comes",
    "subject": _subject,
    "first": lambda f, n: n.part(f.parts[0]),
    "second": lambda f, n: n.part(f.parts[1]),
    "names": lambda f, n: listed([f"?{name}" for name in f.parts[0].variables]),
    "in_the_row": _in_the_row,
    "other_values": lambda f, n: _cells(f, "?{0} is {2}, but {1} is expected", n),
    "equal_values": lambda f, n: _cells(f, "?{0}={2} is given for {1}", n),
    # Instants and numbers
    "t": lambda f, n: f.t,
    "seen": lambda f, n: _seen(f, n, 0),
    "just_seen": lambda f, n: _seen(f, n, 1),
    "other": lambda f, n: f.other,
    "at": lambda f, n: listed([instant(t) for t in f.instants]),
    "evaluations": lambda f, n: "evaluation" if len(f.instants) == 1 else "evaluations",
    "hints": lambda f, n: listed([_hint(hint, n) for hint in f.hints]),
    "count": lambda f, n: _Count(f.count),
    "be": lambda f, n: "is" if f.count == 1 else "are",
    "differ": lambda f, n: "differs" if f.count == 1 else "differ",
    "which": lambda f, n: "it is" if f.count == 1 else "the first is",
    "often": lambda f, n: _often(f.count),
    "expected_often": lambda f, n: _often(f.before),
    "following": lambda f, n: f.count + 1,
    "ordinal": lambda f, n: ordinal(f.count),
    "times": lambda f, n: _times(f.count),
    "times_before": lambda f, n: _times(f.before),
    "last": lambda f, n: _last(f),
    "Last": lambda f, n: capital(_last(f)),
    "unknown": lambda f, n: "" if f.other is None else f" that {_last(f)} does not have",
    # Windows and elements
    "windows": _windows,
    "reasons": _reasons,
    "window": lambda f, n: "" if f.position is None else n.window(f.position),
    "of_window": lambda f, n: "" if f.position is None else f"of {n.window(f.position)} ",
    "measure": lambda f, n: measure(n.situation.windows[f.position or 0]),
    "read": lambda f, n: n.iri(n.situation.windows[f.position or 0].stream),
    "test_point": lambda f, n: f" (test point {f.count} of {f.before})" if f.before else "",
    "span": lambda f, n: f.instance and n.span(f.instance),
    "bounds": lambda f, n: n.situation.dials.bounds,
    "now": lambda f, n: n.situation.dials.now,
    "period": lambda f, n: f.strategy and f.strategy.period,
    "elements": lambda f, n: n.elements(f.elements),
    "held": lambda f, n: n.elements(f.elements) if f.elements else "nothing",
    "size": lambda f, n: _Count(len(f.elements)),
    "elements_are": lambda f, n: "is" if len(f.elements) == 1 else "are",
    "give": lambda f, n: "give" if len(f.elements) > 1 else "gives",
    "each": lambda f, n: " each" if len(f.elements) > 1 else "",
    "stream": lambda f, n: n.iri(n.case.elements[f.elements[0]].stream),
    "when": _said_when,
    "when_is": lambda f, n: "is" if len(_when(f, n)) == 1 else "are",
    "when_lies": lambda f, n: "lies" if len(_when(f, n)) == 1 else "lie",
    "end": _end,
    # Sources
    "places": _places,
    "and_places": lambda f, n: f", and {_places(f, n)}" if f.places else "",
    "since_places": lambda f, n: f", since {_places(f, n)}" if f.places else "",
    "wishes": lambda f, n: listed([stated(wish, n) for wish in f.facts]),
    "with_used": lambda f, n: f" with {n.elements(f.used)}" if f.used else "",
    "used_and": lambda f, n: f"with {n.elements(f.used)}, and" if f.used else "and",
    "sources": _sources,
    "background": _background,
    "terms": lambda f, n: listed([n.term(term) for term in f.terms]),
    "occur": lambda f, n: "occurs" if len(f.terms) == 1 else "occur",
    "clause": _clause,
    "it_or_them_of": lambda f, n: "it" if len(f.parts[0].variables) == 1 else "them",
    # Answers, expected and received
    "under": lambda f, n: n.under,
    "t_s": lambda f, n: n.situation.t_s,
    "until": lambda f, n: n.case.until,
    "came": _came,
    "expected": lambda f, n: f.expected and _expected(f.expected, n),
    "expected_is": lambda f, n: (
        "is" if f.expected and len(n.rows(f.expected.content)) <= 1 else "are"
    ),
    "expected_at": lambda f, n: f.expected and n.expected_at(f.expected.t),
    "Expected_at": lambda f, n: f.expected and capital(n.expected_at(f.expected.t)),
    "where_expected": _when_expected,
    "received": lambda f, n: f.received and n.brief(f.received.content),
    "Answered": lambda f, n: f.received and capital(n.answered(f.received)),
    "answered": lambda f, n: f.received and n.answered(f.received),
    "answers": lambda f, n: "gives" if n.situation.dials.answer_time == "none" else "answers",
    "who": _who,
    "expect": lambda f, n: "expects" if len(f.vectors) == 1 else "expect",
    "evaluate": lambda f, n: "evaluates" if len(f.vectors) == 1 else "evaluate",
    "shortly_expected": lambda f, n: f.expected and n.content(f.expected.content, limit=2, room=50),
    "in_having": lambda f, n: _in_having(n),
    "it_or_them": lambda f, n: "it" if len(names_in_having(n.query)) == 1 else "them",
    "it_or_they": lambda f, n: "it" if len(names_in_having(n.query)) == 1 else "they",
    "operator": lambda f, n: n.query.operator and n.query.operator.value,
}
