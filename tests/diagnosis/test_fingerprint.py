"""Failures that nothing explains, grouped by what they have in common."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rsp_conformance.diagnosis.evidence import Answered, Evidence, Symptom
from rsp_conformance.diagnosis.fingerprint import Fingerprint, fingerprint, normalised, unexplained
from rsp_conformance.diagnosis.known import KnownCause, KnownCauses
from rsp_conformance.diagnosis.naming import find_causes
from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.finding import (
    Contradiction,
    EngineFailure,
    FollowUpCase,
    RelationViolation,
)
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.trial import Stimulus, Variant
from tests.builders.cases import nearby_case
from tests.builders.findings import boolean, case_of, given, stream, wrong

JAVA = """java.lang.NullPointerException: Cannot invoke "Op.run()" because "<local4>" is null
	at java.base/java.util.Objects.requireNonNull(Objects.java:209)
	at org.streamreasoning.Filter.eval(Filter.java:{line})
	at org.streamreasoning.Query.run(Query.java:12)"""
NODE = """Error: no variable ?x{line} in <urn:a>
    at node:internal/process:12:3
    at Binder.bind (/home/someone/node_modules/rsp-js/lib/r2r.js:{line}:7)"""
PYTHON = """ValueError: 'x{line}' is not 0x7f{line}a
  File "/tmp/a{line}/engine.py", line {line}, in evaluated"""
RUST = """thread 'main' panicked at src/main.rs:{line}:5
   0: rust_begin_unwind
   1: core::panicking::panic
   2: rsp_rs::window::add"""

C_SPARQL = "eu.larkc.csparql.core.new_parser.ParseException: "
HEAD = (
    """ Was expecting one of: <EOF> " from " ... "where {" ... <SINGLELETTERTEXT> ... <NUMBERS> """
    """... <SYMBOL> ... <IRIref> ... " " ... "as " ..."""
)
BODY = """ Was expecting one of: <EOF> "select " ... "where {" ... <SYMBOL> ... "as " ... """
"""C-SPARQL 0.9.7 says the like of each query with a name or string that ends in a keyword."""

LANGUAGES = ["java", "node", "python", "rust"]


def failed(kind: str, message: str, name: str = "filter", *stderr: str) -> Symptom:
    case = nearby_case(3, 2)
    failure = EngineFailure(kind, message, stderr=stderr)
    observation = Observation(Stimulus(case), Dials(), "SELECT", failure=failure)
    return Symptom(name, kind, (observation,), failure, file=f"{name}.json")


def test_a_property_that_failed_as_another_before_is_among_those_of_its_cause() -> None:
    """It was not shrunk; what no shrunk case stands for is no cause beside one that is."""
    shrunk = failed("timeout", "the driver did not answer within 30 s", "windows")
    again = failed("timeout", "the driver did not answer within 3 s", "gaps")
    other = failed("timeout", "quite another", "long")
    symptoms = [replace(own, file="") for own in (again, other)] + [shrunk]
    (cause,) = find_causes(Evidence.of(symptoms, []))
    assert {*cause.properties} == {"windows", "gaps"} and cause.file == "windows.json"


@pytest.mark.parametrize(
    ("stack", "site"),
    [
        (JAVA, "org.streamreasoning.Filter.eval"),
        (NODE, "Binder.bind"),
        (PYTHON, "evaluated"),
        (RUST, "rsp_rs::window::add"),
    ],
    ids=LANGUAGES,
)
def test_one_stack_is_one_cause_whose_site_is_the_engine_s_own_first_frame(
    stack: str, site: str
) -> None:
    numbered = {f"property{line}": stack.format(line=line) for line in range(17, 32)}
    (cause,) = unexplained([failed("crashed", own, name) for name, own in numbered.items()])
    assert len(cause.properties) == 15 and not cause.is_explained
    assert fingerprint(failed("crashed", stack.format(line=3))).site.endswith(f" at {site}")
    head, *frames = stack.format(line=3).splitlines()
    assert fingerprint(failed("crashed", head, "filter", *frames)).site.endswith(f" at {site}")


def test_a_frame_of_the_kit_s_own_driver_is_no_site() -> None:
    head = "reading ?value of a row: java.lang.IllegalArgumentException: Bad read: -1"
    driver = (
        '  File "/x/lib/python3.11/site-packages/rsp_conformance/adapters/cqels1/case.py", line 7'
    )
    with_stack = failed("crashed", head, "filter", f"{driver}, in step", head)
    assert fingerprint(with_stack) == fingerprint(failed("crashed", head))


def test_which_frames_of_standard_error_are_the_stack() -> None:
    head, *frames = NODE.format(line=3).splitlines()
    whole = failed("crashed", head, "filter", head, *frames)
    cut = failed("crashed", head, "filter", "    at async Engine.query (a.js:1:2)", head, *frames)
    assert fingerprint(cut) == fingerprint(whole)
    before = ("Error: of another case", "    at Other.place (a.js:1:2)")
    alone = failed("crashed", head, "filter", head, *frames)
    behind = failed("crashed", head, "filter", *before, head, *frames, *before)
    assert fingerprint(behind) == fingerprint(alone)
    without = failed("crashed", head, "filter", *before, head, *before)
    assert fingerprint(without) == fingerprint(failed("crashed", head))
    head, frame = PYTHON.format(line=3).splitlines()
    stack = ("Traceback (most recent call last):", frame, "    compute()", head)
    assert fingerprint(failed("crashed", head, "filter", *stack)).site.endswith(" at evaluated")


def test_other_sites_kinds_and_messages_are_other_causes() -> None:
    symptoms = [
        failed("crashed", JAVA.format(line=1)),
        failed("crashed", JAVA.format(line=1).replace("Filter.eval", "Join.eval")),
        failed("rejected", JAVA.format(line=1)),
        failed("rejected", "unexpected token"),
    ]
    assert len({fingerprint(symptom).id for symptom in symptoms}) == 4


@pytest.mark.parametrize(
    "said",
    [
        f"""Encountered " "select " "select "" at line 1, column 29.{HEAD} <NUMBERS> ...""",
        f"""Encountered " "select " "select "" at line 1, column 43.{HEAD}""",
        f"""Encountered " "named " "named "" at line 1, column 116.{BODY}""",
        f"""Encountered " "ask " "ASK "" at line 1, column 109.{BODY}""",
        """Encountered " "step " "step "" at line 1, column 103. Was expecting one of: <EOF> """,
        """Encountered " "add " "add "" at line 1, column 29.\nWas expecting one of:\n    <EOF>""",
    ],
    ids=["head", "second name", "body", "string", "values", "lines"],
)
def test_whatever_keyword_a_parser_of_javacc_trips_over_is_one_cause(said: str) -> None:
    assert fingerprint(failed("rejected", C_SPARQL + said)).site == (
        C_SPARQL + "Encountered a keyword"
    )


@pytest.mark.parametrize(
    ("said", "token"),
    [
        (
            """" <SINGLELETTERTEXT> "F "" at line 1, column 36. Was expecting one""",
            "SINGLELETTERTEXT",
        ),
        ("""" <VAR1> "?y "" at line 2, column 30. Was expecting one of: <IRIref>""", "VAR#"),
        (""""<EOF>" at line 2, column 43. Was expecting one of: ")" ... "||" ...""", "EOF"),
        ("""" "<" "< "" at line 2, column 12. Was expecting one of: <IRIref> ...""", "<"),
        ("""" ">" "> "" at line 2, column 12. Was expecting one of: "a" ...""", ">"),
    ],
    ids=["letter", "variable", "end", "less", "greater"],
)
def test_other_tokens_that_a_parser_of_javacc_trips_over_are_causes_of_their_own(
    said: str, token: str
) -> None:
    assert normalised(f"Encountered {said}") == f"Encountered {token}"


@pytest.mark.parametrize(
    "said",
    [
        "line 8:0 mismatched input '}' expecting {<EOF>, GROUP, ORDER, LIMIT, HAVING}",
        "line 12:31 mismatched input '<=' expecting ')'",
    ],
)
def test_what_a_parser_of_antlr_expects_does_not_tell_causes_apart(said: str) -> None:
    assert normalised(said) == "line #:# mismatched input …"


JENA = "reading ?value of a row: com.hp.hpl.jena.sparql.expr."


@pytest.mark.parametrize(
    "said",
    [
        """ExprEvalTypeException: Operator '+' : Undefined addition: "x"^^<http://x> and 1""",
        "ExprEvalTypeException: Operator '*' : Undefined multiply: true and 1",
        "ExprEvalTypeException: Not a number: (unaryMinus) <http://ex.org/c>",
        "ExprNotComparableException: Can't compare (nodes) _:b0 and <http://ex.org/a>",
        "ExprNotComparableException: Can't compare (incompatible value spaces)_:b0 and 'x'@en-GB",
        """ExprEvalException: Unknown equality test: "x" and "1"^^<http://ex.org/d>""",
    ],
)
def test_whatever_jena_says_of_an_expression_in_error_is_one_cause(said: str) -> None:
    assert fingerprint(failed("crashed", JENA + said)).site == (
        "reading ?… of a row: com.hp.hpl.jena.sparql.expr.Expr…Exception"
    )


@pytest.mark.parametrize(
    "term",
    [
        *('"x"', "'x'", '"x"@en', '"x"@en-GB', "<urn:x>", "_:b0"),
        *('"1"^^<http://ex.org/d>', '"1"^^xsd:byte', '"1"^^:d'),
    ],
)
def test_terms_in_a_message_do_not_tell_causes_apart(term: str) -> None:
    assert normalised(f"Can't add {term} and it isn't right") == "Can't add … and it isn't right"


@pytest.mark.parametrize(
    "said",
    [
        'scheme name at index 0: "1"^^xsd:byte',
        "scheme name at index 0: (:a)",
        "path at index 15: http://ex.org/p\\/0",
    ],
)
def test_what_is_no_uri_does_not_tell_causes_apart(said: str) -> None:
    message = "java.lang.IllegalArgumentException: Illegal character in"
    assert normalised(f"{message} {said}") == f"{message} a URI"


@pytest.mark.parametrize("triple", ['n @n "x"', '"1"^^http://a/b#c @http://x <http://y>'])
def test_which_triple_is_no_rdf_does_not_tell_causes_apart(triple: str) -> None:
    message = f"it gives the triple {triple}, which is not RDF"
    assert normalised(message) == "it gives a triple, not RDF"


def test_what_most_properties_show_comes_first() -> None:
    symptoms = [failed("rejected", "a"), failed("crashed", "b"), failed("crashed", "b", "join")]
    first, second = unexplained(symptoms)
    assert first.properties == ("filter", "join")
    assert second.properties == ("filter",)


def test_a_message_loses_what_varies_and_a_sentence_its_stop() -> None:
    said = "line 3: <urn:x> at /home/me/a.py has 12.5 of ?who, Op@1f2e3d"
    assert normalised(said) == "line #: … at a.py has # of ?…, Op@…"
    said = str(Fingerprint("contradiction", "", ("join",), "The answers are the same."))
    assert said == "contradiction: The answers are the same: queries with join"


def test_two_engines_that_differ_are_no_evidence_about_one() -> None:
    """A setting is about one engine: nothing is named from the answers of two."""
    case, says = nearby_case(3, 2), (Observed(5, Rows(("x",), ())),)
    pair = tuple(
        Observation(Stimulus(case, second=second), Dials(), "SELECT", observed=says)
        for second in (False, True)
    )
    symptom = Symptom("against[windows]", "contradiction", pair, file="x.json")
    assert not symptom.is_answered
    evidence = Evidence.of([symptom], [Answered(own, False, "windows") for own in pair])
    assert [own.observation for own in evidence.answered] == [pair[0]]
    causes = find_causes(Evidence.of([symptom], []))
    assert [cause.is_explained for cause in causes] == [False]
    known = KnownCauses([KnownCause(Setting.of({}, ["newest-only"]), "it is")])
    assert known.explain(pair[1]) is None


def answered(query: str, *solutions: str) -> Symptom:
    """What it is that an engine answers SOLUTIONS at 4, where ``who=carl who=eve`` are due."""
    case = case_of(query, stream("nearby", ("carl near a", 3), ("eve near a", 3)), until=4)
    return Symptom.of(wrong(case, Dials(), given(2), given(4, *solutions)))


WHO = """SELECT DISTINCT ?who FROM NAMED WINDOW :w ON STREAM :nearby [RANGE 2 STEP 2]
WHERE { WINDOW :w { ?who :near :a } }"""
PARTINGS = {
    "rows due came too often": ("who=carl", "who=eve", "who=eve"),
    "rows came that are not due": ("who=carl", "who=eve", "who=bob"),
    "rows due did not come": ("who=carl",),
    "other rows came": ("who=carl", "who=bob"),
    "rows due, nothing came": (),
}


@pytest.mark.parametrize("parting", list(PARTINGS))
def test_a_fingerprint_says_how_wrong_rows_differ(parting: str) -> None:
    symptom = answered(WHO, *PARTINGS[parting])
    assert (symptom.kind, symptom.difference) == ("wrong rows", parting)


def test_rows_doubled_rows_lost_and_rows_too_seldom_are_causes_of_their_own() -> None:
    """Who knows the one is still told of the other."""
    lost, doubled, again = (
        answered(WHO, *solutions)
        for solutions in (["who=eve"], ["who=carl", "who=eve", "who=eve"], ["who=carl"])
    )
    known = KnownCauses([KnownCause(reason="it is", fingerprint=fingerprint(lost).id)])
    assert known.with_fingerprint(again) and not known.with_fingerprint(doubled)
    assert len(list(unexplained([lost, doubled, again]))) == 2
    plain = WHO.replace("DISTINCT ?who", "?it").replace("?who :near :a", "?who :near ?it")
    assert answered(plain, "it=a").difference == "rows due came too seldom"


def test_answers_that_contradict_each_other_part_where_the_first_of_them_is_wrong() -> None:
    single = wrong(
        case_of(WHO, stream("nearby", ("carl near a", 3)), until=4), Dials(), given(2), given(4)
    )
    asked = FollowUpCase(Variant("as it is", Stimulus(single.case)), WHO, verdict=single.verdict)
    violation = RelationViolation("They agree.", "", (asked,), Contradiction(4, "They do not."))
    symptom = Symptom.of(replace(single, verdict=None, violation=violation))
    assert symptom.difference == "They agree: rows due, nothing came"


@pytest.mark.parametrize("near", ["a", "b"])
def test_an_ask_that_says_yes_to_all_is_not_one_that_says_no(near: str) -> None:
    query = WHO.replace("SELECT DISTINCT ?who", "ASK")
    case = case_of(query, stream("nearby", (f"carl near {near}", 3)), until=4)
    due = near == "a"
    finding = wrong(case, Dials(), boolean(2, False), boolean(4, not due))
    said = {True: "true due, false came", False: "false due, true came"}
    assert Symptom.of(finding).difference == said[due]


def test_an_answer_of_a_wrong_form_is_told_as_that_before_any_cause_is_sought() -> None:
    """Whatever was asked: a SELECT is never answered by a truth value."""
    counted = WHO.replace("DISTINCT ?who", "(COUNT(*) AS ?n)")
    of_wrong_form = []
    for query in (WHO, counted):
        case = case_of(query, stream("nearby", ("carl near a", 3)), until=4)
        of_wrong_form.append(Symptom.of(wrong(case, Dials(), given(2), boolean(4, True))))
    silent = answered(WHO)
    answers = [Answered(own.observations[0], False) for own in (*of_wrong_form, silent)]
    evidence = Evidence((silent, *of_wrong_form), tuple(answers))
    first, *others = find_causes(evidence)
    assert first.text == "wrong form: a truth value came to SELECT, and not rows"
    assert first.is_of_wrong_form and not first.is_explained
    # An engine that says anything is not silent always.
    assert "always-silent" not in {cause.id for cause in others}
    query = WHO.replace("SELECT DISTINCT ?who", "ASK")
    case = case_of(query, stream("nearby", ("carl near a", 3)), until=4)
    assert not Symptom.of(wrong(case, Dials(), boolean(2, False), boolean(4, False))).wrong_form
