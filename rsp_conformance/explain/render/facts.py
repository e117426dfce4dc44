"""Facts in sentences: one template a kind, whose words are found when they are wanted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from rsp_conformance.explain.argument import Fact, FactKind, Hint
from rsp_conformance.explain.render.layout import counted, listed, ordinal
from rsp_conformance.explain.render.notation import SettingNotation, capital, instant

_COMES_OUT = "The answer given is what comes out"

SENTENCES: Mapping[FactKind, str] = {
    # What parts
    "silent": "{came} from t_s={t_s} to {until}, and {count:answer} {be} due{under}: {which} {due} "
    "{due_at}.",
    "no answer": "{Due_at}, {due} {due_is} due{under}, and no answer comes.",
    "not due": "{Answered} the engine answers {given}, and nothing is due there{under}.",
    "nothing more due": "The engine answers {given} with no instant, and nothing more is due.",
    "other order": "{Answered} the engine answers the rows that are due{under}, in an order that "
    "ORDER BY does not allow.",
    "other answer": "{Answered} the engine {answers} {given}, and {due} {due_is} due{where_due}"
    "{under}.",
    "other instant": "{Due_at}, {due} {due_is} due{under}. The engine gives {given}, but "
    "{answered}.",
    "same at another instant": "{Due_at}, {due} {due_is} due{under}. The engine gives the same, "
    "but {answered}.",
    # Windows and the report policy
    "windows at": "{windows}",
    "window at": "the window of {window} (width {width}, slide {slide}) evaluated at {t}"
    "{test_point} is {span} and holds {held}",
    "never starts": "{window} never starts, since no element comes on its stream",
    "not closed": "no window of {window} has closed before {t}, the first closes at {at}",
    "not open": "no window of {window} is open at {t}, the first opens at {at}",
    "gap": "{t} lies in the gap of {window} between {at}",
    "evaluated": "The query is evaluated at {t}{reasons}.",
    "not evaluated": "The query is not evaluated at {t}{reasons}.",
    "every": "{t} is {other} plus a multiple of {period}",
    "not every": "{t} is not {other} plus a multiple of {period}",
    "period": "{t} is a multiple of {period} after t0={other}",
    "not period": "{t} is not a multiple of {period} after t0={other}",
    "no period": "{t} is not a multiple of {period} after t0, which is never defined",
    "closes": "the window {span} of {window} closes at {t}",
    "first closes": "no window of {window} closes at {t}, the first closes at {at}",
    "they close": "no window of {window} closes at {t}, they close at {at}",
    "closed": "{span} of {window} is the last window closed before {t}, and new there",
    "closed before": "{span} of {window}, the last window closed before {t}, was so at "
    "{just_before} already",
    "not empty": "the window {span} of {window} holds {size:element}",
    "empty": "the window {span} of {window} is empty",
    "new in": "{elements} {elements_are} new in {span} of {window}",
    "left it": "{elements} left {window}, whose window is {span}",
    "nothing new": "nothing is new in {span} of {window} (what leaves does not count)",
    "unchanged": "{span} of {window} holds what {window} held before",
    # Where elements lie
    "other stream": "it comes on {stream}, while {window} reads {read}",
    "to come": "at {t} it has not come yet",
    "before": "{when} {when_is} before {span} opens",
    "after": "{when} {when_is} after {span} closes",
    "inside": "{when} {when_lies} inside {span}",
    "not pushed": "at that test point the element of {when} has not been pushed yet",
    "end left out": "{when} is the {end} end of {span}, which bounds {bounds} leave out",
    "end counted in": "{when} is the {end} end of {span}, which bounds {bounds} count in",
    # Rows and values
    "missing": "{rows} {are} missing.",
    "blank nodes": "Row by row the answers agree, but no renaming of blank nodes, one to one, "
    "makes all rows agree at once.",
    "more rows differ": "{count:more row} {differ}.",
    "more triples differ": "{count:more triple} {differ}.",
    "other values": "{in_the_row}{other_values}.",
    "equal numbers": "{equal_values}: equal as numbers, but numbers term compares terms.",
    "right over": "{rows} is right over {elements}.",
    "nothing counted": "An aggregate without GROUP BY has a row over an empty window too: {names} "
    "of nothing is 0.",
    "out of order": "{first} stands before {second} (rows {count} and {following}), and ORDER BY "
    "puts it after.",
    "other row": "The {ordinal} row is {second} where {first} is due.",
    "given often": "{rows} {are} given {often} and due {due_often}.",
    "duplicate in a set": "{elements} {give} it, and a window's content is a set of triples here.",
    "duplicates in a bag": "{elements}{each} {give} it, and an answer is a bag of rows here.",
    # Sources
    "comes from": "{subject} comes from {sources}{and_places}.",
    "needs nothing": "{subject} needs no element and no background data.",
    "comes only from": "{rows} {come} from {elements} only, {used_and} {places}.",
    "would come from": "{rows} would come from {elements}{with_used}, and {places}.",
    "would come if": "{rows} would come out if {wishes}; but {places}.",
    "held too": "the window of {window} held {elements} too",
    "not held": "the window of {window} did not hold {elements}",
    "other background": "{rows} would come out with the background data of {other}; but at {t} "
    "{background}.",
    "unknown terms": "{terms} {occur} nowhere in the streams and the background data.",
    "no choice": "No choice of elements was found that gives {a_row} at {t}.",
    "no small change": "No small change of what the windows hold was found that gives {a_row}.",
    # Answers due and given
    "none due in all": "None are due in all.",
    "due in all": "{count:answer} {be} due in all.",
    "nothing due": "No answer is due at all.",
    "due next to it": "Next to it answers are due at {at}.",
    "same due elsewhere": "The same answer is due at {at}.",
    "no stamp due": "No evaluation carries that stamp, for none is due.",
    "stamps due": "No evaluation carries that stamp; those due carry {at}.",
    "given in all": "The engine gives {count:answer} in all.",
    "given next to it": "The engine's answers next to it are at {at}.",
    "given next": "The engine's next answer is at {at}.",
    "given last": "The engine's last answer is at {at}.",
    "no whole instant": "{at} is no whole instant, and time is counted in those.",
    "carries the stamp": "The {evaluations} at {at} alone can carry the stamp {t}.",
    "as many have come": "{count:answer} {be} due at {at}, and as many have come before this one.",
    "instant is": "{at} is {hints}.",
    "first with rows": "The first with rows is {due} {due_at}.",
    "dropped as empty": "But its answer has no rows, and under empty_answers no it is not given.",
    "empty is given": "Its answer has no rows, and empty answers are given here.",
    "no solution": "There is no solution, so ASK is false.",
    # ISTREAM
    "left": "It held at {last} and is gone.",
    "not new": "{rows} {hold} at {t}{times}, but {last} has it{times_before} already, and ISTREAM "
    "gives what is new only.",
    "given more often": "{rows} {hold} at {t}{times}, and is given more often.",
    "no solution is new": "Of what holds at {t} nothing is new: {last} has it already.",
    "new": "It is new: {last} does not have it.",
    "new, nothing precedes": "No evaluation precedes the one at {t}, so it is new.",
    "more than before": "It holds at {t}{times}, and {last} has it{times_before} only.",
    "solution is new": "There is a solution at {t}{unknown}, and ISTREAM gives what is new.",
    # DSTREAM
    "nothing precedes": "No evaluation precedes the one at {t}, so DSTREAM has nothing to give.",
    "was not there": "DSTREAM gives what is gone, but {last} does not have {rows}.",
    "not gone": "{rows} is not gone: it holds at {t} still.",
    "gone once": "{rows} is gone at {t}{times_before}, and is given more often.",
    "no solution is gone": "No solution of {last} is gone at {t}.",
    "was there": "{Last} has it{times_before}.",
    "gone": "At {t} it is gone{since_places}.",
    "fewer than before": "At {t} it holds{times} only.",
    "solution is gone": "A solution of {last} is gone at {t}, and DSTREAM gives what is gone.",
    # Other readings
    "no operator": "The answer given is all that holds at {t}, as if {operator} were not there.",
    "optional as join": f"{_COMES_OUT} if OPTIONAL is taken for a join.",
    "no filter": f"{_COMES_OUT} without FILTER.",
    "no distinct": f"{_COMES_OUT} without DISTINCT.",
    "distinct": f"{_COMES_OUT} if duplicates are dropped.",
    "no limit": f"{_COMES_OUT} without LIMIT and OFFSET.",
    "no background": f"{_COMES_OUT} without the background data.",
    "background of": f"{_COMES_OUT} with the background data of {{t}}.",
    "kept": f"{_COMES_OUT} if what was evaluated at {{t}} is kept.",
    "window of": f"{_COMES_OUT} over the window {{of_window}}evaluated at {{t}}.",
    "window of another test point": f"{_COMES_OUT} over the window {{of_window}}evaluated at "
    "another test point of {t}.",
    "window is empty": f"{_COMES_OUT} if {{window}} holds nothing.",
}

HINTS: Mapping[str, str] = {
    "slide later": "one slide of {window} later",
    "slide earlier": "one slide of {window} earlier",
    "opens": "where the window of {window} opens",
    "closes": "where the window of {window} closes",
    "next element": "when the next element comes",
    "last element": "when the last element came",
    "from registration": "the instant counted from the registration",
}


def stated(fact: Fact, notation: SettingNotation) -> str:
    """FACT as a sentence or two; a reason, a wish and a place are clauses."""
    return SENTENCES[fact.kind].format_map(_Words(fact, notation))


class _Count(int):
    """A number that a template may write with a noun: ``{count:answer}``."""

    def __format__(self, noun: str) -> str:
        return counted(self, noun) if noun else str(int(self))


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of templates for one fact."""

    fact: Fact
    notation: SettingNotation

    def __getitem__(self, word: str) -> object:
        return _WORDS[word](self.fact, self.notation)


def _windows(fact: Fact, notation: SettingNotation) -> str:
    """What every window is; of one or two windows also what they hold."""
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


def _reasons(fact: Fact, notation: SettingNotation) -> str:
    if not fact.facts:
        early = fact.kind == "not evaluated" and notation.setting.windows
        return ": no window is open yet" if early else ""
    policy = str(notation.setting.reporter.policy)
    # Where strategies are joined by "and" alone, they say what the policy does.
    by = f" by report {policy}" if any(sign in policy for sign in "!|") else ""
    clauses = [
        f"{reason.strategy} {'holds' if reason.holds else 'does not hold'} "
        f"({stated(reason, notation)})"
        for reason in fact.facts[:3]
    ]
    return f"{by}: {listed(clauses)}"


def _places(fact: Fact, notation: SettingNotation) -> str:
    """Where elements lie; those that lie alike are told together: ``5 and 7 lie inside …``."""
    groups: dict[tuple[object, ...], Fact] = {}
    for own in fact.places:
        alike: tuple[object, ...] = (stated(own, notation),)
        if own.kind in {"inside", "before", "after"}:
            alike = (own.kind, own.instance)
        first = groups.get(alike)
        elements = own.elements if first is None else (*first.elements, *own.elements)
        groups[alike] = replace(first or own, elements=elements)
    return listed([stated(own, notation) for own in groups.values()], limit=3)


def _when(fact: Fact, notation: SettingNotation) -> list[str]:
    """The instants of elements, each once."""
    return list(dict.fromkeys(str(notation.case.elements[i].t) for i in fact.elements))


def _end(fact: Fact, notation: SettingNotation) -> str:
    assert fact.instance is not None
    return "opening" if _when(fact, notation) == [str(fact.instance.opens)] else "closing"


def _came(fact: Fact, notation: SettingNotation) -> str:
    number = len(notation.setting.observed)
    if number < 2:
        return "The only answer given does not count" if number else "No answer comes"
    return f"None of the {number} answers given counts"


def _where_due(fact: Fact, notation: SettingNotation) -> str:
    assert fact.due is not None and fact.given is not None
    there = notation.setting.dials.answer_time == "evaluation" and fact.given.t == fact.due.t
    return "" if there else f" {notation.due_at(fact.due.t)}"


def _subject(fact: Fact, notation: SettingNotation) -> str:
    words = {"row": "it", "earlier row": "there it", "solution": "a solution"}
    return capital(listed([notation.part(part) for part in fact.parts]) or words[fact.of])


def _sources(fact: Fact, notation: SettingNotation) -> str:
    sources = [notation.elements(fact.elements)] if fact.elements else []
    if fact.background:
        sources.append(f"the background data {_entries(fact, notation)}")
    return listed(sources)


def _entries(fact: Fact, notation: SettingNotation) -> str:
    return listed([notation.background_entry(entry) for entry in fact.background], limit=3)


def _background(fact: Fact, notation: SettingNotation) -> str:
    if not fact.background:
        return "no background data holds"
    return f"the background data is {_entries(fact, notation)}"


def _last(fact: Fact) -> str:
    return f"the evaluation before, at {fact.other}{' too' if fact.other == fact.t else ''},"


def _times(number: int) -> str:
    return "" if number <= 1 else f" {number} times"


def _often(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _cells(fact: Fact, phrase: str, notation: SettingNotation) -> str:
    """PHRASE of every variable with its term that is due and the one given."""
    due, given = fact.parts
    terms = (map(notation.term, part.row) for part in fact.parts)
    cells = zip(due.variables, *terms, strict=True)
    names = due.differing(given)
    return listed([phrase.format(*cell) for cell in cells if cell[0] in names])


def _in_the_row(fact: Fact, notation: SettingNotation) -> str:
    """Which row it is, by the cells that are right."""
    due, given = fact.parts
    shared = due.cells(set(due.variables) - set(due.differing(given)))
    return f"In the row of {notation.row(shared.variables, shared.row)} " if shared.row else ""


def _hint(hint: Hint, notation: SettingNotation) -> str:
    what, position = hint
    name = notation.window(position) if notation.setting.windows else ""
    return HINTS[what].format(window=name)


_WORDS: Mapping[str, Callable[[Fact, SettingNotation], object]] = {
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
    "other_values": lambda f, n: _cells(f, "?{0} is {2} where {1} is due", n),
    "equal_values": lambda f, n: _cells(f, "?{0}={2} is given for {1}", n),
    # Instants and numbers
    "t": lambda f, n: f.t,
    "just_before": lambda f, n: f.t - 1,
    "other": lambda f, n: f.other,
    "at": lambda f, n: listed([instant(t) for t in f.instants]),
    "evaluations": lambda f, n: "evaluation" if len(f.instants) == 1 else "evaluations",
    "hints": lambda f, n: listed([_hint(hint, n) for hint in f.hints]),
    "count": lambda f, n: _Count(f.count),
    "be": lambda f, n: "is" if f.count == 1 else "are",
    "differ": lambda f, n: "differs" if f.count == 1 else "differ",
    "which": lambda f, n: "it is" if f.count == 1 else "the first is",
    "often": lambda f, n: _often(f.count),
    "due_often": lambda f, n: _often(f.before),
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
    "width": lambda f, n: n.setting.windows[f.position or 0].width,
    "slide": lambda f, n: n.setting.windows[f.position or 0].slide,
    "read": lambda f, n: n.iri(n.setting.windows[f.position or 0].stream),
    "test_point": lambda f, n: f" (test point {f.count} of {f.before})" if f.before else "",
    "span": lambda f, n: f.instance and n.span(f.instance),
    "bounds": lambda f, n: n.setting.dials.bounds,
    "period": lambda f, n: f.strategy and f.strategy.period,
    "elements": lambda f, n: n.elements(f.elements),
    "held": lambda f, n: n.elements(f.elements) if f.elements else "nothing",
    "size": lambda f, n: _Count(len(f.elements)),
    "elements_are": lambda f, n: "is" if len(f.elements) == 1 else "are",
    "give": lambda f, n: "give" if len(f.elements) > 1 else "gives",
    "each": lambda f, n: " each" if len(f.elements) > 1 else "",
    "stream": lambda f, n: n.iri(n.case.elements[f.elements[0]].stream),
    "when": lambda f, n: listed(_when(f, n), limit=8),
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
    # Answers due and given
    "under": lambda f, n: n.under,
    "t_s": lambda f, n: n.setting.t_s,
    "until": lambda f, n: n.case.until,
    "came": _came,
    "due": lambda f, n: f.due and n.brief(f.due.content),
    "due_is": lambda f, n: "is" if f.due and len(n.rows(f.due.content)) <= 1 else "are",
    "due_at": lambda f, n: f.due and n.due_at(f.due.t),
    "Due_at": lambda f, n: f.due and capital(n.due_at(f.due.t)),
    "where_due": _where_due,
    "given": lambda f, n: f.given and n.brief(f.given.content),
    "Answered": lambda f, n: f.given and capital(n.answered(f.given)),
    "answered": lambda f, n: f.given and n.answered(f.given),
    "answers": lambda f, n: "gives" if n.setting.dials.answer_time == "none" else "answers",
    "operator": lambda f, n: n.query.operator and n.query.operator.value,
}
