"""docs/semantics.md: what code and tests cite is there, and its numbers are those of the tests.

`tests/papers` holds the numbers against both semantics and the reference engine; here the page is
held against `tests/papers`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import get_args

import pytest

from rsp_conformance.laws import LAWS, SETS
from rsp_conformance.model.answers import Rows
from rsp_conformance.model.dials import Dials, T0Name
from rsp_conformance.model.features import SHAPES
from rsp_conformance.spec.correctness import rspql_queries, t_s
from rsp_conformance.spec.trace import answer
from rsp_conformance.spec.windows import evaluated
from tests.docs.markdown import DOCS, ROOT, headings, section, tables
from tests.papers.rows import ROWS, Row, the

PAGE = (DOCS / "semantics.md").read_text("utf-8")
NUMBERS = {
    source: expected for source, _, expected in tables(section(PAGE, "7. Numbers to pin"))[0][1:]
}
LAWS_SECTION = section(PAGE, "8. The laws, and where they are false")


def sections() -> set[str]:
    return {heading.partition(".")[0] for heading in headings(PAGE) if heading[0].isdigit()}


def test_sections_and_decisions_that_are_cited_are_there() -> None:
    text = section(PAGE, "11. Decisions")
    decided = set(re.findall(r"^(\d+)\. ", text, re.MULTILINE))
    numbers = r"\d+(?:(?:, | and | to )\d+)*"
    cited: dict[str, set[str]] = {"SEMANTICS": set(), "decision": set()}
    for source in [*(ROOT / "rsp_conformance").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]:
        text = source.read_text("utf-8")
        for kind, found in cited.items():
            for some in re.findall(rf"\b{kind}s? (?:section )?({numbers})", text, re.IGNORECASE):
                found |= set(re.findall(r"\d+", some))
    assert cited["SEMANTICS"] and cited["SEMANTICS"] <= sections()
    assert cited["decision"] and cited["decision"] <= decided


def test_the_shapes_and_the_starts_are_those_of_the_code() -> None:
    table = tables(section(PAGE, "Shapes"))[0][1:]
    assert {shape.strip("`"): has for shape, has in table} == SHAPES
    table = tables(section(PAGE, "Where windows start"))[0][1:]
    named = {name for row in table for name in re.findall(r"`([a-z-]+)(?:\(n\))?`", row[0])}
    assert named == {*get_args(T0Name), "first-element-floor", "first-element-close-floor"} - {
        "any"
    }
    for name in named:
        Dials().with_dial("t0", f"{name}(2)" if name.endswith("floor") else name)


def rows(prefix: str) -> list[Row]:
    found = [row for row in ROWS if row.source.startswith(prefix)]
    assert found
    return found


def only(prefix: str) -> Row:
    (row,) = rows(prefix)
    return row


def listed(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


def people(terms: Iterable[str]) -> list[str]:
    """What stands for `:carl :a` and the like on the page."""
    return sorted(row.replace(":", "") for row in terms)


def window(source: str, t0: int, t: int, which: int = 0) -> str:
    given = the(source)
    chosen = given.case.query.sliding_windows(given.dials.unit)[which]
    found = evaluated(chosen, t0, t, given.dials)
    return "undefined" if found is None else found.text(given.dials.bounds)


def content(source: str, t0: int, t: int) -> int:
    """The number of rows of the evaluation at T."""
    given = the(source)
    (found,) = (e for e in answer(given.case, given.dials, (t0,)) if e.t == t)
    assert isinstance(found.content, Rows)
    return len(found.content)


EX10 = "RSP-QL Examples 9 and 10, WINDOW"
STAR = "RSP-QL* Definition 15: (10,10,0)"
FIG4 = "SECRET, CSRBench Figure 4: (3,2,1), [o,c)"
LIMIT = ("Theorem 1's limit: (5,2,1) at 4 is (1,6]", "Theorem 1's limit: (5,2,3) at 4 is (3,8]")


def example_6() -> list[str]:
    return people(only("RSP-QL Example 6").expected[8])


def example_7() -> list[str]:
    row = only("RSP-QL Example 7")
    (held,) = people(row.expected[9])
    return [f"window {window(row.source, 1, 9)}", f"content {{{held}}}"]


def example_10() -> list[str]:
    expected = only(EX10).expected
    at_8, at_16 = (sorted(expected[t]) for t in (8, 16))
    assert at_8 == [":carl :a :alice", ":eve :a :alice"] and at_16 == [":diana :b :bob"]
    return [
        f"ET={{{listed(expected)}}}",
        f"@8: W1={window(EX10, 1, 8)}, rows carl and eve at a, owner **alice**",
        f"@16: W1={window(EX10, 1, 16)}, row diana at b, owner bob",
    ]


def example_13() -> list[str]:
    closing, arrivals, changes = rows("RSP-QL Example 13")
    return [
        f"WC & NC at {listed(closing.expected)}",
        f"CC insertions at {listed(arrivals.expected)}",
        f"CC any at {listed(changes.expected)}",
    ]


def example_11() -> list[str]:
    said = []
    for bounds in ("(o,c)", "(o,c]"):
        held = [row for row in rows("RSP-QL Example 11") if row.dials == (f"bounds={bounds}",)]
        numbers = [number for row in held for (number,) in row.expected.values()]
        said.append(f"with `{bounds}` {numbers[0]}, {numbers[1]} and {numbers[2]}")
    return said


def definition_26() -> list[str]:
    case = the(EX10).case
    return [
        f"|Z| = {len(set(rspql_queries(case, Dials())))}",
        f"t_s = a+{t_s(case, Dials()) - case.registered}",
    ]


def theorem_1() -> list[str]:
    first, second = LIMIT
    assert content(second, 3, 4) == 0
    return [
        f"{window(first, 1, 4)} with {content(first, 1, 4)} elements",
        f"{window(second, 3, 4)} with none",
    ]


def figure_4() -> list[str]:
    closed = [window(FIG4, 1, t) for t in (4, 6, 8)]
    return [f"closed by 6: {closed[0]}; then {closed[1]}, {closed[2]}"]


def definition_15() -> list[str]:
    assert all(window(STAR, 0, t) == "undefined" for t in range(11))
    return [*(f"t={t} → {window(STAR, 0, t)}" for t in (11, 20, 21)), "t ≤ 10 undefined"]


def lars() -> list[str]:
    pushed, everywhere = rows("LARS Examples 4 to 8")
    ((at, (found,)),) = pushed.expected.items()
    instants = list(everywhere.expected)
    assert set(everywhere.expected.values()) == {frozenset({found})}
    person, what, price = found.replace('"', "").split()
    return [
        f"one answer at {at}: {person.strip(':')}, {what}, {price}",
        f"{instants[0]} to {instants[-1]}",
    ]


CLAIMS: dict[str, Callable[[], list[str]]] = {
    "RSP-QL Ex. 6": example_6,
    "RSP-QL Ex. 7": example_7,
    "RSP-QL Ex. 9–10": example_10,
    "RSP-QL Ex. 13": example_13,
    "RSP-QL Ex. 11": example_11,
    "RSP-QL Thm 1, Def. 26": definition_26,
    "Theorem 1's limit": theorem_1,
    "SECRET, CSRBench Fig. 4": figure_4,
    r"RSP-QL\* Def. 15": definition_15,
    "LARS Ex. 4–8": lars,
}
"""What each row of the table has to say; CSRBench's verdicts are in `tests/corpora`."""


def test_every_row_of_the_numbers_is_held() -> None:
    assert set(NUMBERS) - set(CLAIMS) == {"CSRBench Table 1, 2"}


@pytest.mark.parametrize("source", CLAIMS)
def test_the_numbers_are_those_of_the_papers_rows(source: str) -> None:
    for claim in CLAIMS[source]():
        assert claim in NUMBERS[source]


def test_the_table_of_laws_says_under_which_semantics_each_holds() -> None:
    for names, sets, bags in tables(LAWS_SECTION)[0][1:]:
        printed = "as printed" in names
        for law in LAWS:
            if law.name in re.findall(r"\w+", names):
                holds_on = law.printed_holds_on if printed else law.holds_on
                assert (SETS in holds_on, "bags" in holds_on) == (
                    sets == "holds",
                    bags == "holds",
                ), law.name
    named = set(re.findall(r"\b[A-Z]\w+\b", " ".join(r[0] for r in tables(LAWS_SECTION)[0][1:])))
    assert {law.name for law in LAWS} <= named
