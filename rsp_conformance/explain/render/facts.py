"""Facts in sentences: one template a kind, whose words are found when they are wanted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rsp_conformance.explain.argument import Fact, FactKind, Hint, Part
from rsp_conformance.explain.render.layout import counted, listed, ordinal
from rsp_conformance.explain.render.notation import SettingNotation, instant
from rsp_conformance.explain.render.windows import placements

_COMES_OUT = "The answer given is what comes out"

SENTENCES: Mapping[FactKind, str] = {
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
    "out of order": "{first} stands before {second} (rows {place} and {following}), and ORDER BY "
    "puts it after.",
    "other row": "The {ordinal} row is {second} where {first} is due.",
    "given often": "{rows} {are} given {often} and due {due_often}.",
    "duplicate in a set": "{elements} {give} it, and a window's content is a set of triples here.",
    "duplicates in a bag": "{elements}{each} {give} it, and an answer is a bag of rows here.",
    # Sources
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
    "gone": "At {t} it is gone{where}.",
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
    """FACT as a sentence."""
    return SENTENCES[fact.kind].format_map(_Words(fact, notation))


def rows(parts: Sequence[Part], notation: SettingNotation, none: str = "A solution") -> str:
    """Rows as a phrase; NONE stands for any solution."""
    return listed([notation.part(part) for part in parts]) or none


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


def _last(fact: Fact) -> str:
    return f"the evaluation before, at {fact.other}{' too' if fact.other == fact.t else ''},"


def _times(number: int) -> str:
    return "" if number <= 1 else f" {number} times"


def _often(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _background(fact: Fact, notation: SettingNotation) -> str:
    entries = [notation.background_entry(entry) for entry in fact.background]
    if not entries:
        return "no background data holds"
    return f"the background data is {listed(entries, limit=3)}"


def _cells(fact: Fact, phrase: str, notation: SettingNotation) -> str:
    """PHRASE of every variable with its term that is due and the one given."""
    due, given = fact.parts
    cells = zip(
        due.variables, map(notation.term, due.row), map(notation.term, given.row), strict=True
    )
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
    "rows": lambda f, n: rows(f.parts, n),
    "a_row": lambda f, n: rows(f.parts, n, "a solution"),
    "are": lambda f, n: "is" if len(f.parts) == 1 else "are",
    "hold": lambda f, n: "hold" if len(f.parts) > 1 else "holds",
    "first": lambda f, n: n.part(f.parts[0]),
    "second": lambda f, n: n.part(f.parts[1]),
    "names": lambda f, n: listed([f"?{name}" for name in f.parts[0].variables]),
    "in_the_row": _in_the_row,
    "other_values": lambda f, n: _cells(f, "?{0} is {2} where {1} is due", n),
    "equal_values": lambda f, n: _cells(f, "?{0}={2} is given for {1}", n),
    "t": lambda f, n: f.t,
    "other": lambda f, n: f.other,
    "at": lambda f, n: listed([instant(t) for t in f.instants]),
    "evaluations": lambda f, n: "evaluation" if len(f.instants) == 1 else "evaluations",
    "hints": lambda f, n: listed([_hint(hint, n) for hint in f.hints]),
    "count": lambda f, n: _Count(f.count),
    "be": lambda f, n: "is" if f.count == 1 else "are",
    "differ": lambda f, n: "differs" if f.count == 1 else "differ",
    "often": lambda f, n: _often(f.count),
    "due_often": lambda f, n: _often(f.before),
    "place": lambda f, n: f.count,
    "following": lambda f, n: f.count + 1,
    "ordinal": lambda f, n: ordinal(f.count),
    "times": lambda f, n: _times(f.count),
    "times_before": lambda f, n: _times(f.before),
    "last": lambda f, n: _last(f),
    "Last": lambda f, n: _last(f).capitalize(),
    "unknown": lambda f, n: "" if f.other is None else f" that {_last(f)} does not have",
    "elements": lambda f, n: n.elements(f.elements),
    "give": lambda f, n: "give" if len(f.elements) > 1 else "gives",
    "each": lambda f, n: " each" if len(f.elements) > 1 else "",
    "terms": lambda f, n: listed([n.term(term) for term in f.terms]),
    "occur": lambda f, n: "occurs" if len(f.terms) == 1 else "occur",
    "background": _background,
    "where": lambda f, n: f", since {placements([f.placement], n)}" if f.placement else "",
    "due": lambda f, n: f.due and n.brief(f.due.content),
    "due_at": lambda f, n: f.due and n.due_at(f.due.t),
    "operator": lambda f, n: n.query.operator and n.query.operator.value,
    "window": lambda f, n: "" if f.position is None else n.window(f.position),
    "of_window": lambda f, n: "" if f.position is None else f"of {n.window(f.position)} ",
}
