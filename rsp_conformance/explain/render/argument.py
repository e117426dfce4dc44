"""An argument in prose: one sentence or a few for every claim."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import assert_never

from rsp_conformance.explain import argument as arg
from rsp_conformance.explain.evidence.argued import argued
from rsp_conformance.explain.render.layout import counted, listed, ordinal, unglued
from rsp_conformance.explain.render.notation import Notation, instant, sentence
from rsp_conformance.explain.render.windows import Windows
from rsp_conformance.model.answers import Content, Observed, Truth
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.verdict import Kind, Verdict


def because(case: Case, dials: Dials, observed: Sequence[Observed], verdict: Verdict) -> str:
    """Why the answer is correct or wrong, in one paragraph without line breaks."""
    writer = Writer(argued(case, dials, observed, verdict))
    return unglued(" ".join(text for block in writer.blocks() for text in block))


class Writer:
    """Writes an argument."""

    def __init__(self, argument: arg.Argument) -> None:
        self.argument = argument
        self.setting = argument.setting
        self.notation = Notation(argument.setting.case)
        self.windows = Windows(argument.setting, self.notation)

    def blocks(self) -> list[list[str]]:
        """The sentences: what parts and why, the other members of Z, the dials; none is empty."""
        argument = self.argument
        if argument.correct:
            return [[self._right()]]
        if not argument.claims:
            return [["The answer is wrong, but nothing was found where it parts."]]
        claims = [text for claim in argument.claims for text in self.sentences(claim)]
        others = self._alternatives(argument.alternatives) if argument.alternatives else ""
        turned = explained(argument.dials) if argument.dials else ""
        return [block for block in (claims, [others], [turned]) if any(block)]

    def _right(self) -> str:
        setting = self.setting
        number = len(setting.due)
        verb, pronoun = ("is", "it") if number == 1 else ("are", "they")
        due = f"{counted(number, 'answer')} {verb} due, and {pronoun} came"
        if not number:
            due = "nothing is due, and nothing else came"
        starts = self.notation.starts(setting.starts)
        who = f"{starts} makes the answer right" if starts else "The answer is right"
        return f"{who}: from t_s={setting.t_s} to {setting.case.until}, {due}."

    def sentences(self, claim: arg.Claim) -> list[str]:
        """CLAIM in sentences."""
        match claim:
            case arg.Parting():
                return self._parting(claim)
            case arg.WindowsAt():
                return self.windows.at(claim)
            case arg.Evaluated():
                return [self.windows.evaluated(claim)]
            case arg.Missing(parts):
                return [f"{self._rows(parts)} {_be(parts)} missing."]
            case arg.WouldCome():
                return [self._would_come(claim)]
            case arg.WouldComeAt(parts, other, t, background):
                entries = [self.notation.background_entry(entry) for entry in background]
                held = f"the background data is {listed(entries, limit=3)}"
                held = held if entries else "no background data holds"
                return [
                    f"{self._rows(parts)} would come out with the background data of {other}; "
                    f"but at {t} {held}."
                ]
            case arg.NoSource():
                return [self._no_source(claim)]
            case arg.ComesFrom():
                return [self._comes_from(claim)]
            case arg.Compared():
                return [self._compared(claim)]
            case arg.Changed():
                return [self._changed(claim)]
            case arg.RightOver(part, variables, elements):
                if not elements:
                    zero = listed([f"?{name}" for name in variables])
                    return [
                        "An aggregate without GROUP BY has a row over an empty window too: "
                        f"{zero} of nothing is 0."
                    ]
                cells = self.notation.cells(part.variables, part.row, variables)
                return [f"{listed(cells)} is right over {self.notation.elements(elements)}."]
            case arg.Duplicates():
                return self._duplicates(claim)
            case arg.OutOfOrder(position, columns, first, second):
                one, following = (self.notation.row(columns, row) for row in (first, second))
                rows = f"rows {position + 1} and {position + 2}"
                return [f"{one} stands before {following} ({rows}), and ORDER BY puts it after."]
            case arg.OtherInPlace(position, given, due):
                place = ordinal(position + 1)
                return [f"The {place} row is {self.part(given)} where {self.part(due)} is due."]
            case arg.Remark():
                return [_remark(claim)]
            case arg.FirstWithRows(evaluation):
                rows = self.notation.brief(evaluation.content)
                return [f"The first with rows is {rows} {self._due_at(evaluation.t)}."]
            case arg.InstantIs():
                return [self._instant_is(claim)]
            case arg.Reading():
                return [self._reading(claim)]
            case _:
                assert_never(claim)

    # --- what is pointed at ---

    def part(self, part: arg.Part) -> str:
        """A row, a triple, a truth value or some cells."""
        match part.kind:
            case "row":
                return self.notation.row(part.variables, part.row)
            case "triple":
                return "(" + " ".join(self.notation.term(term) for term in part.row) + ")"
            case "cells":
                return listed(self.notation.cells(part.variables, part.row, part.variables))
            case "true" | "false" as truth:
                return truth

    def _rows(self, parts: Sequence[arg.Part], none: str = "A solution") -> str:
        return listed([self.part(part) for part in parts]) or none

    def _under(self) -> str:
        starts = self.notation.starts(self.setting.starts)
        return f" under {starts}" if starts else ""

    def _answered(self, answer: Observed) -> str:
        """How an observed answer is pointed at: ``at t=10``, ``as its 3rd answer``."""
        if self.setting.dials.answer_time == "none":
            others = enumerate(self.setting.observed)
            return f"as its {ordinal(next(i for i, o in others if o is answer) + 1)} answer"
        stamp = self.setting.stamp(answer)
        return "with no instant" if stamp is None else f"at t={instant(stamp)}"

    def _due_at(self, t: int) -> str:
        """Where an evaluation at T is due, with its stamp where that is another instant."""
        stamp = self.setting.due_stamp(t)
        if self.setting.dials.answer_time == "arrival" and stamp != t:
            return f"for the evaluation at t={t} (stamp {stamp})"
        at = f"at t={t}"
        return f"for the evaluation {at}" if self.setting.dials.answer_time == "none" else at

    def _are_due(self, content: Content) -> str:
        number = 1 if isinstance(content, Truth) else max(1, len(content))
        return f"{self.notation.brief(content)} {'is' if number == 1 else 'are'} due"

    # --- claims ---

    def _parting(self, claim: arg.Parting) -> list[str]:
        setting, divergence = self.setting, claim.divergence
        expected, observed = divergence.expected, divergence.observed
        if divergence.kind is Kind.SILENT:
            return [self._silent(claim)]
        if observed is None:
            assert expected is not None
            place, due = self._due_at(expected.t), self._are_due(expected.content)
            return [sentence(f"{place}, {due}{self._under()}, and no answer comes")]
        given, at = self.notation.brief(observed.content), self._answered(observed)
        if expected is None:
            if divergence.kind is Kind.INSTANT:
                return [f"The engine answers {given} with no instant, and nothing more is due."]
            nothing = f"nothing is due there{self._under()}"
            return [sentence(f"{at} the engine answers {given}, and {nothing}")]
        place, due = self._due_at(expected.t), self._are_due(expected.content)
        match divergence.kind:
            case Kind.ORDER:
                return [
                    sentence(
                        f"{at} the engine answers the rows that are due{self._under()}, in an "
                        "order that ORDER BY does not allow"
                    )
                ]
            case Kind.INSTANT:
                how = "with no instant" if setting.stamp(observed) is None else at
                what = "the same" if claim.same else given
                said = sentence(f"{place}, {due}{self._under()}")
                return [said, f"The engine gives {what}, but {how}."]
            case _:
                verb = "gives" if setting.dials.answer_time == "none" else "answers"
                if setting.dials.answer_time != "evaluation" or observed.t != expected.t:
                    due = f"{due} {place}"
                return [sentence(f"{at} the engine {verb} {given}, and {due}{self._under()}")]

    def _silent(self, claim: arg.Parting) -> str:
        setting, expected = self.setting, claim.divergence.expected
        assert expected is not None
        came = "No answer comes"
        if number := len(setting.observed):
            came = f"None of the {number} answers given counts"
            came = "The only answer given does not count" if number == 1 else came
        verb, which = ("is", "it is") if claim.due == 1 else ("are", "the first is")
        return (
            f"{came} from t_s={setting.t_s} to {setting.case.until}, and "
            f"{counted(claim.due, 'answer')} {verb} due{self._under()}: {which} "
            f"{self.notation.brief(expected.content)} {self._due_at(expected.t)}."
        )

    def _would_come(self, claim: arg.WouldCome) -> str:
        row, where = self._rows(claim.parts), self.windows.placements(claim.placements)
        if not claim.added or claim.dropped or not claim.monotone:
            return f"{row} would come out if {self._wish(claim)}; but {where}."
        source = self.notation.elements(sorted({index for _, index in claim.added}))
        used = self.notation.elements(claim.used) if claim.used else ""
        if not claim.only:
            return f"{row} would come from {source}{f' with {used}' if used else ''}, and {where}."
        # Without the elements named there is no such row; else others may give it as well.
        verb = "come" if len(claim.parts) > 1 else "comes"
        return f"{row} {verb} from {source} only, {f'with {used}, ' if used else ''}and {where}."

    def _wish(self, claim: arg.WouldCome) -> str:
        """``the window of :w held (…, 7) too``, ``… did not hold (…, 8)``."""
        parts = []
        for items, verb, too in (
            (claim.added, "held", " too"),
            (claim.dropped, "did not hold", ""),
        ):
            for position in sorted({p for p, _ in items}):
                elements = self.notation.elements([i for p, i in items if p == position])
                name = self.windows.name(position)
                parts.append(f"the window of {name} {verb} {elements}{too}")
        return listed(parts)

    def _no_source(self, claim: arg.NoSource) -> str:
        if claim.unknown:
            terms = listed([self.notation.term(term) for term in claim.unknown])
            verb = "occurs" if len(claim.unknown) == 1 else "occur"
            return f"{terms} {verb} nowhere in the streams and the background data."
        row = self._rows(claim.parts, "a solution")
        if claim.exhausted:
            return f"No small change of what the windows hold was found that gives {row}."
        return f"No choice of elements was found that gives {row} at {claim.t}."

    def _comes_from(self, claim: arg.ComesFrom) -> str:
        match claim.of:
            case arg.Part():
                row = self.part(claim.of)
            case "row":
                row = "it"
            case "earlier row":
                row = "there it"
            case "solution":
                row = "a solution"
        sources = [self.notation.elements(claim.elements)] if claim.elements else []
        if claim.background:
            entries = [self.notation.background_entry(entry) for entry in claim.background]
            sources.append(f"the background data {listed(entries, limit=3)}")
        if not sources:
            return sentence(f"{row} needs no element and no background data")
        where = self.windows.placements(claim.placements)
        tail = f", and {where}" if where else ""
        return sentence(f"{row} comes from {listed(sources)}{tail}")

    def _compared(self, claim: arg.Compared) -> str:
        t, row = claim.t, self._rows(claim.parts)
        now, before = _times(claim.now), _times(claim.before)
        hold = "hold" if len(claim.parts) > 1 else "holds"
        last = f"the evaluation before, at {claim.before_t},"
        if claim.before_t == t:
            last = f"the evaluation before, at {t} too,"
        first = f"No evaluation precedes the one at {t}"
        inserted, deleted = "ISTREAM gives what is new", "DSTREAM gives what is gone"
        unknown = "" if claim.before_t is None else f" that {last} does not have"
        where = f", since {self.windows.placement([claim.placement])}" if claim.placement else ""
        phrases: dict[arg.Comparison, str] = {
            "left": f"It held at {last} and is gone.",
            "not new": f"{row} {hold} at {t}{now}, but {last} has it{before} already, "
            f"and {inserted} only.",
            "given more often": f"{row} {hold} at {t}{now}, and is given more often.",
            "no solution is new": f"Of what holds at {t} nothing is new: {last} has it already.",
            "nothing precedes": f"{first}, so DSTREAM has nothing to give.",
            "was not there": f"{deleted}, but {last} does not have {row}.",
            "not gone": f"{row} is not gone: it holds at {t} still.",
            "gone once": f"{row} is gone at {t}{before}, and is given more often.",
            "no solution is gone": f"No solution of {last} is gone at {t}.",
            "new": f"It is new: {last} does not have it.",
            "new, nothing precedes": f"{first}, so it is new.",
            "more than before": f"It holds at {t}{now}, and {last} has it{before} only.",
            "solution is new": f"There is a solution at {t}{unknown}, and {inserted}.",
            "was there": sentence(f"{last} has it{before}"),
            "gone": f"At {t} it is gone{where}.",
            "fewer than before": f"At {t} it holds{now} only.",
            "solution is gone": f"A solution of {last} is gone at {t}, and {deleted}.",
        }
        return phrases[claim.claim]

    def _changed(self, claim: arg.Changed) -> str:
        change = claim.change
        wanted, given = change.expected, change.observed
        cells = {
            name: (self.notation.term(due), self.notation.term(term))
            for name, due, term in zip(wanted.variables, wanted.row, given.row, strict=True)
        }
        pairs = [(name, *cells[name]) for name in change.variables]
        if claim.equal:
            equal = listed([f"?{name}={term} is given for {due}" for name, due, term in pairs])
            return f"{equal}: equal as numbers, but numbers term compares terms."
        differing = listed([f"?{name} is {term} where {due} is due" for name, due, term in pairs])
        shared = [
            (name, term)
            for name, term in zip(wanted.variables, wanted.row, strict=True)
            if name not in change.variables
        ]
        if not shared:
            return f"{differing}."
        names, terms = zip(*shared, strict=True)
        return f"In the row of {self.notation.row(names, terms)} {differing}."

    def _duplicates(self, claim: arg.Duplicates) -> list[str]:
        given, due = _often(claim.given), _often(claim.due)
        said = [f"{self._rows(claim.parts)} {_be(claim.parts)} given {given} and due {due}."]
        if not claim.elements:
            return said
        sources, several = self.notation.elements(claim.elements), len(claim.elements) > 1
        verb = "give" if several else "gives"
        if claim.as_set:
            return [*said, f"{sources} {verb} it, and a window's content is a set of triples here."]
        each = " each" if several else ""
        return [*said, f"{sources}{each} {verb} it, and an answer is a bag of rows here."]

    def _instant_is(self, claim: arg.InstantIs) -> str:
        found = []
        for what, position in claim.hints:
            name = self.windows.name(position) if self.setting.windows else ""
            phrases: dict[arg.OfWindow | arg.OfCase, str] = {
                "slide later": f"one slide of {name} later",
                "slide earlier": f"one slide of {name} earlier",
                "opens": f"where the window of {name} opens",
                "closes": f"where the window of {name} closes",
                "next element": "when the next element comes",
                "last element": "when the last element came",
                "from registration": "the instant counted from the registration",
            }
            found.append(phrases[what])
        return f"{instant(claim.stamp)} is {listed(found)}."

    def _reading(self, claim: arg.Reading) -> str:
        t, name = claim.t, None if claim.position is None else self.windows.name(claim.position)
        if claim.what == "no operator":
            operator = self.setting.case.query.operator
            assert operator is not None
            as_if = f"as if {operator.value} were not there"
            return f"The answer given is all that holds at {t}, {as_if}."
        whose = f"the window {f'of {name} ' if name else ''}evaluated at"
        phrase = {
            "optional as join": "if OPTIONAL is taken for a join",
            "no filter": "without FILTER",
            "no distinct": "without DISTINCT",
            "distinct": "if duplicates are dropped",
            "no limit": "without LIMIT and OFFSET",
            "no background": "without the background data",
            "background of": f"with the background data of {t}",
            "kept": f"if what was evaluated at {t} is kept",
            "window of": f"over {whose} {t}",
            "window of another test point": f"over {whose} another test point of {t}",
            "window is empty": f"if {name} holds nothing",
        }[claim.what]
        return f"The answer given is what comes out {phrase}."

    # --- the other members of Z ---

    def _alternatives(self, found: arg.Alternatives) -> str:
        """That no other vector makes the answer right; empty for a query without windows."""
        legal, setting = found.legal, self.setting
        if not legal:
            return ""
        number = prod(len(own) for own in legal)
        if number == 1:
            are = "is the only start" if len(legal) == 1 else "are the only starts"
            return (
                f"However, {self.notation.starts(setting.starts)} {are} that dial "
                f"t0={setting.dials.text('t0')} allows: a contradiction!"
            )
        which = "×".join(_set(own) for own in legal)
        subject = f"no t0 in {which}" if len(legal) == 1 else f"none of the {number} t0 in {which}"
        details = "; ".join(self._departure(*group) for group in found.departures[:3]) + (
            "; the others part elsewhere" if len(found.departures) > 3 else ""
        )
        inner = f" ({details})" if details else ""
        return (
            f"However, {subject} makes the answer right from t_s={setting.t_s} on{inner}: "
            "a contradiction!"
        )

    def _departure(self, found: arg.Departure, vectors: Sequence[tuple[int | None, ...]]) -> str:
        names = [self.notation.vector(vector) for vector in vectors]
        names = (
            names if len(names) <= 2 else [", ".join(names[:2]), counted(len(names) - 2, "other")]
        )
        who, s = " and ".join(names), "s" if len(vectors) == 1 else ""
        if found.expected is None:
            near = listed([str(t) for t in found.neighbours])
            said = f"evaluate{s} at {near}, not at {found.t}"
            return f"{who} {said if near else f'expect{s} nothing at all'}"
        t = found.expected.t
        if found.kind is Kind.ORDER:
            return f"{who} expect{s} another order at {t}"
        content = self.notation.content(found.expected.content, limit=2, room=50)
        tail = ", where no answer comes" if found.kind is Kind.MISSING else ""
        return f"{who} expect{s} {content} at {t}{tail}"


def explained(found: arg.Explanations) -> str:
    """Which single dial would make the answer right."""
    strict = [f"{dial} {value}" for dial, value in found.strict]
    lenient = [f"{dial} {value}" for dial, value in found.lenient]
    be = "was" if found.untried == 1 else "were"
    untried = f" {counted(found.untried, 'more setting')} {be} too costly to try."
    rest = untried if found.untried else ""
    if strict:
        others = listed(strict[1:], limit=5, last="or")
        so = f" So it is with {others}." if others else ""
        return f"One dial explains it: with {strict[0]} the answer is right.{so}{rest}"
    if lenient:
        return (
            f"The instants alone are at fault: with {listed(lenient, last='or')} "
            f"the answer is right, and no other single dial explains it.{rest}"
        )
    if found.untried:
        return f"No single dial of the {found.tried} settings tried explains it.{rest}"
    return "No single dial explains it, so it looks like a defect."


def _remark(claim: arg.Remark) -> str:
    number, instants = claim.number, [instant(t) for t in claim.instants]
    at, answers = listed(instants), counted(number, "answer")
    be, differ = ("is", "differs") if number == 1 else ("are", "differ")
    due = f"Next to it answers are due at {at}." if at else "No answer is due at all."
    carry = f"; those due carry {at}" if at else ", for none is due"
    evaluations = "evaluation" if len(instants) == 1 else "evaluations"
    phrases: dict[arg.RemarkKind, str] = {
        "blank nodes": "Row by row the answers agree, but no renaming of blank nodes, one to one, "
        "makes all rows agree at once.",
        "more rows differ": f"{counted(number, 'more row')} {differ}.",
        "more triples differ": f"{counted(number, 'more triple')} {differ}.",
        "no solution": "There is no solution, so ASK is false.",
        "due in all": f"{answers if number else 'None'} {be} due in all.",
        "due next to it": due,
        "same due elsewhere": f"The same answer is due at {at}.",
        "stamps due": f"No evaluation carries that stamp{carry}.",
        "given in all": f"The engine gives {answers} in all.",
        "given next to it": f"The engine's answers next to it are at {at}.",
        "given next": f"The engine's next answer is at {at}.",
        "given last": f"The engine's last answer is at {at}.",
        "no whole instant": f"{at} is no whole instant, and time is counted in those.",
        "carries the stamp": f"The {evaluations} at {at} alone can carry the stamp {number}.",
        "as many have come": f"{answers} {be} due at {at}, and as many have come before this one.",
        "dropped as empty": "But its answer has no rows, and under empty_answers no it is not "
        "given.",
        "empty is given": "Its answer has no rows, and empty answers are given here.",
    }
    return phrases[claim.what]


def _set(own: tuple[int | None, ...]) -> str:
    numbers = [t for t in own if t is not None]
    if len(numbers) > 4 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{{{numbers[0]},…,{numbers[-1]}}}"
    return "{" + ",".join(str(t) for t in own) + "}"


def _be(parts: Sequence[arg.Part]) -> str:
    return "is" if len(parts) == 1 else "are"


def _times(number: int) -> str:
    return "" if number <= 1 else f" {number} times"


def _often(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
