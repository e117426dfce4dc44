"""Plain cases over all dials, and answers to cases as engines write them, right and damaged.

Plain random choices from a seed, apart from the kit's own strategies: those write what engines can
be expected to run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any, Final

from rsp_conformance.model.algebra import (
    BGP,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Pattern,
    TriplePattern,
    Union,
    Window,
)
from rsp_conformance.model.answers import (
    Content,
    Evaluation,
    Observed,
    Rows,
    Triples,
    Truth,
)
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import DIALS, VALUES, Dials, floors
from rsp_conformance.model.expressions import Aggregate, Operation, Variable
from rsp_conformance.model.query import (
    Form,
    GroupKey,
    OrderKey,
    Projection,
    Query,
    StreamOperator,
)
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, XSD, BlankNode, Literal, Term, Triple
from rsp_conformance.model.windows import Count, Reach, Unit, WindowDeclaration
from tests.builders.terms import EX, iri

STREAMS = [iri("s1"), iri("s2"), iri("s3")]
NAMES = [iri("w1"), iri("w2"), iri("w3")]
GRAPHS = [iri("g1"), iri("g2")]
P, Q = iri("p"), iri("q")
X, Y, Z = Variable("x"), Variable("y"), Variable("z")
NUMBERS = [
    Literal(text, XSD + kind)
    for text, kind in [
        ("1", "integer"),
        ("01", "integer"),
        ("1.0", "decimal"),
        ("2", "integer"),
        ("2.5", "decimal"),
        ("1.0e0", "double"),
        ("3", "integer"),
    ]
]


PAST: Final = 0.25
"""How many of the windows by time are in the past."""


def _chance(random: Random, p: float) -> bool:
    return random.random() < p


def _subject(random: Random) -> Any:
    if _chance(random, 0.1):
        return BlankNode(random.choice("mn"))
    return IRI(EX + random.choice("ab"))


def _triple(random: Random) -> Triple:
    value: Term = random.choice(NUMBERS) if _chance(random, 0.6) else _subject(random)
    return Triple(_subject(random), random.choice([P, P, Q]), value)


def random_case(random: Random) -> tuple[Case, Dials]:
    """A case with dials that fit it."""
    windows = _windows(random)
    dials = _dials(random, len(windows))
    operator = random.choice([None, None, *StreamOperator])
    query = _query(random, windows, dials, operator)
    a = random.choice([0, 0, 0, 1, 3])
    triples = any(isinstance(w.width, Count) and w.width.unit == "triples" for w in windows)
    elements = _elements(random, a, named=0 if triples else 0.12)
    last = elements[-1].t if elements else a
    return (
        Case(
            query,
            elements,
            _background(random),
            registered=a,
            until=last + random.randrange(0, 8),
            streams=tuple(STREAMS),
        ),
        dials,
    )


def _windows(random: Random) -> tuple[WindowDeclaration, ...]:
    count = random.choice([1, 1, 1, 2, 2, 3])
    if _chance(random, 0.02):
        count = 0
    # Over one stream triples and elements cannot both be counted.
    unit: Unit = random.choice(["elements", "elements", "triples"])
    return tuple(_window(random, NAMES[i], unit, few=count < 3) for i in range(count))


def _window(random: Random, name: IRI, unit: Unit, *, few: bool) -> WindowDeclaration:
    stream, named = random.choice(STREAMS[:2]), _chance(random, 0.75)
    if _chance(random, 0.2):
        return WindowDeclaration(name, stream, random.choice([*Reach]), named=named)
    if _chance(random, 0.3):
        size = Count(unit, random.choice([1, 2, 2, 3, 4, 6]))
        step = random.choice([None, None, None, 1, 2, 2, 3, 5])
        return WindowDeclaration(name, stream, size, step, named)
    slide = random.choice([None, 1, 2, 3, 4] if few else [1, 2])
    lag = random.choice([1, 2, 3, 6]) if _chance(random, PAST) else None
    return WindowDeclaration(name, stream, random.randrange(1, 7), slide, named, lag)


def _elements(random: Random, a: int, named: float) -> tuple[StreamElement, ...]:
    t = a
    elements = []
    for number in range(random.randrange(0, 9)):
        t += random.choice([0, 0, 1, 1, 2, 5])
        name = IRI(f"{EX}n{number}") if _chance(random, named) else None
        graph = tuple(_triple(random) for _ in range(random.choice([1, 1, 2])))
        elements.append(StreamElement(random.choice([*STREAMS, *STREAMS[:2]]), t, graph, name))
    return tuple(elements)


def _background(random: Random) -> Background:
    if _chance(random, 0.5):
        return Background()
    return Background(
        tuple(
            BackgroundEntry(
                tuple(dict.fromkeys(_triple(random) for _ in range(random.randrange(1, 3)))),
                random.choice([None, *GRAPHS]),
                random.choice([None, None, 2, 5]),
                random.choice([None, None, 6, 9]),
            )
            for _ in range(random.randrange(1, 4))
        )
    )


def _policy(random: Random, windows: int) -> str:
    bound = windows > 0 and _chance(random, 0.4)

    def atom() -> str:
        kind = random.choice(["WC", "WC", "NC", "CC", "CC", f"P({random.randrange(1, 4)})"])
        return f"{kind}[w{random.randrange(windows) + 1}]" if bound else kind

    def policy(depth: int) -> str:
        roll = random.random()
        if depth == 0 or roll < 0.4:
            return f"COMPUTED EVERY {random.randrange(1, 4)}" if _chance(random, 0.08) else atom()
        if roll < 0.5:
            return f"!{policy(0)}"
        return f"({policy(depth - 1)} {random.choice('&&|')} {policy(depth - 1)})"

    return policy(random.choice([0, 0, 1, 1, 2]))


_NUMBERED: Final[Mapping[str, Sequence[str]]] = {
    "t0": ("-3", "4", *floors([3])),
    "n0": ("1", "2"),
    "numbers": ("tolerance(0.5)",),
    "time_tolerance": ("0", "1", "2"),
}
"""Values beside those of the table, which need a number."""
_PLAIN: Final = {
    **{"t0": 4, "windows_in": 5, "time_tolerance": 3},
    **dict.fromkeys(("window", "r2s", "literals", "empty_group", "answer_time"), 1),
}
"""How many times more often than another one a dial has the value of plain RSP-QL: those with many
values, or with one that leaves little to compare, would hide what others do."""
_APART: Final = ("report", "stream_operators", "answers", "ties")
"""Dials that are not drawn with the others: a policy is made, answers come as evaluations, and a
younger dial is drawn apart, so that all others are drawn as before there was one."""


def _dials(random: Random, windows: int) -> Dials:
    plain, values = Dials(), {"report": _policy(random, windows)}
    for dial in DIALS:
        choices = [*VALUES.get(dial, ()), *_NUMBERED.get(dial, ())]
        if choices and dial not in _APART:
            values[dial] = random.choice([plain.text(dial)] * _PLAIN.get(dial, 0) + choices)
    if _chance(random, 0.05):
        values["stream_operators"] = "R"
    values["ties"] = Random(f"ties of {values}").choice(["arrival", *VALUES["ties"]])
    return plain.with_dials(values)


def _bgp(random: Random) -> Pattern:
    ways: list[tuple[Variable, IRI | Variable, Variable]]
    ways = [(X, P, Y), (X, Q, Y), (X, Variable("r"), Y), (Y, P, Z)]
    left, middle, right = random.choice(ways)
    return BGP((TriplePattern(left, middle, right),))


def _block(random: Random, windows: Sequence[WindowDeclaration], dials: Dials) -> Pattern:
    roll = random.random()
    named = [w.name for w in windows if w.named]
    if named and roll < 0.6 and dials.windows_in == "named":
        windows_and_any: list[IRI | Variable] = [*named, *named, Variable("w")]
        return Window(random.choice(windows_and_any), _bgp(random))
    if roll < 0.75:
        graphs_and_any: list[IRI | Variable] = [*named, *GRAPHS, Variable("g")]
        return Graph(random.choice(graphs_and_any), _bgp(random))
    return _bgp(random)


def _pattern(random: Random, windows: Sequence[WindowDeclaration], dials: Dials) -> Pattern:
    pattern = _block(random, windows, dials)
    for _ in range(random.choice([0, 0, 1, 1, 2])):
        other = _block(random, windows, dials)
        kind = random.choice([Join, LeftJoin, Union])
        pattern = kind(pattern, other)
    if _chance(random, 0.2):
        pattern = Filter(Operation("<", (Y, NUMBERS[4])), pattern)
    return pattern


def _query(
    random: Random,
    windows: tuple[WindowDeclaration, ...],
    dials: Dials,
    operator: StreamOperator | None,
) -> Query:
    query = Query(
        _pattern(random, windows, dials),
        operator=operator,
        windows=windows,
        computed_every=random.choice([None] * 9 + [2]),
        default_graphs=tuple(GRAPHS[:1]) if _chance(random, 0.08) else (),
        named_graphs=tuple(GRAPHS[1:]) if _chance(random, 0.08) else (),
    )
    roll = random.random()
    if roll < 0.12:
        return replace(query, form=Form.ASK)
    if roll < 0.24:
        ends: list[Variable | BlankNode] = [Y, BlankNode("new")]
        starts: list[Variable | BlankNode] = [X, BlankNode("new")]
        template = (
            TriplePattern(X, P, random.choice(ends)),
            TriplePattern(random.choice(starts), Q, Y),
        )
        return replace(query, form=Form.CONSTRUCT, template=template)
    if roll < 0.44:
        name = random.choice(["COUNT", "SUM", "AVG", "MIN", "MAX"])
        counted = Projection(Variable("n"), Aggregate(name, Y, distinct=_chance(random, 0.2)))
        if _chance(random, 0.5):
            return replace(query, projection=(counted,))
        return replace(query, projection=(Projection(X), counted), group_by=(GroupKey(X),))
    if roll < 0.6:
        query = replace(query, projection=(Projection(X),), distinct=_chance(random, 0.5))
    if _chance(random, 0.25):
        query = replace(query, order_by=(OrderKey(random.choice([X, Y]), _chance(random, 0.4)),))
        if _chance(random, 0.2) and operator in (None, StreamOperator.RSTREAM):
            query = replace(query, limit=random.randrange(0, 3))
    return query


def random_answers(
    random: Random, expected: Sequence[Evaluation], case: Case, dials: Dials
) -> tuple[Observed, ...]:
    """What an engine might answer: EXPECTED in its own writing, sometimes with faults."""
    return damaged(random, written_answers(random, expected, case, dials), case)


def written_answers(
    random: Random, expected: Sequence[Evaluation], case: Case, dials: Dials
) -> list[Observed]:
    """EXPECTED as an engine writes it: stamps and causes, other nodes, numbers and order."""
    answers = []
    for evaluation in expected:
        t: int | Fraction | None = evaluation.t
        cause: int | str | None = None
        if dials.answer_time == "none":
            t = None
            if _chance(random, 0.3):
                causes: list[int | str] = ["end", len(case.elements), 0]
                cause = random.choice(causes)
        elif dials.answer_time == "arrival":
            late = [
                i
                for i, e in enumerate(case.elements)
                if e.t > evaluation.t or (e.t == evaluation.t and dials.trigger == ">=")
            ]
            if late:
                cause, t = late[0], random.choice([None, case.elements[late[0]].t])
            else:
                cause, t = random.choice(["end", len(case.elements), None]), None
                t = random.choice([None, case.until, case.until + 1])
        answers.append(Observed(t, _rewritten(random, evaluation.content), cause))
    return answers


def with_late_answers(
    random: Random, written: Sequence[Observed], later: Sequence[Evaluation], case: Case
) -> tuple[Observed, ...]:
    """WRITTEN answers, and after them some that the appended elements set off, right and wrong."""
    contents = [e.content for e in random.sample(later, min(len(later), random.randrange(3)))]
    if written and _chance(random, 0.5):
        contents.append(random.choice(written).content)
    answers = [*written]
    for content in contents:
        causes: list[int | str | None] = ["end", len(case.elements), None]
        t = random.choice([None, None, case.until, case.until + 1])
        answers.append(Observed(t, _rewritten(random, content), random.choice(causes)))
    return tuple(answers)


def damaged(random: Random, answers: list[Observed], case: Case) -> tuple[Observed, ...]:
    """ANSWERS with up to two faults, sometimes without those at the start."""
    answers = [*answers]
    for _ in range(random.choice([0, 0, 0, 1, 1, 2])):
        _spoil(random, answers, case)
    if _chance(random, 0.3) and answers:
        del answers[: random.randrange(0, len(answers))]
    return tuple(answers)


def _spoil(random: Random, answers: list[Observed], case: Case) -> None:
    if not answers:
        answers.append(Observed(random.randrange(0, case.until + 2), Rows(("x",), ()), None))
        return
    place = random.randrange(len(answers))
    answer = answers[place]
    match random.randrange(9):
        case 0:
            del answers[place]
        case 1:
            answers.insert(place, answer)
        case 2 if answer.t is not None:
            shifts: list[int | Fraction] = [-1, 1, 2, Fraction(1, 2)]
            shift = random.choice(shifts)
            answers[place] = Observed(answer.t + shift, answer.content, answer.cause)
        case 3:
            answers[place] = Observed(None, answer.content, answer.cause)
        case 4 if isinstance(answer.content, Rows) and answer.content.rows:
            rows = list(answer.content.rows)
            del rows[random.randrange(len(rows))]
            changed = Rows(answer.content.variables, tuple(rows))
            answers[place] = Observed(answer.t, changed, answer.cause)
        case 5 if isinstance(answer.content, Truth):
            answers[place] = Observed(answer.t, Truth(not answer.content.value), answer.cause)
        case 6:
            other = random.randrange(len(answers))
            answers[place], answers[other] = answers[other], answer
        case 7 if isinstance(answer.content, Rows) and answer.content.rows:
            rows = [*answer.content.rows, random.choice(answer.content.rows)]
            random.shuffle(rows)
            answers[place] = replace(answer, content=replace(answer.content, rows=tuple(rows)))
        case 8 if isinstance(answer.content, Rows) and answer.content.rows:
            rows = list(answer.content.rows)
            at = random.randrange(len(rows))
            rows[at] = tuple(NUMBERS[0] if cell in NUMBERS[3:] else cell for cell in rows[at])
            answers[place] = replace(answer, content=replace(answer.content, rows=tuple(rows)))


def _rewritten(random: Random, content: Content) -> Content:
    """CONTENT as another engine writes it: other nodes, numbers and order."""
    numbers = _chance(random, 0.3)

    def term(old: Term | None) -> Any:
        if isinstance(old, BlankNode):
            return BlankNode("other" + old.label.replace("m", "o"))
        if numbers and old in NUMBERS:
            return random.choice([n for n in NUMBERS if _value(n) == _value(old)])
        if isinstance(old, Triple):
            return Triple(*[term(part) for part in old])
        return old

    if isinstance(content, Rows):
        variables = list(content.variables)
        rows = [tuple(term(cell) for cell in row) for row in content.rows]
        if content.ties is None or _chance(random, 0.1):
            random.shuffle(rows)
        if _chance(random, 0.3):
            return Rows(tuple(reversed(variables)), tuple(tuple(reversed(row)) for row in rows))
        return Rows(tuple(variables), tuple(rows))
    if isinstance(content, Triples):
        return Triples(frozenset(term(old) for old in content.graph))
    return content


def _value(literal: Term | None) -> Fraction:
    assert isinstance(literal, Literal)
    return Fraction(literal.lexical)
