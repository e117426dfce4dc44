"""Wrong rows: where an extra row would come from, and why a missing one is due."""

from __future__ import annotations

from rsp_conformance.explain.differences import Change, Difference, Part, difference
from rsp_conformance.explain.evidence import Evidence, Step
from rsp_conformance.explain.layout import counted
from rsp_conformance.explain.provenance import Provenance, monotone
from rsp_conformance.explain.why.aggregates import changed_value, equal_numbers, over_nothing
from rsp_conformance.explain.why.operators import Previous
from rsp_conformance.explain.why.origins import extra_origin, missing_origin
from rsp_conformance.explain.why.phrases import answered, are_due, due_at, under, windows_at
from rsp_conformance.model.answers import Triples, Truth
from rsp_conformance.model.verdict import Divergence


def wrong_rows(evidence: Evidence, divergence: Divergence) -> list[str]:
    """An answer came when it was due, with other rows."""
    expected, observed = divergence.expected, divergence.observed
    assert expected is not None
    assert observed is not None
    notation = evidence.notation
    given = notation.brief(observed.content)
    verb = "gives" if evidence.dials.answer_time == "none" else "answers"
    opening = f"{answered(evidence, observed)} the engine {verb} {given}"
    elsewhere = evidence.dials.answer_time != "evaluation" or observed.t != expected.t
    place = f" {due_at(evidence, expected.t)}" if elsewhere else ""
    opening += f", and {are_due(evidence, expected.content)}{place}{under(evidence)}."
    sentences = [opening[0].upper() + opening[1:]]
    step = evidence.step
    if step is None:
        return sentences
    sentences += windows_at(evidence, step)
    found = difference(expected.content, observed.content, notation, evidence.dials.numbers)
    if found.joint:
        sentences.append(
            "Row by row the answers agree, but no renaming of blank nodes, one to one, "
            "makes all rows agree at once."
        )
    elif isinstance(expected.content, Truth) and isinstance(observed.content, Truth):
        sentences += _truth(evidence, step, expected.content)
    else:
        sentences += _rows(evidence, step, found)
    return sentences


def _rows(evidence: Evidence, step: Step, found: Difference) -> list[str]:
    sentences: list[str] = []
    for change in found.changed[:2]:
        sentences += _changed(evidence, step, change)
    extra, missing = _distinct(found.extra), _distinct(found.missing)
    sentences += _together([(part, _extra(evidence, step, part)) for part in extra[:2]])
    sentences += _together([(part, _missing(evidence, step, part)) for part in missing[:2]])
    left = sum(max(0, len(own) - 2) for own in (found.changed, extra, missing))
    if left:
        kind = "triple" if isinstance(step.evaluation.content, Triples) else "row"
        sentences.append(f"{counted(left, f'more {kind}')} differ{'s' if left == 1 else ''}.")
    return sentences


def _together(argued: list[tuple[Part, list[str]]]) -> list[str]:
    """What is said of two rows in the same words is said of both at once."""
    if len(argued) == 2:
        (one, first), (other, second) = argued
        if [text.replace(other.text, one.text) for text in second] == first:
            both = f"{one.text} and {other.text}"
            return [
                text.replace(one.text, both)
                .replace(f"{both} is missing", f"{both} are missing")
                .replace(f"{both} comes", f"{both} come")
                for text in first
            ]
    return [sentence for _, sentences in argued for sentence in sentences]


def _distinct(parts: tuple[Part, ...]) -> list[Part]:
    return list({part.row: part for part in parts}.values())


def _truth(evidence: Evidence, step: Step, expected: Truth) -> list[str]:
    part = Part("true", (), (), evidence.dials.numbers, "truth")
    provenance = Provenance(evidence, step.moment, step.contents, part)
    previous = Previous(evidence, step, provenance)
    if previous.applies:
        return previous.truth(expected.value)
    if expected.value:
        return missing_origin(evidence, provenance, "a solution")
    return extra_origin(evidence, provenance, "A solution")


def _changed(evidence: Evidence, step: Step, change: Change) -> list[str]:
    numbers = equal_numbers(evidence, change)
    if numbers:
        return numbers
    if monotone(evidence.case.query):
        return [
            *_extra(evidence, step, change.observed),
            *_missing(evidence, step, change.expected),
        ]
    return changed_value(evidence, step, change)


def _extra(evidence: Evidence, step: Step, part: Part) -> list[str]:
    provenance = Provenance(evidence, step.moment, step.contents, part)
    previous = Previous(evidence, step, provenance)
    if previous.applies:
        return previous.extra(part)
    times = part.count(step.evaluation.content)
    if times:
        return _duplicates(evidence, provenance, part, times, too_many=True)
    return extra_origin(evidence, provenance, part.text)


def _missing(evidence: Evidence, step: Step, part: Part) -> list[str]:
    provenance = Provenance(evidence, step.moment, step.contents, part)
    previous = Previous(evidence, step, provenance)
    if previous.applies:
        return previous.missing(part)
    observed = evidence.divergence.observed if evidence.divergence else None
    times = part.count(step.evaluation.content)
    if observed is not None and part.count(observed.content):
        return _duplicates(evidence, provenance, part, times, too_many=False)
    nothing = over_nothing(evidence, provenance)
    return [f"{part.text} is missing.", *(nothing or missing_origin(evidence, provenance, "it"))]


def _duplicates(
    evidence: Evidence, provenance: Provenance, part: Part, times: int, *, too_many: bool
) -> list[str]:
    observed = evidence.divergence.observed if evidence.divergence else None
    given = part.count(observed.content) if observed is not None else 0
    sentences = [f"{part.text} is given {_often(given)} and due {_often(times)}."]
    alone = sorted(item for item in provenance.held if provenance.yields(frozenset({item})))
    if alone:
        sources = evidence.notation.elements(sorted({index for _, index in alone}))
        verb = "gives" if len({index for _, index in alone}) == 1 else "give"
        if too_many and evidence.dials.window_content == "set":
            sentences.append(
                f"{sources} {verb} it, and a window's content is a set of triples here."
            )
        else:
            each = "" if verb == "gives" else " each"
            sentences.append(f"{sources}{each} {verb} it, and an answer is a bag of rows here.")
    return sentences


def _often(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
