"""Who reads a point that the texts leave open in another way than the kit is right; both judges."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rsp_conformance.explain.render.headline import headline
from rsp_conformance.model.algebra import BGP, Graph
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.terms import IRI
from rsp_conformance.sparql.open_points import open_points
from tests.judge.open_cases import answered, both_say, window_case

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

UNKNOWN = ':a :v "x"^^xsd:token . :b :v "x"^^:t . :c :v "y" .'
LARGE = ":a :v 9223372036854775808 . :b :v 9 . :c :v 1 ."
YEARS = (
    ':a :at "12020-01-01T00:00:00Z"^^xsd:dateTime . '
    ':b :at "-0044-03-15T00:00:00Z"^^xsd:dateTime . :c :at "2020-01-01T00:00:00Z"^^xsd:dateTime .'
)

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
            "{?s=:d} is missing",
            "{?s=:a} is due under some readings of what the texts leave open, not under all.",
        ),
        (
            f"?s :at ?t FILTER(?t < {NOON})",
            TIMES + ' :d :at "2019-01-01T00:00:00"^^xsd:dateTime .',
            [C],
            "?s=:d is due, not ?s=:c",
            "",
        ),
        # All of it depends: that :c is given shows a reading by which :a is due.
        ("?s :v ?v FILTER(?v != 1)", DATA + ':c :v "x" .', [C], "{?s=:a} is missing", ""),
    ],
)
def test_what_some_readings_alone_make_due_is_not_said_to_be_missing(
    body: str, data: str, answer: list[dict[str, str]], head: str, said: str
) -> None:
    judgement = window_case(body, data).judge(answered(answer))
    assert judgement.wrong
    assert headline(judgement.finding) == f"at 4 {head}"
    assert said in judgement.because()
    assert ("under some readings" in judgement.because()) == bool(said)
    assert ("{?s=:a} is missing" in judgement.because()) == ("{?s=:a}" in head)


def test_digits_that_decide_leave_the_answer_open() -> None:
    """The text of a quotient is the engine's; three times a third is 1, or is less."""
    third = ":a :v 3 ."
    text = window_case("?s :v ?v BIND(STR(1 / ?v) AS ?x)", third, "?x")
    for digits, said in (("0." + "3" * 18, "correct"), ("0." + "3" * 20, "open"), ("1", "open")):
        assert both_say(text, [{"x": f'"{digits}"'}]) == said
    close = window_case("?s :v ?v FILTER(1 / ?v < 0.34)", third)
    assert both_say(close, [A]) == "correct"
    assert both_say(close, NONE) == "wrong"


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


def test_group_concat_of_a_number_is_an_error_or_its_text() -> None:
    data = ":a :v 7 ."
    case = window_case("?s :v ?v", data, "(GROUP_CONCAT(?v) AS ?x)")
    assert both_say(case, [{"x": '"7"'}]) == "correct"
    assert both_say(case, [{}]) == "correct"
    assert both_say(case, [{"x": '""'}]) == "wrong"
    blank = window_case("?v :v ?s", "_:b :v 7 .", "(GROUP_CONCAT(?v) AS ?x)")
    assert both_say(blank, [{"x": '"b"'}]) == "wrong"


@pytest.mark.parametrize(
    ("expression", "data", "said"),
    [
        ('"a"@en < "b"@en', "7", "open"),
        (":a <= :a", "7", "open"),
        ('"x"^^xsd:token < "y"^^xsd:token', "7", "open"),
        ('"1e0"^^xsd:integer + 1', "7", "open"),
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


TWO = ":b :v 2 ."
MIXED = ':a :v 1 . :b :v "1.0"^^xsd:decimal .'


@pytest.mark.parametrize(
    ("data", "said"), [('"x"@en', "open"), ('"y"@en', "wrong"), ('"x"@EN', "wrong")]
)
def test_one_tag_in_two_spellings(data: str, said: str) -> None:
    body = f'VALUES (?s ?v) {{ (:a "x"@EN) (:b {data}) }}'
    case = window_case(body, TWO, "(COUNT(DISTINCT ?v) AS ?n)")
    assert both_say(case, [{"n": '"7"^^xsd:integer'}]) == said


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("2020-01-02T00:00:00Z", "correct"),
        ("2020-01-01T24:00:00.0+00:00", "correct"),
        ("2020-01-02T00:00:00+00:00", "correct"),
        ("2020-01-03T00:00:00Z", "wrong"),
    ],
)
def test_the_form_of_a_dateTime_that_is_cast(form: str, said: str) -> None:
    data = ':a :v "2020-01-01T24:00:00.0+00:00" .'
    case = window_case("?s :v ?v BIND(xsd:dateTime(?v) AS ?x)", data, select="?x")
    assert both_say(case, [{"x": f'"{form}"^^xsd:dateTime'}]) == said


def test_equal_sums_of_two_scales_are_one_group_or_two() -> None:
    data = ":a :v 1.0 . :b :v 1.00 ."
    body = "?s :v ?v BIND(?v + 0 AS ?w)"
    case = window_case(body, data, select="(COUNT(*) AS ?n)", tail="GROUP BY ?w")
    one, two = ('"1"^^xsd:integer', '"2"^^xsd:integer')
    for rows in ([{"n": one}, {"n": one}], [{"n": two}]):
        assert both_say(case, rows) == "correct"


def test_having_without_groups_is_open() -> None:
    data = ":a :v 1 . :b :v 2 ."
    case = window_case("?s :v ?v", data, tail="HAVING(?v > 1)")
    assert both_say(case, [B]) == "open"


def test_a_name_of_select_in_groups_is_open() -> None:
    data = ":a :v 1 . :b :v 2 ."
    chained = "(COUNT(*) AS ?n) (?n > 1 AS ?many)"
    many = {"n": '"2"^^xsd:integer', "many": '"true"^^xsd:boolean'}
    case = window_case("?s :v ?v", data, select=chained)
    assert both_say(case, [many]) == "open"


@pytest.mark.parametrize(
    ("fraction", "said"), [(".123", "correct"), (".1230", "correct"), (".1234", "open")]
)
def test_milliseconds_are_known_and_smaller_parts_may_be(fraction: str, said: str) -> None:
    data = f':a :v "2011-01-10T14:45:13{fraction}Z"^^xsd:dateTime .'
    body = '?s :v ?v FILTER(?v > "2011-01-10T14:45:13.122Z"^^xsd:dateTime)'
    case = window_case(body, data)
    assert both_say(case, [A]) == said


@pytest.mark.parametrize(
    "call",
    [
        'CONTAINS(?v, "x"@EN)',
        'STRSTARTS("x"@EN, ?v)',
        'STRBEFORE(?v, "y"@EN) = ""',
        'LANG(CONCAT(?v, "x"@EN)) = "en"',
    ],
)
def test_tags_of_two_spellings_are_one_language_or_two(call: str) -> None:
    data = ':a :v "x"@en .'
    case = window_case(f"?s :v ?v FILTER({call})", data)
    assert both_say(case, []) == "open"
    assert both_say(case, [A]) == "open"


@pytest.mark.parametrize("aggregate", ["COUNT(?m)", "SAMPLE(DISTINCT ?m)", "1 + SUM(?m * 2)"])
def test_a_name_of_group_by_in_an_aggregate_is_open(aggregate: str) -> None:
    data = ":a :v 1 . :b :v 2 ."
    tail = "GROUP BY (?v * 2 AS ?m)"
    case = window_case("?s :v ?v", data, select=f"({aggregate} AS ?n)", tail=tail)
    rows = [{"n": '"1"^^xsd:integer'}, {"n": '"1"^^xsd:integer'}]
    assert both_say(case, rows) == "open"
    shown = window_case("?s :v ?v", data, select="?m (COUNT(?v) AS ?n)", tail=tail)
    keys = [{"m": f'"{key}"^^xsd:integer', **rows[0]} for key in (2, 4)]
    assert both_say(shown, keys) == "correct"


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


def test_a_judgement_tells_the_point() -> None:
    case = window_case('BIND("2020-01-01"^^xsd:date < "2021-01-01"^^xsd:date AS ?x)', TWO, "?x")
    judgement = case.judge(answered([{"x": '"some"'}]))
    assert not judgement.correct and not judgement.wrong
    assert "[temporal-operators]" in (judgement.undetermined or "")
    assert judgement.to_dict()["verdict"] == "left open"
    assert "[temporal-operators]" in (case.answers({":w": 0}).undetermined or "")


def test_a_right_answer_says_how_it_reads_the_texts() -> None:
    judgement = window_case("?s :v ?v FILTER(?v != 1)", DATA).judge(answered(NONE))
    assert judgement.correct and "[number-not-equal-text]: error" in judgement.because()
    open_too = window_case("?s :v ?v FILTER(?v != 1)", DATA).answers({":w": 0})
    assert "[number-not-equal-text]" in (open_too.undetermined or "")
    assert window_case("?s :v ?v FILTER(?v = 1)", DATA).answers({":w": 0}).undetermined is None


@pytest.mark.parametrize(
    ("values", "said"),
    [
        # Parts of a sum overflow, or have too many digits, though the whole does not.
        ("9223372036854775807, 1, -5", "open"),
        ("1234567890123456.789, 0.000000000000000001, -1234567890123456.789", "open"),
        # Numbers of several types are promoted as they are added.
        ("0.1, 0.2, 0e0", "open"),
        ("1, 2, 3", "wrong"),
        ("1, 2, 3e0", "wrong"),
        ("0.1, 0.2, 0.3", "wrong"),
    ],
)
def test_a_sum_in_any_order(values: str, said: str) -> None:
    case = window_case(":a :v ?v", f":a :v {values} .", "(SUM(?v) AS ?x)")
    assert both_say(case, [{"x": ":other"}]) == said


NODES = "_:n :v 1 . :b :v 2 . :b :broken true ."


@pytest.mark.parametrize(
    ("body", "data", "answers", "said"),
    [
        # VALUES of a variable of the tested solution: rows that agree, or others.
        ("?s :v ?v FILTER EXISTS { VALUES ?s { :b } }", DATA, [[B], [A, B]], "open"),
        ("?s :v ?v FILTER EXISTS { VALUES ?s { :a :b } }", DATA, [[B], NONE], "wrong"),
        # BOUND of one: of the term, or by the pattern inside alone.
        ("?s :v ?v FILTER EXISTS { ?z :v 1 FILTER(!BOUND(?s)) }", DATA, [NONE, [A, B]], "open"),
        ("?s :v ?v FILTER EXISTS { ?s :v 1 FILTER(BOUND(?s)) }", DATA, [NONE, [A, B]], "wrong"),
        # A blank node of one: itself, or any node.
        ("?s :v ?v FILTER NOT EXISTS { ?s :broken true }", NODES, [[{"s": "_:n"}], NONE], "open"),
        ("?s :v ?v FILTER NOT EXISTS { ?s :lost true }", NODES, [[B], NONE], "wrong"),
    ],
)
def test_what_exists_makes_of_a_variable_of_the_tested_solution(
    body: str, data: str, answers: list[list[dict[str, str]]], said: str
) -> None:
    case = window_case(body, data)
    for solutions in answers:
        assert both_say(case, solutions) == said, solutions
