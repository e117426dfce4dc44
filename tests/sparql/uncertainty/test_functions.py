"""The uncertainty functions against known numbers, and both ways against each other."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from rsp_conformance.model.terms import Literal
from rsp_conformance.sparql.uncertainty import probabilities
from tests.builders.uncertainty import WAYS, Way, distribution, probability, refusal, value

pytestmark = pytest.mark.parametrize("way", WAYS)

KNOWN = {
    # Normal against a number: values of the normal distribution function, to 21 digits.
    "lessThan(N(0,1)!, 0)": "0.5",
    "lessThan(N(0,1)!, 1)": "0.841344746068542948585",
    "lessThanOrEqual(N(0,1)!, 1)": "0.841344746068542948585",
    "greaterThan(N(0,1)!, -1)": "0.841344746068542948585",
    "greaterThanOrEqual(N(0,1)!, 1)": "0.158655253931457051415",
    "lessThan(N(0,4)!, 2)": "0.841344746068542948585",  # the second parameter is the variance
    "lessThan(N(10,0.25)!, 9.5)": "0.158655253931457051415",
    "lessThan(N(0,1)!, -10)": "7.61985302416052606597e-24",
    "greaterThan(N(0,1)!, 10)": "7.61985302416052606597e-24",
    # Two normal ones: their difference is normal, the variances add up.
    "lessThan(N(0,1)!, N(0,1)!)": "0.5",  # independent, also where they are written alike
    "lessThan(N(0,1)!, N(1,2)!)": "0.718148569174613485635",
    "greaterThan(N(1,2)!, N(0,1)!)": "0.718148569174613485635",
    "lessThan(N(20.5,2.25)!, N(21,4)!)": "0.579259709439103023042",
    "lessThan(add(N(0,1)!, N(0,1)!), N(1,1)!)": "0.718148569174613485635",
    "lessThan(subtract(N(0,1)!, N(1,2)!), 0)": "0.718148569174613485635",
    # Uniform ones: areas, by hand.
    "lessThan(U(0,4)!, 1)": "0.25",
    "lessThan(U(0,4)!, 5)": "1",
    "greaterThan(U(0,4)!, -1)": "1",
    "lessThan(U(0,1)!, U(0,1)!)": "0.5",
    "lessThan(U(0,1)!, U(0,2)!)": "0.75",
    "lessThan(U(0,1)!, U(0.5,2)!)": str(Fraction(11, 12)),
    "lessThan(add(U(0,1)!, U(0,1)!), 0.5)": "0.125",
    "lessThan(add(add(U(0,1)!, U(0,1)!), U(0,1)!), 1)": str(Fraction(1, 6)),
    "lessThan(subtract(U(0,1)!, U(0,1)!), 0.5)": "0.875",
    # A normal one and a uniform one: integrals, by quadrature with 40 digits.
    "lessThan(N(0,1)!, U(0,1)!)": "0.684373190186253620443",
    "lessThan(N(2,0.25)!, U(1,4)!)": "0.665252740440267128020",
    "lessThan(U(1,4)!, N(2,0.25)!)": "0.334747259559732871981",
    "lessThan(N(0,0.000001)!, U(-1,2)!)": str(Fraction(2, 3)),
    "lessThan(N(0,1e6)!, U(0.5,0.75)!)": "0.500249338908368573439",
    "lessThan(add(N(0,1)!, U(0,1)!), 0.75)": "0.594822219648573117435",
    "greaterThan(add(N(0,1)!, U(0,1)!), U(0,3)!)": "0.236515820837032706435",
    # Between numbers, and between distributions.
    "between(N(0,1)!, 1, 2)": "0.135905121983277844215",
    "between(N(0,1)!, 9, 10)": "1.12851220742359904248e-19",
    "between(N(0,1)!, 2, 1)": "0",
    "between(U(0,4)!, 1, 2)": "0.25",
    "between(U(0,4)!, -1, 9)": "1",
    "between(U(0,1)!, U(0,1)!, U(0,1)!)": str(Fraction(1, 6)),  # one of six orders
    "between(N(0,1)!, N(0,1)!, N(0,1)!)": str(Fraction(1, 6)),
    "between(N(0,1)!, N(-1,1)!, N(1,1)!)": "0.536151634126080859283",
    "between(N(0,1)!, 0, N(1,1)!)": "0.288989984803686181343",
    "between(N(0,1)!, U(-1,1)!, N(1,1)!)": "0.302901004726433660850",
    "between(U(0,2)!, N(0,1)!, 1.5)": "0.565182256680585975334",
    "between(N(3,0.01)!, U(2,4)!, U(2.9,5)!)": "0.472203572733463319209",
    "between(add(N(0,1)!, U(0,1)!), U(-1,1)!, N(1,1)!)": "0.334575930747471704976",
    # Infinite bounds.
    'lessThan(N(0,1)!, "INF"^^xsd:double)': "1",
    'greaterThan(N(0,1)!, "INF"^^xsd:double)': "0",
    'between(N(0,1)!, "-INF"^^xsd:double, 1)': "0.841344746068542948585",
}
"""Calls with their values. Digits were computed apart from the kit, with 40 digits."""


@pytest.mark.parametrize("call", KNOWN)
def test_known_probabilities(call: str, way: Way) -> None:
    known = Fraction(KNOWN[call])
    found = Fraction(probability(_named(call), way))
    assert abs(found - known) <= Fraction(1, 10**14)
    if known and "between" not in call:
        # Small probabilities are not lost in a difference from 1.
        assert abs(found - known) <= known / 10**12


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("add(N(1,2)!, N(3,4)!)", "N(4,6)"),
        ("subtract(N(1,2)!, N(3,4)!)", "N(-2,6)"),
        ("add(N(1,2)!, 5)", "N(6,2)"),
        ("subtract(N(1,2)!, 0.5)", "N(0.5,2)"),
        ("add(U(1,2)!, 5)", "U(6,7)"),
        ("subtract(U(1,2)!, 5)", "U(-4,-3)"),
        ("add(N(0.1,1)!, N(0.2,1)!)", "N(0.3,2)"),  # exact, as decimals are
        ("add(N(0,1)!, 0.1e0)", "N(0.1,1)"),  # a double counts as it is written
        ("add(N(1e3,2.50)!, 0)", "N(1000,2.5)"),
        ("add(N( 1 , 2 )!, 0)", "N(1,2)"),
        ('add("Normal(1,2)"^^rspu:distribution, 0)', "N(1,2)"),
        ("add(add(N(1,2)!, N(3,4)!), -0.25)", "N(3.75,6)"),
        ("subtract(N(0,1)!, N(0,1)!)", "N(0,2)"),  # independent: not 0
    ],
)
def test_sums_that_have_a_literal(call: str, expected: str, way: Way) -> None:
    assert value(_named(call), way) == distribution(expected)


@pytest.mark.parametrize(
    "call",
    [
        "add(5, N(0,1)!)",
        "subtract(5, U(0,1)!)",
        "add(1, 2)",
        "lessThan(5, N(0,1)!)",
        "lessThan(1, 2)",
        "between(1, N(0,1)!, 2)",
        "lessThan(N(0,0)!, 1)",
        "lessThan(N(0,-1)!, 1)",
        "lessThan(U(2,2)!, 1)",
        "lessThan(U(3,2)!, 1)",
        'lessThan("N(0,1)", 1)',
        'lessThan("E(1)"^^rspu:distribution, 1)',
        'lessThan("N(0)"^^rspu:distribution, 1)',
        'lessThan("N(0,1,2)"^^rspu:distribution, 1)',
        'lessThan("n(0,1)"^^rspu:distribution, 1)',
        'lessThan("N(0,1) "^^rspu:distribution, 1)',
        'lessThan("N(INF,1)"^^rspu:distribution, 1)',
        'lessThan("N(0,1e400)"^^rspu:distribution, 1)',
        'lessThan("N(1_0,1)"^^rspu:distribution, 1)',
        'lessThan(N(0,1)!, "1")',
        "lessThan(N(0,1)!, :a)",
        'lessThan(N(0,1)!, "NaN"^^xsd:double)',
        'lessThan(N(0,1)!, "x"^^xsd:integer)',
        'lessThan(N(0,1)!, "300"^^xsd:byte)',
        'add(N(0,1)!, "INF"^^xsd:double)',
        "lessThan(N(0,1)!, ?unbound)",
        "lessThan(add(5, N(0,1)!), 1)",
        "lessThan(add(N(0,1)!, N(0,0)!), 1)",
        "between(N(0,1)!, 0, N(0,0)!)",
    ],
)
def test_everything_else_is_an_error(call: str, way: Way) -> None:
    assert value(_named(call), way) is None


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("add(N(0,1)!, U(0,1)!)", "neither normal nor uniform, as a result"),
        ("add(U(0,1)!, U(0,1)!)", "neither normal nor uniform, as a result"),
        ("subtract(U(0,1)!, N(0,1)!)", "neither normal nor uniform, as a result"),
        ("add(N(0,1)!)", "rspu:add with 1 arguments"),
        ("lessThan(N(0,1)!, 1, 2)", "rspu:lessThan with 3 arguments"),
        ("equal(N(0,1)!, 1)", "extension function"),
    ],
)
def test_what_has_no_literal_or_no_definition_is_refused_by_name(
    call: str, why: str, way: Way
) -> None:
    assert why in refusal(_named(call), way)


def test_a_refused_sum_is_refused_also_where_its_error_would_be_caught(way: Way) -> None:
    assert "as a result" in refusal("COALESCE(rspu:add(N(0,1)!, U(0,1)!), 5)", way)
    # The next query is another one.
    assert value("COALESCE(rspu:add(5, U(0,1)!), 5)", way) == Literal(
        "5", "http://www.w3.org/2001/XMLSchema#integer"
    )


def test_too_many_uniform_distributions_are_refused(way: Way) -> None:
    sums = "U(0,1)!"
    for _ in range(probabilities.MOST_UNIFORM_PARTS):
        sums = f"rspu:add({sums}, U(0,1)!)"
    assert "7 uniform distributions" in refusal(f"rspu:lessThan({sums}, 3)", way)


def test_probabilities_add_up(way: Way) -> None:
    """P(x < y) + P(x > y) = 1, and between two numbers lies what is below one and not the other."""
    random = Random(7)
    for _ in range(30):
        x, y = _some_distribution(random), _some_distribution(random)
        less, greater = (
            probability(f"rspu:{name}({x}, {y})", way) for name in ("lessThan", "greaterThan")
        )
        assert less + greater == pytest.approx(1, abs=1e-12)
        assert less == pytest.approx(probability(f"rspu:greaterThan({y}, {x})", way), abs=1e-12)
        low, high = sorted(random.sample(range(-5, 6), 2))
        inside = probability(f"rspu:between({x}, {low}, {high})", way)
        ends = [probability(f"rspu:lessThan({x}, {end})", way) for end in (low, high)]
        assert inside == pytest.approx(ends[1] - ends[0], abs=1e-12)
        spread = probability(f"rspu:between({x}, {low}, {y})", way)
        assert 0 <= spread <= probability(f"rspu:greaterThan({x}, {low})", way) + 1e-12


def test_monte_carlo_is_near(way: Way) -> None:
    """Drawn values, as a check of the reading itself: twenty thousand, five deviations."""
    random = Random(11)
    draw = {"N(1,4)!": lambda: random.gauss(1, 2), "U(-1,2)!": lambda: random.uniform(-1, 2)}
    for x, of_x in draw.items():
        for y, of_y in draw.items():
            inside = [of_y() - 1 < of_x() < of_y() + 0.5 for _ in range(20_000)]
            call = f"rspu:between({x}, rspu:subtract({y}, 1), rspu:add({y}, 0.5))"
            assert sum(inside) / 20_000 == pytest.approx(probability(call, way), abs=0.018)


def _named(call: str) -> str:
    for name in ("add", "subtract", "lessThan", "greaterThan", "between", "equal"):
        call = call.replace(f"{name}(", f"rspu:{name}(")
    for name in ("lessThanOrEqual", "greaterThanOrEqual"):
        call = call.replace(f"{name}(", f"rspu:{name}(")
    return call


def _some_distribution(random: Random) -> str:
    a, b = sorted(random.sample(range(-50, 51), 2))
    if random.random() < 0.5:
        return f"U({a / 10},{b / 10})!"
    return f"N({a / 10},{random.choice((0.01, 0.5, 1, 3, 40))})!"
