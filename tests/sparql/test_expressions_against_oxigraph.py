"""Random expressions against pyoxigraph, where it follows the recommendation.

It does not in these points, each of which ``test_expressions`` pins to the recommendation:

- literals lose their lexical form and derived datatype on entry (RDF 1.1 Concepts 3.3: terms are
  compared by lexical form): ``STR(1.50)``, ``DATATYPE("1"^^xsd:byte)``, ``sameTerm(1, 01)``;
- ``<`` on booleans is an error (17.3: op:boolean-less-than), ``<=`` of a term with itself is true,
  also for NaN and IRIs, and a comparison with NaN is an error (F&O 4.3.2: false);
- the EBV of tagged strings and of ill-formed booleans and numbers is an error (17.2.2);
- numbers outside the range of a derived datatype are numbers (XSD 1.1 part 2, 3.4.13);
- casts of strings do not strip white space (F&O 17.1.1), xsd:string of a great or small double has
  no exponent (F&O 17.1.2), xsd:string takes every literal (17.5);
- ``0 / 0.5``, zero by a decimal with a fraction, is an error (F&O 4.2.4: zero);
- the digits of a quotient go astray when it becomes a double (F&O 17.1.3.2: the nearest one);
- integers overflow at 64 bits and decimals at 128, which F&O 4.2 permits;
- regular expressions are Rust's, replacements too (F&O 5.6.1, 5.6.4).

Beyond the recommendation, and permitted by 17.3.1, it orders language-tagged strings and dates.
"""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsp_conformance.sparql.values import literal_of, number_of
from tests.builders.sparql import rows
from tests.builders.terms import PREFIXES
from tests.oracles.plain_oxigraph import from_ox

pytestmark = pytest.mark.usefixtures("evaluator")


STORE = ox.Store()

NUMBERS = "0 1 2 3 -1 7 0.5 1.5 -2.5 0.1 1e0 2.5e0 -5e-1".split()
NUMBERS += ['"1.5"^^xsd:float', '"0.1"^^xsd:float']
# Without zero, which makes NaN of doubles.
DIVISORS = [number for number in NUMBERS if number != "0" and ("." not in number or "e" in number)]
STRINGS = ['""', '"a"', '"abc"', '"b"', '"1"', '"1.5"', '"true"', '"é𝄞"', '"a b"']
TAGGED = ['"a"@en', '"abc"@en', '"b"@fr']
DATES = [
    '"2011-01-10T14:45:13.815-05:00"^^xsd:dateTime',
    '"2011-01-10T14:45:13Z"^^xsd:dateTime',
    '"2011-01-10T23:45:13"^^xsd:dateTime',
    '"2012-03-01T00:00:00"^^xsd:dateTime',
]
OTHERS = ["true", "false", ":a", '"x"^^:t', '"y"^^:t', "?unbound", "(1/0)"]


def call(name: str, *arguments: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(*arguments).map(lambda parts: f"{name}({', '.join(parts)})")


def infix(
    names: str, left: st.SearchStrategy[str], right: st.SearchStrategy[str]
) -> st.SearchStrategy[str]:
    return st.tuples(left, st.sampled_from(names.split()), right).map(
        lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
    )


texts = st.sampled_from(STRINGS + TAGGED)
small = st.sampled_from("0 1 2 3 -1".split())
leaves = st.sampled_from(NUMBERS + STRINGS + TAGGED + DATES + OTHERS)
numbers = st.recursive(
    st.sampled_from(NUMBERS),
    lambda inner: st.one_of(
        infix("+ - *", inner, inner),
        *(
            call(name, inner)
            for name in ("ABS", "ROUND", "CEIL", "FLOOR", "xsd:double", "xsd:float")
        ),
        inner.map(lambda e: f"(- {e})"),
    ),
    max_leaves=4,
)
quotients = infix("/", st.sampled_from(NUMBERS), st.sampled_from(DIVISORS))
tests = st.one_of(
    infix("= !=", leaves, leaves),
    infix("< > <= >=", numbers, numbers),
    infix("< >", st.sampled_from(STRINGS), st.sampled_from(STRINGS)),
    infix("< >", st.sampled_from(DATES), st.sampled_from(DATES)),
    *(call(name, leaves) for name in ("ISIRI", "ISBLANK", "ISLITERAL", "ISNUMERIC")),
    *(call(name, texts, texts) for name in ("STRSTARTS", "STRENDS", "CONTAINS", "LANGMATCHES")),
    call("BOUND", st.just("?unbound")),
    call("xsd:boolean", st.sampled_from(NUMBERS + STRINGS + OTHERS)),
    st.tuples(leaves, st.sampled_from(["IN", "NOT IN"]), leaves, leaves).map(
        lambda p: f"({p[0]} {p[1]} ({p[2]}, {p[3]}))"
    ),
)
logic = st.recursive(
    tests,
    lambda inner: st.one_of(infix("&& ||", inner, inner), inner.map(lambda e: f"(! {e})")),
    max_leaves=4,
)
functions = st.one_of(
    *(call(name, texts) for name in ("STRLEN", "UCASE", "LCASE", "ENCODE_FOR_URI", "STR", "LANG")),
    *(call(name, texts, texts) for name in ("STRBEFORE", "STRAFTER", "CONCAT")),
    call("STRLANG", texts, st.sampled_from(['"en"', '"en-GB"', '"e n"', '""', '"e"'])),
    call("SUBSTR", texts, small),
    call("SUBSTR", texts, small, small),
    call("DATATYPE", leaves),
    *(call(name, leaves) for name in ("xsd:dateTime", "MD5", "SHA1", "SHA256", "SHA384", "SHA512")),
    *(
        call(name, st.sampled_from(DATES))
        for name in "YEAR MONTH DAY HOURS MINUTES SECONDS TIMEZONE TZ".split()
    ),
    *(
        call(name, st.sampled_from(STRINGS))
        for name in ("xsd:integer", "xsd:decimal", "xsd:double")
    ),
    call("IF", logic, leaves, leaves),
    call("COALESCE", leaves, leaves),
)


@settings(max_examples=800, deadline=None)
@given(st.one_of(numbers, quotients, logic, functions))
def test_expressions_agree_with_pyoxigraph(expression):
    [solution] = STORE.query(f"{PREFIXES} SELECT ({expression} AS ?r) {{}}")
    expected = None if solution["r"] is None else from_ox(solution["r"])
    [(found,)] = rows(f"SELECT ({expression} AS ?r) {{}}")
    number = number_of(found)
    assert (found if number is None else literal_of(number)) == expected
