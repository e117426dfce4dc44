"""Who reads a point that the texts leave open in another way than the kit is right; both judges."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rsp_conformance.explain.render.headline import headline
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.verdict import finding_of
from rsp_conformance.model.algebra import BGP, Graph, TriplePattern
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.finding import EngineFailure
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.query import Form
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol.registry import connect
from rsp_conformance.sparql.open_points import may_be_refused, open_points
from rsp_conformance.text.parse import parse_query
from tests.judge.open_cases import XSD, answered, both_say, both_say_of, window_case

DATA = ':a :v "n/a" . :b :v 1 .'
NONE: list[dict[str, str]] = []
A, B = {"s": ":a"}, {"s": ":b"}
C = {"s": ":c"}
TIMES = (
    ':a :at "2020-01-01T11:00:00"^^xsd:dateTime . '
    ':b :at "2020-01-01T13:00:00"^^xsd:dateTime . :c :at "2020-01-03T00:00:00"^^xsd:dateTime .'
)
NOON = '"2020-01-01T12:00:00Z"^^xsd:dateTime'
TAGS = ':a :l "x"@en-US . :b :l "y"@de .'
NUMBERS = ":a :v 1.0 . :b :v 2.2 . :c :v 3.5 ."
HALVES = ":a :v 1 . :b :v 3 ."
DECIMAL, DOUBLE = '"{}"^^xsd:decimal', '"{}"^^xsd:double'

MOMENT = '"2011-01-10T14:45:13{}Z"^^xsd:dateTime'
LATER = f"?s :v ?v FILTER(?v > {MOMENT.format('.122')})"
TAGGED = ':a :v "x"@en .'
NODES = "_:n :v 1 . :b :v 2 . :b :broken true ."
TWO = ":b :v 2 ."
UNKNOWN = ':a :v "x"^^xsd:token . :b :v "x"^^:t . :c :v "y" .'
LARGE = ":a :v 9223372036854775808 . :b :v 9 . :c :v 1 ."
YEARS = (
    ':a :at "12020-01-01T00:00:00Z"^^xsd:dateTime . '
    ':b :at "-0044-03-15T00:00:00Z"^^xsd:dateTime . :c :at "2020-01-01T00:00:00Z"^^xsd:dateTime .'
)

DOTTED = "<http://ex.org/x/../a> :v <http://ex.org/./b> ."
CASES = [
    # Two literals that no operator compares: all engines with one reading are right.
    ("?s :v ?v FILTER(?v != 1)", DATA, [[A], NONE], [[B], [A, B]]),
    ("?s :v ?v FILTER(!(?v = 1))", DATA, [[A], NONE], [[B], [A, B]]),
    ("?s :v ?v FILTER(?v NOT IN (1, 2))", DATA, [[A], NONE], [[B]]),
    ("?s :v ?v FILTER(?v = 1)", DATA, [[B]], [NONE, [A, B], [A]]),
    ("?s :v ?v FILTER(?v != 1 || ?s = :b)", DATA, [[A, B], [B]], [[A], NONE]),
    # One reading of one pair of kinds throughout: not in one row and not in the other.
    ("?s :v ?v FILTER(?v != 1)", DATA + ':c :v "x" .', [[A, C], NONE], [[A], [C]]),
    ('?s :v ?v FILTER(?v != "1"^^:t)', DATA, [NONE], [[A], [B], [A, B]]),
    ('?s :v ?v FILTER(?v != "x"^^xsd:integer)', ":b :v 1 .", [NONE, [B]], []),
    # The implicit timezone: indeterminate, or that of the engine, one for all.
    (f"?s :at ?t FILTER(?t < {NOON})", TIMES, [NONE, [A], [A, B]], [[B], [C], [A, C], [A, B, C]]),
    (f"?s :at ?t FILTER(?t = {NOON})", TIMES, [NONE, [A], [B]], [[A, B], [C]]),
    (f"?s :at ?t FILTER(?t > {NOON})", TIMES, [[C], [B, C], [A, B, C]], [NONE, [A, C], [B]]),
    # Only what the case of a tag decides is open.
    ('?s :l ?l FILTER(LANG(?l) = "en-us")', TAGS, [NONE, [A]], [[B], [A, B]]),
    ('?s :l ?l FILTER(LANG(?l) = "en-US")', TAGS, [[A], NONE], [[B]]),
    ('?s :l ?l FILTER(LANG(?l) = "de")', TAGS, [[B]], [NONE, [A]]),
    ('?s :l ?l FILTER(LANGMATCHES(LANG(?l), "EN"))', TAGS, [[A]], [NONE]),
    ('?s :l ?l FILTER(xsd:string(?l) = "x")', TAGS, [NONE, [A]], [[B], [A, B]]),
    ('?s :v ?v FILTER(xsd:string(?v) = "x")', UNKNOWN, [NONE, [A], [B], [A, B]], [[C]]),
    # Numbers and years beyond what has to be known: exact, or errors, wherever the limit lies.
    ("?s :v ?v FILTER(?v > 1)", LARGE, [[A, B], [B]], [[A], NONE]),
    ("?s :v ?v FILTER(?v - 1 < ?v)", LARGE, [[A, B, C], [B, C]], [[A], [C], NONE]),
    (
        "?s :v ?v FILTER(?v * 9000000000000000000 > 2)",
        LARGE,
        [[A, B, C], [C], [A, C], NONE],
        [[A], [B]],
    ),
    ("?s :at ?t FILTER(YEAR(?t) != 2020)", YEARS, [[A, B], NONE, [A], [B]], [[C]]),
    ("?s :at ?t FILTER(?t = ?t)", YEARS, [[A, B, C], [C], [A, C]], [NONE, [A]]),
    ("?s :at ?t FILTER(?t != ?s)", YEARS, [[A, B, C], [C], [A, C]], [NONE, [A]]),
    ('?s :v ?v FILTER(?v = "x"^^xsd:integer)', ':b :v "x"^^xsd:integer .', [[B], NONE], []),
    ('?s :v ?v FILTER(SAMETERM(?v, "x"^^xsd:integer))', ':b :v "x"^^xsd:integer .', [[B]], [NONE]),
    ('?s :v ?v FILTER(?v = "x"^^:t)', ':b :v "x"^^:t .', [[B]], [NONE]),
    # An error is in no list, or IN () is an error.
    ("?s :v ?v FILTER(!(?w IN ()))", ":b :v 1 .", [NONE, [B]], []),
    ("?s :v ?v FILTER(?v NOT IN ())", ":b :v 1 .", [[B]], [NONE]),
    # Decimals of 28 digits in all: a third of 2, three times, is 2.
    ("?s :v ?v FILTER(?v / 3 * 3 = 2)", ":b :v 2 .", [NONE, [B]], []),
    # An overflow is an error, or wraps around.
    ("?s :v ?v FILTER(?v + 1 < 0)", ":b :v 9223372036854775807 .", [NONE, [B]], []),
    # A cast to the datatype that is there already may leave the text as it is.
    ('?s :v ?v FILTER(STR(xsd:integer(?v)) = "01")', ':b :v "01" .', [NONE, [B]], []),
    ('?s :v ?v FILTER(STR(xsd:boolean(?v)) = "1")', ':b :v "1" .', [NONE, [B]], []),
    ("?s :v ?v FILTER(xsd:boolean(?v))", ':b :v "1" .', [[B]], [NONE]),
    # Who does not know a number knows no truth of it, and casts it to nothing.
    ("?s :v ?v FILTER(?v)", LARGE, [[A, B, C], [B, C]], [[A], [A, B]]),
    ("?s :v ?v FILTER(xsd:double(?v) > 1)", LARGE, [[A, B], [B]], [[A], NONE]),
    ("?s :v ?v FILTER(-?v < 0)", LARGE, [[A, B, C], [B, C]], [[A]]),
    ("?s :v ?v FILTER(?v + 0 > 0)", ":a :v 1234567890123456789 . :b :v 1 .", [[A, B], [B]], [[A]]),
    # A longer decimal may be cut or rounded as well.
    ("?s :v ?v FILTER(?v = 1.12345678901234567)", ":a :v 1.1234567890123456789 .", [NONE, [A]], []),
    ("?s :v ?v FILTER(?v > 1)", ":a :v 1.1234567890123456789 . :b :v 2 .", [[A, B], [B]], [[A]]),
    # So may a function that leaves the value as it is.
    ('?s :v ?v FILTER(STR(ABS(?v)) = "03")', ":b :v 03 .", [NONE, [B]], []),
    ('?s :v ?v FILTER(STR(+?v) = "3")', ":b :v 03 .", [NONE, [B]], []),
    ('?s :v ?v FILTER(STR(-?v) = "3")', ":b :v -03 .", [[B]], [NONE]),
    # Digits that decide nothing: a third is less than 0.34.
    ("?s :v ?v FILTER(1 / ?v < 0.34)", ":a :v 3 .", [[A]], [NONE]),
    # Milliseconds are known, and smaller parts may be.
    (LATER, f":a :v {MOMENT.format('.123')} .", [[A]], []),
    (LATER, f":a :v {MOMENT.format('.1230')} .", [[A]], []),
    # What EXISTS makes of a variable of the tested solution: what is open of it stands below.
    ("?s :v ?v FILTER EXISTS { VALUES ?s { :a :b } }", DATA, [], [[B], NONE]),
    ("?s :v ?v FILTER EXISTS { ?s :v 1 FILTER(BOUND(?s)) }", DATA, [], [NONE, [A, B]]),
    ("?s :v ?v FILTER NOT EXISTS { ?s :lost true }", NODES, [], [[B], NONE]),
    # The dots of a query's IRIs are kept or taken out; those of the stream are kept.
    ("<http://ex.org/x/../a> :v ?s", DOTTED, [[{"s": ":./b"}], NONE], [[B], [A]]),
    ("<http://ex.org/x/../a> :v ?s", ":a :v :b .", [[B], NONE], [[A]]),
    (":a :v ?s", DOTTED, [NONE], [[B], [{"s": ":./b"}]]),
    (":a :v ?s", ":a :v :b .", [[B]], [NONE]),
    ("?s :v ?v FILTER(?v = <http://ex.org/./b>)", ":a :v :b .", [[A], NONE], [[B]]),
    # One reading throughout.
    (
        "?s :v ?v VALUES ?v { <http://ex.org/./b> <http://ex.org/x/../a> }",
        ":a :v :b . :b :v :a .",
        [[A, B], NONE],
        [[A], [B]],
    ),
    ("?s ?p ?v FILTER(?v = <http://ex.org/b?/../c>)", ":a :v :b .", [NONE], [[A]]),
]


@pytest.mark.parametrize(("body", "data", "right", "wrong"), CASES)
def test_each_reading_is_right_and_nothing_else(
    body: str, data: str, right: list[list[dict[str, str]]], wrong: list[list[dict[str, str]]]
) -> None:
    case = window_case(body, data)
    for solutions in right:
        assert both_say(case, solutions) == "correct", solutions
    for solutions in wrong:
        assert both_say(case, solutions) == "wrong", solutions


OPEN = [
    (LATER, f":a :v {MOMENT.format('.1234')} .", [[A]]),
    ("?s :v ?v FILTER EXISTS { VALUES ?s { :b } }", DATA, [[B], [A, B]]),  # as they agree, or not
    # BOUND of the term, or by the pattern inside alone.
    ("?s :v ?v FILTER EXISTS { ?z :v 1 FILTER(!BOUND(?s)) }", DATA, [NONE, [A, B]]),
    # A blank node: itself, or any node.
    ("?s :v ?v FILTER NOT EXISTS { ?s :broken true }", NODES, [[{"s": "_:n"}], NONE]),
    # Tags of two spellings are one language or two.
    ('?s :v ?v FILTER(CONTAINS(?v, "x"@EN))', TAGGED, [NONE, [A]]),
    ('?s :v ?v FILTER(STRSTARTS("x"@EN, ?v))', TAGGED, [NONE, [A]]),
    ('?s :v ?v FILTER(STRBEFORE(?v, "y"@EN) = "")', TAGGED, [NONE, [A]]),
    ('?s :v ?v FILTER(LANG(CONCAT(?v, "x"@EN)) = "en")', TAGGED, [NONE, [A]]),
]


@pytest.mark.parametrize(("body", "data", "answers"), OPEN)
def test_what_depends_on_more_than_readings_is_open(
    body: str, data: str, answers: list[list[dict[str, str]]]
) -> None:
    case = window_case(body, data)
    for solutions in answers:
        assert both_say(case, solutions) == "open", solutions


WHOLE = '"{}"^^xsd:integer'
ONES = [{"n": WHOLE.format(1)}] * 2
MANY = {"n": WHOLE.format(2), "many": '"true"^^xsd:boolean'}
KEYS = [{"m": WHOLE.format(key), **ONES[0]} for key in (2, 4)]
OTHER = [{"x": ":other"}]
NEW_YEAR = ':a :v "2020-01-01T24:00:00.0+00:00" .'
NEGATED = "9223372036854775807, 1, -5"
LONG = "1234567890123456.789, 0.000000000000000001, -1234567890123456.789"
TWO_TAGS = 'VALUES (?s ?v) {{ (:a "x"@EN) (:b {}) }}'
COUNTED, BY_DOUBLE = "(COUNT(DISTINCT ?v) AS ?n)", "GROUP BY (?v * 2 AS ?m)"
SCALED, CAST = "?s :v ?v BIND(?v + 0 AS ?w)", "?s :v ?v BIND(xsd:dateTime(?v) AS ?x)"
TWO_WAYS = ":a :p :b, :c . :b :q :d . :c :q :d ."
PAIR, SCALES = ":a :v 1 . :b :v 2 .", ":a :v 1.0 . :b :v 1.00 ."
Computed = tuple[str, str, str, str, list[dict[str, str]], str]
COMPUTED: list[Computed] = [
    # GROUP_CONCAT of a number is an error, or its text; of a blank node it is an error.
    ("(GROUP_CONCAT(?v) AS ?x)", "?s :v ?v", "", ":a :v 7 .", [{"x": '"7"'}], "correct"),
    ("(GROUP_CONCAT(?v) AS ?x)", "?s :v ?v", "", ":a :v 7 .", [{}], "correct"),
    ("(GROUP_CONCAT(?v) AS ?x)", "?s :v ?v", "", ":a :v 7 .", [{"x": '""'}], "wrong"),
    ("(GROUP_CONCAT(?v) AS ?x)", "?v :v ?s", "", "_:b :v 7 .", [{"x": '"b"'}], "wrong"),
    # One tag in two spellings is one value or two.
    (COUNTED, TWO_TAGS.format('"x"@en'), "", TWO, [{"n": WHOLE.format(7)}], "open"),
    (COUNTED, TWO_TAGS.format('"y"@en'), "", TWO, [{"n": WHOLE.format(7)}], "wrong"),
    (COUNTED, TWO_TAGS.format('"x"@EN'), "", TWO, [{"n": WHOLE.format(7)}], "wrong"),
    # So are equal sums of two scales one group or two.
    ("(COUNT(*) AS ?n)", SCALED, "GROUP BY ?w", SCALES, ONES, "correct"),
    ("(COUNT(*) AS ?n)", SCALED, "GROUP BY ?w", SCALES, [{"n": WHOLE.format(2)}], "correct"),
    # HAVING without groups, and names of SELECT and of GROUP BY in groups.
    ("?s", "?s :v ?v", "HAVING(?v > 1)", PAIR, [B], "open"),
    ("(COUNT(*) AS ?n) (?n > 1 AS ?many)", "?s :v ?v", "", PAIR, [MANY], "open"),
    ("(COUNT(?m) AS ?n)", "?s :v ?v", BY_DOUBLE, PAIR, ONES, "open"),
    ("(SAMPLE(DISTINCT ?m) AS ?n)", "?s :v ?v", BY_DOUBLE, PAIR, ONES, "open"),
    ("(1 + SUM(?m * 2) AS ?n)", "?s :v ?v", BY_DOUBLE, PAIR, ONES, "open"),
    ("?m (COUNT(?v) AS ?n)", "?s :v ?v", BY_DOUBLE, PAIR, KEYS, "correct"),
    # BOUND of what is no key of the groups; of a key it says whether that has a value.
    ("(COUNT(*) AS ?n)", "?s :v ?v", "GROUP BY ?s HAVING(!BOUND(?n))", PAIR, ONES, "open"),
    ("(COUNT(*) AS ?n)", "?s :v ?v", "GROUP BY ?s HAVING(BOUND(?v))", PAIR, NONE, "open"),
    ("(COUNT(*) AS ?n)", "?s :v ?v", "GROUP BY ?s HAVING(BOUND(?s))", PAIR, ONES, "correct"),
    ("(COUNT(*) AS ?n)", "?s :v ?v", "GROUP BY ?s HAVING(BOUND(?s))", PAIR, NONE, "wrong"),
    # Solutions differ by the node within a path, or do not; in a path of paths they do not.
    ("(COUNT(DISTINCT *) AS ?n)", "?s :p/:q ?v", "", TWO_WAYS, ONES[:1], "open"),
    ("(COUNT(DISTINCT *) AS ?n)", "?s :p/:q ?v", "", TWO_WAYS, [{"n": WHOLE.format(2)}], "open"),
    ("(COUNT(DISTINCT *) AS ?n)", "?s (:p/:q)+ ?v", "", TWO_WAYS, NONE, "wrong"),
    ("(COUNT(*) AS ?n)", "?s :p/:q ?v", "", TWO_WAYS, ONES[:1], "wrong"),
    # A negated set of nothing is a path, or no syntax.
    ("?s", "?s !() ?v", "", ":a :v 1 .", NONE, "open"),
    ("?s", "?s !:w ?v", "", ":a :v 1 .", NONE, "wrong"),
    # Parts of a sum overflow, or have too many digits, though the whole does not.
    ("(SUM(?v) AS ?x)", ":a :v ?v", "", f":a :v {NEGATED} .", OTHER, "open"),
    ("(SUM(?v) AS ?x)", ":a :v ?v", "", f":a :v {LONG} .", OTHER, "open"),
    # Numbers of several types are promoted as they are added.
    ("(SUM(?v) AS ?x)", ":a :v ?v", "", ":a :v 0.1, 0.2, 0e0 .", OTHER, "open"),
    ("(SUM(?v) AS ?x)", ":a :v ?v", "", ":a :v 1, 2, 3 .", OTHER, "wrong"),
    ("(SUM(?v) AS ?x)", ":a :v ?v", "", ":a :v 1, 2, 3e0 .", OTHER, "wrong"),
    ("(SUM(?v) AS ?x)", ":a :v ?v", "", ":a :v 0.1, 0.2, 0.3 .", OTHER, "wrong"),
    # A dateTime that is cast has one of several forms.
    ("?x", CAST, "", NEW_YEAR, [{"x": '"2020-01-02T00:00:00Z"^^xsd:dateTime'}], "correct"),
    ("?x", CAST, "", NEW_YEAR, [{"x": '"2020-01-01T24:00:00.0+00:00"^^xsd:dateTime'}], "correct"),
    ("?x", CAST, "", NEW_YEAR, [{"x": '"2020-01-02T00:00:00+00:00"^^xsd:dateTime'}], "correct"),
    ("?x", CAST, "", NEW_YEAR, [{"x": '"2020-01-03T00:00:00Z"^^xsd:dateTime'}], "wrong"),
]


@pytest.mark.parametrize("row", COMPUTED, ids=range(len(COMPUTED)))
def test_what_is_computed_and_grouped(row: Computed) -> None:
    select, body, tail, data, answer, said = row
    assert both_say(window_case(body, data, select, tail), answer) == said


@pytest.mark.parametrize(
    ("data", "right", "wrong"),
    [
        # No decimal holds the quotient: digits beyond 15 are the engine's.
        (
            NUMBERS,
            [
                "2.233333333333333333",
                "2.233333333333333333333333",
                "2.2333333333333333333333333333",
            ],
            ["2.23", "2.2333333334", "2.3"],
        ),
        # One holds it, in one of two forms.
        (HALVES, ["2", "2.0", "2.00"], ["2.1", "1.9999999"]),
    ],
)
def test_the_digits_of_a_mean(data: str, right: list[str], wrong: list[str]) -> None:
    case = window_case("?s :v ?v", data, "(AVG(?v) AS ?x)", numbers="term")
    for text in right:
        assert both_say(case, [{"x": DECIMAL.format(text)}]) == "correct", text
    for text in wrong:
        assert both_say(case, [{"x": DECIMAL.format(text)}]) == "wrong", text
    # A mean of decimals is no double.
    assert both_say(case, [{"x": DOUBLE.format(right[0])}]) == "wrong"


@pytest.mark.parametrize(
    ("body", "data", "answer", "head", "said"),
    [
        (
            "?s :v ?v FILTER(?v != 1)",
            DATA + " :d :v 2 .",
            NONE,
            "Missing at t=4: {?s=:d}",
            "{?s=:a} is expected under some readings of what the texts leave open, not under all.",
        ),
        (
            f"?s :at ?t FILTER(?t < {NOON})",
            TIMES + ' :d :at "2019-01-01T00:00:00"^^xsd:dateTime .',
            [C],
            "Wrong value at t=4: ?s is :c, expected :d",
            "",
        ),
        # All of it depends: that :c is given shows a reading by which :a is due.
        ("?s :v ?v FILTER(?v != 1)", DATA + ':c :v "x" .', [C], "Missing at t=4: {?s=:a}", ""),
    ],
)
def test_what_some_readings_alone_make_due_is_not_said_to_be_missing(
    body: str, data: str, answer: list[dict[str, str]], head: str, said: str
) -> None:
    judgement = window_case(body, data).judge(answered(answer))
    assert judgement.wrong
    assert headline(judgement.finding) == head
    assert said in judgement.because()
    assert ("under some readings" in judgement.because()) == bool(said)
    assert ("{?s=:a} is missing" in judgement.because()) == ("{?s=:a}" in head)


def test_digits_that_decide_leave_the_answer_open() -> None:
    """The text of a quotient is the engine's."""
    text = window_case("?s :v ?v BIND(STR(1 / ?v) AS ?x)", ":a :v 3 .", "?x")
    for digits, said in (("0." + "3" * 18, "correct"), ("0." + "3" * 20, "open"), ("1", "open")):
        assert both_say(text, [{"x": f'"{digits}"'}]) == said


def test_the_form_of_a_computed_number_decides_nothing_but_its_text() -> None:
    data = ':a :v "2.0"^^xsd:decimal . :b :v "4.0"^^xsd:double .'
    twice = window_case(":a :v ?v BIND(?v * 2 AS ?x)", data, "?x")
    double = window_case(":b :v ?v BIND(?v * 2 AS ?x)", data, "?x")
    for text in ("4", "4.0"):
        assert both_say(twice, [{"x": DECIMAL.format(text)}]) == "correct"
    for text in ("8", "8.0", "8.0E0", "8e0"):
        assert both_say(double, [{"x": DOUBLE.format(text)}]) == "correct"
    # What the data say is a term.
    given = window_case(":a :v ?x", data, "?x")
    assert both_say(given, [{"x": DECIMAL.format("2")}]) == "wrong"


SHARED = ("_:b :value 7 .", "_:b :u 1 .")
SEVEN = {"v": '"7"^^xsd:integer', "u": '"1"^^xsd:integer'}


@pytest.mark.parametrize(
    ("scope", "joined", "apart"),
    [("any", "correct", "correct"), ("case", "correct", "wrong"), ("element", "wrong", "correct")],
)
def test_the_labels_of_blank_nodes(scope: str, joined: str, apart: str) -> None:
    case = window_case("?x :value ?v . ?x :u ?u", SHARED, "?v ?u", blank_nodes=scope)
    assert both_say(case, [SEVEN]) == joined
    assert both_say(case, NONE) == apart
    assert both_say(case, [SEVEN, SEVEN]) == "wrong"


def test_a_label_within_one_element_is_one_node() -> None:
    case = window_case("?x :value ?v . ?x :u ?u", " ".join(SHARED), "?v ?u")
    assert both_say(case, [SEVEN]) == "correct"
    assert both_say(case, NONE) == "wrong"


def test_too_many_readings_are_not_judged() -> None:
    """Seven dateTimes without timezone have more than 64 combinations with everything else."""
    data = " ".join(f':t{n} :at "2020-01-01T{n + 5:02}:00:30"^^xsd:dateTime .' for n in range(14))
    kinds = ':a :v "x"@en, "n/a", true, "z"^^xsd:integer, 1 .'
    body = f"?s :at ?t FILTER(?t < {NOON}) {{ :a :v ?v, ?w FILTER(?v != ?w) }}"
    assert both_say(window_case(body, data + kinds), [C]) == "open"


def test_the_table() -> None:
    for point in open_points().values():
        assert point.section and point.readings and point.told, point.id
        assert (point.kit == "not judged") or len(point.readings) > 1, point.id


@pytest.mark.parametrize(
    ("expression", "data", "said"),
    [
        ('"a"@en < "b"@en', "7", "open"),
        (":a <= :a", "7", "open"),
        ('"x"^^xsd:token < "y"^^xsd:token', "7", "open"),
        ('"1e0"^^xsd:integer + 1', "7", "open"),
        # A year that an engine need not know makes a literal ill-typed for those that do not.
        ('"a" > "12011-01-10T14:45:13Z"^^xsd:dateTime', "7", "open"),
        ('"a" > "2011-01-10T14:45:13Z"^^xsd:dateTime', "7", "wrong"),
        ('IRI("a b")', "7", "open"),
        ('STRLANG("a", "e n")', "7", "open"),
        ('IRI("a")', "7", "open"),
        ('LCASE("\u03a3")', "7", "open"),
        ('LANGMATCHES("de-CH", "*-CH")', "7", "open"),
        ('IRI("http://a/b/../c")', "7", "open"),
        ('REGEX("a", "(?:a)")', "7", "open"),
        ('REGEX("a", "^*a")', "7", "open"),
        ('REPLACE("a.b", ".", "", "q")', "7", "open"),
        ('TZ("2024-01-01T00:00:00-00:00"^^xsd:dateTime)', "7", "open"),
        # What is next to such a point is judged.
        ('"a" < 1', "7", "wrong"),
        (":a < :b", "7", "wrong"),
        ('"x"^^:t + 1', "7", "wrong"),
        ('IRI("http://a/1:2") = :b', "7", "wrong"),
        ('IRI("http://a/b?../c")', "7", "wrong"),
        ('REGEX("a", "a b", "x")', "7", "wrong"),
        ('REGEX("a", "a**")', "7", "wrong"),
        ('STRLANG("a", "de")', "7", "wrong"),
        ("xsd:string(2.0)", "7", "wrong"),
        ("xsd:string(2e0)", "7", "wrong"),
        ('LANGMATCHES("de-CH", "de")', "7", "wrong"),
        ('TZ("2024-01-01T00:00:00Z"^^xsd:dateTime)', "7", "wrong"),
        # One duration has several forms.
        ('STR(TIMEZONE("2020-01-01T00:00:00-01:30"^^xsd:dateTime))', "1", "open"),
        ('STR(TIMEZONE("2020-01-01T00:00:00-05:00"^^xsd:dateTime))', "1", "wrong"),
        ('TZ("2020-01-01T00:00:00-01:30"^^xsd:dateTime)', "1", "wrong"),
        # XPath casts dates; SPARQL's table has no row for them.
        ("xsd:dateTime(?v)", '"2020-01-02"^^xsd:date', "open"),
        ("xsd:integer(?v)", '"2020-01-02"^^xsd:date', "wrong"),
        # What is too great or too small for a double, and the sign of zero.
        ("?v * 10", "1e308", "open"),
        ("?v > 1", '"-1E300"^^xsd:float', "open"),
        ("?v > 1", '"-1E300"^^xsd:double', "wrong"),
        ("?v > 1", '"-INF"^^xsd:float', "wrong"),
        ("?v = 0", '"1E-60"^^xsd:float', "open"),
        ("?v = 0", '"0E-60"^^xsd:float', "wrong"),
        ("?v * ?v", "1e-200", "open"),
        ("?v * 10", "1e30", "wrong"),
        ("?v * 0", "1e30", "wrong"),
        ("1 / ?v", '"-0"^^xsd:double', "open"),
        ("1 / ?v", "0e0", "wrong"),
        ("xsd:string(?v)", "9007199254740992e0", "open"),
        ("xsd:string(?v)", "7e0", "wrong"),
        # XPath compares more datatypes.
        ('?v = "0A"^^xsd:hexBinary', '"0a"^^xsd:hexBinary', "open"),
        ('?v = "0A"^^:t', '"0a"^^:t', "wrong"),
    ],
)
def test_what_an_expression_leaves_open_is_not_judged_and_what_is_next_to_it_is(
    expression: str, data: str, said: str
) -> None:
    case = window_case(f":a :v ?v BIND({expression} AS ?x)", f":a :v {data} .", "?x")
    assert both_say(case, [{"x": ":other"}]) == said


@pytest.mark.parametrize(
    ("base", "text", "said"),
    [
        ("http://a/b", "http:g", "open"),
        ("HTTP://a/b", "http:g", "open"),
        ("http://a/b", "http://g", "wrong"),
        ("http://a/b", "https:g", "wrong"),
        ("http://a/b/../c", "g", "open"),
        ("http://a/b", "../g", "wrong"),
        ("x:/a", "..//b", "open"),
        ("x:/a", "//b/../c", "wrong"),
        ("x:/a", "b", "wrong"),
    ],
)
def test_iris_that_are_resolved_in_several_ways(base: str, text: str, said: str) -> None:
    held = window_case(f':a :v ?v BIND(IRI("{text}") AS ?x)', TWO.replace(":b", ":a"), "?x")
    case = replace(held, case=replace(held.case, query=replace(held.case.query, base=base)))
    assert both_say(case, [{"x": ":other"}]) == said


def test_dots_of_background_data_are_kept_or_resolved() -> None:
    held = window_case("?s :v ?v", TWO)
    node, other = IRI("http://ex.org/x/../a"), IRI("http://ex.org/y/./../a")
    entry = BackgroundEntry((Triple(node, IRI("http://ex.org/p"), other),))
    pattern = BGP((TriplePattern(Variable("s"), IRI("http://ex.org/p"), Variable("v")),))
    query = replace(held.case.query, pattern=pattern)
    case = replace(held, case=replace(held.case, query=query, background=Background((entry,))))
    assert both_say(case, [{"s": ":x/../a"}]) == "correct"
    assert both_say(case, [A]) == "correct"
    assert both_say(case, [B]) == both_say(case, NONE) == "wrong"


MIXED = ':a :v 1 . :b :v "1.0"^^xsd:decimal .'


def test_which_of_equal_numbers_is_the_extreme() -> None:
    case = window_case("?s :v ?v", MIXED, "(MIN(?v) AS ?m)", numbers="term")
    for text, said in (
        ('"1"^^xsd:integer', "correct"),
        ('"1.0"^^xsd:decimal', "correct"),
        # Three of one value have a third that is neither first nor last.
        ('"2"^^xsd:integer', "open"),
    ):
        assert both_say(case, [{"m": text}]) == said
    by_value = window_case("?s :v ?v", MIXED, "(MIN(?v) AS ?m)", numbers="value")
    assert both_say(by_value, [{"m": '"2"^^xsd:integer'}]) == "wrong"


def test_an_empty_graph_of_the_background_is_there_or_is_not() -> None:
    held = window_case("?s :v ?v", TWO)
    background = Background((BackgroundEntry((), IRI("http://ex.org/g")),))
    query = replace(held.case.query, pattern=Graph(Variable("s"), BGP(())))
    case = replace(held, case=replace(held.case, query=query, background=background))
    assert both_say(case, [{"s": ":g"}, {"s": ":w"}]) == "correct"
    assert both_say(case, [{"s": ":w"}]) == "correct"
    assert both_say(case, [{"s": ":g"}]) == "wrong"


@pytest.mark.parametrize(
    ("template", "tail", "graph", "said"),
    [
        (":a :made ?v", "GROUP BY ?s", ":a :made 1 .", "open"),
        (":a :made ?v", "GROUP BY ?s", "", "open"),
        (":a :made ?v", "HAVING (COUNT(*) > 0)", "", "open"),
        ("?s :made :b", "GROUP BY ?s", "", "wrong"),
        ("?s :made :b", "GROUP BY ?s", ":a :made :b .", "correct"),
        (":a :made ?v", "", "", "wrong"),
    ],
)
def test_a_template_with_what_is_no_key_of_the_groups(
    template: str, tail: str, graph: str, said: str
) -> None:
    held = window_case("?s :v ?v", ":a :v 1 .", "(COUNT(*) AS ?n)", tail)
    made = parse_query(f"PREFIX : <http://ex.org/> CONSTRUCT {{ {template} }} {{}}").template
    query = replace(held.case.query, form=Form.CONSTRUCT, projection=None, template=made)
    case = replace(held, case=replace(held.case, query=query))
    text = graph.replace(":a", "<http://ex.org/a>").replace(":made", "<http://ex.org/made>")
    text = text.replace(":b", "<http://ex.org/b>").replace(" 1 ", f' "1"^^<{XSD}integer> ')
    assert both_say_of(case, [{"t": 4, "graph": text}]) == said


@pytest.mark.parametrize(
    ("select", "body", "tail", "is_open"),
    [
        ("?s", "?s !() ?v", "", True),
        ("?s", "{ SELECT ?s { ?s !() ?v } }", "", True),
        ("(COUNT(*) AS ?n) (?n > 1 AS ?m)", "?s :v ?v", "", True),
        ("(COUNT(*) AS ?n)", "?s :v ?v", "GROUP BY ?s HAVING(BOUND(?v))", True),
        # Engines may differ in its value, and have to take it.
        ("?s", "?s :v ?v", "HAVING(?v > 1)", False),
        ("(COUNT(*) AS ?n)", "?s !:v ?v", "GROUP BY ?s HAVING(BOUND(?s))", False),
    ],
)
def test_who_rejects_what_may_be_no_query_is_not_wrong(
    select: str, body: str, tail: str, is_open: bool
) -> None:
    case = window_case(body, ":a :v 1 .", select, tail)
    assert may_be_refused(case.case.query) is is_open
    failure = EngineFailure("rejected", "I do not know this.")
    observation = Observation(Stimulus(case.case), case.dials, "", failure=failure)
    with connect("reference", {}) as engine:
        found = finding_of("windows", EngineUnderTest.meet(engine), observation, None)
    assert (found is None) is is_open


def test_a_judgement_tells_the_point_and_the_reading() -> None:
    case = window_case('BIND("2020-01-01"^^xsd:date < "2021-01-01"^^xsd:date AS ?x)', TWO, "?x")
    judgement = case.judge(answered([{"x": '"some"'}]))
    assert not judgement.correct and not judgement.wrong
    assert "[temporal-operators]" in (judgement.undetermined or "")
    assert judgement.to_dict()["verdict"] == "left open"
    assert "[temporal-operators]" in (case.answers({":w": 0}).undetermined or "")
    judgement = window_case("?s :v ?v FILTER(?v != 1)", DATA).judge(answered(NONE))
    assert judgement.correct and "[number-not-equal-text]: error" in judgement.because()
    open_too = window_case("?s :v ?v FILTER(?v != 1)", DATA).answers({":w": 0})
    assert "[number-not-equal-text]" in (open_too.undetermined or "")
    assert window_case("?s :v ?v FILTER(?v = 1)", DATA).answers({":w": 0}).undetermined is None
