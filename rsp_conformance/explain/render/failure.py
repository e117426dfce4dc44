"""A failure as a document: a title, the case, the timeline, the answers, and the argument."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from rsp_conformance.explain.argument import Argument, ByDial, FactKind
from rsp_conformance.explain.document import (
    Answers,
    Block,
    Code,
    Document,
    Fit,
    Flow,
    Items,
    Line,
    Prose,
    QueryText,
    Section,
    TimelineBlock,
)
from rsp_conformance.explain.evidence.argued import argued
from rsp_conformance.explain.render.answers import aligned, answer_row, listed_answers
from rsp_conformance.explain.render.argument import blocks
from rsp_conformance.explain.render.findings import (
    cannot_all_be_right,
    differing,
    failed,
    stated_relation,
    why_wrong,
)
from rsp_conformance.explain.render.headline import headline
from rsp_conformance.explain.render.layout import glued
from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.explain.situation import Situation
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import last_words, printable
from rsp_conformance.model.finding import AT_START, Finding, RelationViolation
from rsp_conformance.text.printer.rspql import print_query

STDERR_LINES = 8
"""The number of a driver's last lines that are shown."""
ENOUGH_ANSWERS = 6
"""The answers around the first difference that are enough in a long text: the difference takes two,
and two before and after it show whether the engine was right there."""
TITLE_WIDTH = 80
"""The columns of a title."""


def failure_document(
    finding: Finding, *, by_dial: ByDial | None = None, width: int = TITLE_WIDTH
) -> Document:
    """The failure report of a finding.

    Args:
        finding: a wrong answer, answers that contradict each other, or a failure of the engine.
        by_dial: as for ``argued``, if no run has more cases of the engine.
        width: columns of the title.

    Returns:
        A document of sections alone. If the explanation goes beyond a limit, the document has the
        case and says so.
    """
    try:
        with limited():
            sections = tuple(_explained(finding, by_dial))
    except LimitExceeded as error:
        said = f"There is no explanation: the kit {error.what}."
        sections = (
            *case_sections(finding.case, finding.query_text),
            Section("", _prose([said]), Fit(last=2)),
        )
    return replace(failure_title(finding, width), blocks=sections)


def failure_title(finding: Finding, width: int = TITLE_WIDTH) -> Document:
    """The title and the line below it; nothing has to be found out for them."""
    return Document(headline(finding, width), (), _below(finding))


def _below(finding: Finding) -> Line:
    """The line below the title: the kind, the engine, the profile and the property."""
    parts = [
        finding.kind,
        f"{finding.engine} {finding.version}".strip(),
        f"profile {finding.profile.title}",
        f"property {finding.property_name}",
    ]
    if finding.pacing != "burst":
        parts.append(f"pacing {finding.pacing}")
    return " · ".join(map(glued, map(printable, parts)))


def _explained(finding: Finding, by_dial: ByDial | None) -> Iterator[Section]:
    if finding.violation is not None:
        yield from _contradicting(finding, finding.violation, by_dial)
    elif finding.verdict is not None:
        yield from _wrong(finding, by_dial)
    else:
        yield from _failed(finding)
    # What a driver wrote at its start says nothing about an answer that it gave later.
    of_case = finding.verdict is not None or finding.violation is not None
    stderr = [own for own in finding.stderr if not (of_case and own.startswith(AT_START))]
    if stderr:
        lines = (printable(own.rstrip()) for own in last_words(stderr, STDERR_LINES))
        title = "The driver's last lines on standard error"
        yield Section(title, Code(tuple(lines)), Fit(least=3))


def case_sections(case: Case, query_text: str = "", place: int = 0) -> Iterator[Section]:
    """The streams, the background data and the query of a case.

    Args:
        case: the case.
        query_text: the query as the engine got it; without it as RSP-QL.
        place: an instant; elements far from it are the first to be left out.
    """
    notation = Notation(case)
    for number, stream in enumerate(case.streams):
        own = [e for e in case.elements if e.stream == stream]
        items = tuple(map(notation.element, own)) or ("no element",)
        fit = Fit("element", 1, away=[abs(e.t - place) for e in own])
        title = f"Stream {notation.iri(stream)}"
        yield Section(title, Flow(items), fit, of_case=True, joined=number > 0)
    joined = bool(case.streams)
    if case.background:
        # One entry a triple, so that each may be left out.
        single = (replace(e, triples=(triple,)) for e in case.background for triple in e.triples)
        data = Flow(tuple(map(notation.background_entry, single)))
        yield Section("Background data", data, Fit("triple", 0), of_case=True, joined=joined)
        joined = True
    text = query_text or print_query(case.query)
    title = f"Query, registered at {case.registered}, compared until {case.until}"
    yield Section(title, QueryText(text), Fit(least=4), of_case=True, joined=joined)


def _wrong(finding: Finding, by_dial: ByDial | None) -> Iterator[Section]:
    verdict = finding.verdict
    assert verdict is not None
    case = finding.case
    argument = argued(case, finding.dials, finding.observed, verdict, by_dial=by_dial)
    situation, notation = argument.situation, Notation(case)
    yield from case_sections(case, finding.query_text, situation.place)
    drawn, few = (TimelineBlock(situation, few=few) for few in (False, True))
    title = f"Timeline{_under(argument, notation)}"
    yield Section(title, drawn, compact=few, of_case=True)
    yield _answers(situation)
    yield _argument(_beside_the_others(argument))
    if finding.reading is not None:
        yield Section(
            "",
            _prose(
                [
                    f"{finding.reading.library} by itself answers so too; SPARQL 1.1, "
                    f"{finding.reading.section}, decides: {finding.reading.says}."
                ]
            ),
        )


def _under(argument: Argument, notation: Notation) -> str:
    """From which start the answers are computed, and whether there are others."""
    situation = argument.situation
    if not (starts := notation.starts(situation.starts)):
        return ""
    under = f", with {starts}"
    if argument.correct:
        return under
    dial = situation.dials.text("t0")
    if argument.alternatives is not None and argument.alternatives.none and dial != "any":
        return f"{under}, the only start (t0={dial})"
    others = any(situation.others())
    return f"{under}, the {'nearest' if others else 'only possible'} start"


IN_ANSWERS: Final[frozenset[FactKind]] = frozenset(
    {
        *("silent", "no answer", "not expected", "other answer"),
        *("given in all", "given next to it", "given next", "given last"),
        *("expected in all", "expected next to it", "same at another instant"),
    }
)
"""Facts that the answers show: which are expected, which are received, and the first difference."""


def _beside_the_others(argument: Argument) -> Argument:
    """An argument without what the sections above it show.

    They show the first difference if the answers that differ there are among those listed, and a
    start that is the only one.
    """
    situation = argument.situation
    lines, parted = aligned(situation), situation.divergence
    answers = [line.answer for line in lines]
    received = None if parted is None else parted.observed
    # Answers of one instant may have been judged as one, which is not listed.
    listed = any(line.parts for line in lines) and received in (None, *answers)
    facts = [own for own in argument.facts if own.kind not in IN_ANSWERS]
    others = argument.alternatives
    return replace(
        argument,
        facts=tuple(facts) if listed and facts else argument.facts,
        alternatives=None if others is not None and others.none else others,
    )


def _contradicting(
    finding: Finding, violation: RelationViolation, by_dial: ByDial | None
) -> Iterator[Section]:
    first, *others = violation.cases
    t = violation.contradiction.t
    place = 0 if t is None else int(t)
    many = len(others) > 1
    yield Section("The relation", _prose([stated_relation(violation)]))
    title, why = "Why the answers cannot all be right", cannot_all_be_right(finding, violation)
    yield Section(title, _prose(why), Fit(least=6, last=2))
    # What sets the cases apart says more than answers that agree.
    for section in case_sections(finding.case, finding.query_text, place):
        yield replace(section, fit=replace(section.fit, last=1))
    for other in others:
        body = Items(tuple(differing(first, other)), "nothing")
        few = differing(first, other, bare=True) if many else []
        compact = Items(tuple(few)) if few else None
        title = f"What differs: {other.label}"
        yield Section(title, body, Fit(least=4, last=1), compact=compact)
    for asked in violation.cases:
        away = [
            i if answer.t is None else abs(float(answer.t) / asked.variant.scale - place)
            for i, answer in enumerate(asked.observed)
        ]
        title, least = f"Answers: {asked.label}", 1 if many else 2
        yield _list(title, asked.case, asked.observed, Fit("answer", least, away=away))
    wrong = why_wrong(finding, violation, by_dial=by_dial)
    if wrong is not None:
        yield Section(f"Why “{wrong[0]}” is wrong", _prose([wrong[1]]), Fit(least=3))


def _list(title: str, case: Case, answers: Sequence[Observed], fit: Fit) -> Section:
    found = listed_answers(case, answers)
    body: Block = Answers(found) if found else Items((), "no answer")
    return Section(title, body, fit)


def _answers(situation: Situation) -> Section:
    lines = aligned(situation)
    first = next((i for i, own in enumerate(lines) if own.parts), 0)
    title = f"Answers, compared from {situation.t_s} on"
    if situation.dials.answer_time == "arrival":
        title += ", with the times at which they arrive"
    # Of two equally far the later one is nearer.
    away = [i - first if i >= first else first - i + 0.5 for i in range(len(lines))]
    rows = tuple(answer_row(situation, own) for own in lines)
    body: Block = Answers(rows) if rows else Items((), "none expected, none received")
    return Section(title, body, Fit("answer", 3, ENOUGH_ANSWERS, away))


def _argument(argument: Argument) -> Section:
    body = Prose(tuple(_joined(sentences) for sentences in blocks(argument)))
    if argument.correct:
        return Section("Why", body)
    # The end of the argument stays: which dial explains it.
    return Section("Why", body, Fit(least=6, ends=True, last=1))


def _failed(finding: Finding) -> Iterator[Section]:
    failure = finding.failure
    yield from case_sections(finding.case, finding.query_text)
    if failure is None:
        return
    yield Section("What happened", _prose(failed(finding, failure)))
    if failure.kind == "unstable":
        for title, answers in (("First run", finding.observed), ("Second run", finding.again)):
            yield _list(title, finding.case, answers, Fit("answer", 3))


def _prose(sentences: Sequence[str]) -> Prose:
    return Prose((_joined(sentences),))


def _joined(sentences: Sequence[str]) -> str:
    return " ".join(filter(None, sentences))
