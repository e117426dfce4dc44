"""Probabilities of comparisons between independent distributions (*Uncertainty*, Definitions 5-7).

- Normal against normal or a number: the error function, exact to a double's last digits.
- Uniform distributions among themselves and against numbers: splines, computed in fractions.
- A normal and one uniform distribution: the integral of the normal distribution function, which is
  known (z·F(z) + f(z)).
- Everything else: adaptive quadrature over pieces without kinks, refused by name if its estimated
  error exceeds `PRECISION`.

Over 9,000 random calls, with scales up to 15 orders of magnitude apart, the greatest difference to
the reference engine's functions, which share no code with these, is 5e-15, and 47 probabilities
that are known to 20 digits come out to 1e-14 (``tests/sparql/uncertainty``). All but one kind of
comparison take milliseconds: `between` of a sum of a normal and several uniform distributions takes
seconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise, product

from rsp_conformance.model.errors import Unsupported
from rsp_conformance.sparql.uncertainty.distributions import Distribution, Operand

PRECISION = 1e-10
"""The greatest estimated error of a probability, absolute; the documented bound is 1e-9."""

MOST_UNIFORM_PARTS = 6
"""The most uniform distributions that may take part in one comparison."""

_REACH = 9.0
"""A normal part is integrated up to this number of standard deviations from its mean; the rest has
a probability of about 1e-18."""

_STEPS = (0.0, 1.5, 4.0, _REACH)
"""Quadrature is split at these distances from the centre of a normal part, in deviations."""
_NARROW = 0.01
"""A uniform part narrower than this number of standard deviations is integrated numerically; in the
closed form, differences would cancel."""

_NODES = 10
"""The number of nodes of the rule of quadrature that checks the rule with twice as many."""

_NEWTON = 8
"""Steps of Newton's method from a start with three right digits; five suffice for a double."""


@lru_cache(maxsize=1 << 14)
def probability_less(left: Distribution, right: Operand) -> float:
    """P(left < right); the operands are independent."""
    if isinstance(right, float):
        return 1.0 if right > 0 else 0.0
    difference = left - right if isinstance(right, Distribution) else left.shifted(-right)
    _check(difference)
    return _probability(below(difference, Fraction(0)))


def probability_greater(left: Distribution, right: Operand) -> float:
    """P(left > right), not computed as 1 - P(left < right), which loses small probabilities."""
    if isinstance(right, Distribution):
        return probability_less(right, left)
    return probability_less(_mirrored(left), -right)


@lru_cache(maxsize=1 << 14)
def probability_between(value: Distribution, low: Operand, high: Operand) -> float:
    """P(low < value < high); all three are independent.

    Args:
        value: the distribution between the bounds.
        low: the lower bound: a number or a distribution; a float is an infinity.
        high: the upper bound, likewise.
    """
    if isinstance(low, float):
        return probability_less(value, high) if low < 0 else 0.0
    if isinstance(high, float):
        return probability_greater(value, low) if high > 0 else 0.0
    for part in (value, low, high):
        if isinstance(part, Distribution):
            _check(part)
    if isinstance(low, Fraction) and isinstance(high, Fraction):
        return _probability(_within(value, low, high))
    return _probability(_between_distributions(value, low, high))


def below(distribution: Distribution, limit: Fraction) -> float:
    """P(value <= limit)."""
    at = limit - distribution.mean
    if not distribution.widths:
        return _normal_below(float(at) / _deviation(distribution))
    if not distribution.variance:
        return float(_spline(distribution.widths, at, len(distribution.widths)))
    if at > 0:
        return 1.0 - _mixed_below(distribution, -float(at))
    return _mixed_below(distribution, float(at))


def density(distribution: Distribution, at: float) -> float:
    """The density at a point, given by its distance from the mean."""
    count = len(distribution.widths)
    if not distribution.variance:
        return float(_spline(distribution.widths, Fraction(at), count - 1))
    sigma = _deviation(distribution)
    if not count:
        return _normal_density(at / sigma) / sigma
    if count == 1 and distribution.widths[0] >= _NARROW * sigma:
        half = float(distribution.widths[0]) / 2
        at = -abs(at)
        rise = _normal_below((at + half) / sigma) - _normal_below((at - half) / sigma)
        return rise / (2 * half)
    return _over_uniform(distribution, at, lambda z: _normal_density(z) / sigma)


def _within(value: Distribution, low: Fraction, high: Fraction) -> float:
    """P(low < value < high) for numbers, computed in the tail in which rounding loses least."""
    if low >= high:
        return 0.0
    if low > value.mean:
        value, low, high = _mirrored(value), -high, -low
    if not value.variance:
        count = len(value.widths)
        near, far = (_spline(value.widths, x - value.mean, count) for x in (low, high))
        return float(far - near)
    return below(value, high) - below(value, low)


def _between_distributions(value: Distribution, low: Operand, high: Operand) -> float:
    """The integral of P(low < x) P(x < high) over the density of `value`, shifted to mean 0."""
    places = [*_places(value, Fraction(0))]
    start, end = min(places), max(places)

    def side(bound: Operand, sign: int) -> Callable[[float], float]:
        nonlocal start, end
        if not isinstance(bound, Distribution):
            number = float(Fraction(bound) - value.mean)
            start, end = (max(start, number), end) if sign > 0 else (start, min(end, number))
            return lambda x: 1.0
        centred = bound.shifted(-value.mean)
        places.extend(_places(centred, centred.mean))
        if sign > 0:
            return lambda x: below(centred, Fraction(x))
        mirrored = _mirrored(centred)
        return lambda x: below(mirrored, Fraction(-x))

    above_low, below_high = side(low, 1), side(high, -1)
    if start >= end:
        return 0.0
    return _integral(lambda x: density(value, x) * above_low(x) * below_high(x), start, end, places)


def _mirrored(distribution: Distribution) -> Distribution:
    return Distribution(-distribution.mean, distribution.variance, distribution.widths)


def _deviation(distribution: Distribution) -> float:
    """The standard deviation of the normal part."""
    return math.sqrt(distribution.variance)


def _normal_below(z: float) -> float:
    return math.erfc(-z / math.sqrt(2)) / 2


def _normal_density(z: float) -> float:
    return math.exp(-z * z / 2) / math.sqrt(2 * math.pi)


def _mixed_below(distribution: Distribution, at: float) -> float:
    """P(value - mean <= at) for a normal part and uniform parts; `at` must not be positive."""
    sigma, widths = _deviation(distribution), distribution.widths
    if len(widths) > 1 or widths[0] < _NARROW * sigma:
        return _over_uniform(distribution, at, _normal_below)
    half = float(widths[0]) / 2

    def area(x: float) -> float:
        """The integral of the normal distribution function up to `x`."""
        return x * _normal_below(x / sigma) + sigma * _normal_density(x / sigma)

    return (area(at + half) - area(at - half)) / (2 * half)


def _over_uniform(
    distribution: Distribution, at: float, normal_part: Callable[[float], float]
) -> float:
    """The mean of normal_part((at - u) / deviation) over the sum u of the uniform parts."""
    sigma, widths = _deviation(distribution), distribution.widths
    order = len(widths) - 1
    reach = float(sum(widths)) / 2
    steps = [at + sign * step * sigma for step in _STEPS for sign in (1, -1)]
    return _integral(
        lambda u: float(_spline(widths, Fraction(u), order)) * normal_part((at - u) / sigma),
        -reach,
        reach,
        [*map(float, _knots(widths)), *steps],
    )


def _knots(widths: tuple[Fraction, ...]) -> set[Fraction]:
    """The points between the pieces of the spline of the sum of the uniform parts."""
    return {
        sum((sign * width / 2 for sign, width in zip(signs, widths, strict=True)), Fraction(0))
        for signs in product((1, -1), repeat=len(widths))
    }


def _spline(widths: tuple[Fraction, ...], at: Fraction, power: int) -> Fraction:
    """The distribution function or the density of a sum of uniform parts around 0.

    It is computed from the truncated powers of the Irwin-Hall distribution, for unequal widths.
    `power` is the number of parts for the distribution function, one less for the density.
    """
    if power and 2 * abs(at) >= sum(widths):
        return Fraction(at > 0 and power == len(widths))
    if not power:
        return 1 / widths[0] if 2 * abs(at) <= widths[0] else Fraction(0)
    total = Fraction(0)
    for signs in product((1, -1), repeat=len(widths)):
        height = at + sum(
            (sign * width / 2 for sign, width in zip(signs, widths, strict=True)), Fraction(0)
        )
        if height > 0:
            total += math.prod(signs) * height**power
    return total / (math.factorial(power) * math.prod(widths))


def _places(distribution: Distribution, mean: Fraction) -> Iterable[float]:
    """Yield the points at which a function of the distribution bends or turns flat.

    The mean of the distribution is shifted to `mean`.
    """
    sigma = _deviation(distribution)
    steps = _STEPS if sigma else (0.0,)
    for knot in _knots(distribution.widths):
        for step in steps:
            yield float(mean + knot) + step * sigma
            yield float(mean + knot) - step * sigma


def _integral(
    function: Callable[[float], float], start: float, end: float, places: Iterable[float]
) -> float:
    """The integral of a function from `start` to `end`, piece by piece between `places`.

    A piece is halved if two rules differ on it.
    """
    edges = sorted({start, end, *(place for place in places if start < place < end)})
    pieces, halvings = list(pairwise(edges)), 100 * len(edges)
    allowed = PRECISION / (10 * len(edges))
    total, error = [], 0.0
    while pieces:
        low, high = pieces.pop()
        found = _quadrature(function, low, high, 2 * _NODES)
        doubt = abs(found - _quadrature(function, low, high, _NODES))
        if halvings and doubt > max(allowed, 1e-13 * abs(found)):
            middle = (low + high) / 2
            pieces += [(low, middle), (middle, high)]
            halvings -= 1
        else:
            total.append(found)
            error += doubt
    if not error <= PRECISION:
        raise Unsupported(f"a probability whose error may reach {error:.1e}")
    return math.fsum(total)


def _quadrature(function: Callable[[float], float], low: float, high: float, count: int) -> float:
    """The integral of a function by the Gauss-Legendre rule of `count` nodes."""
    centre, half = (low + high) / 2, (high - low) / 2
    return half * math.fsum(weight * function(centre + half * x) for x, weight in _rule(count))


@cache
def _rule(count: int) -> tuple[tuple[float, float], ...]:
    """The roots of the Legendre polynomial of degree `count`, by Newton's method, with weights."""
    rule = []
    for number in range(count):
        x = math.cos(math.pi * (number + 0.75) / (count + 0.5))
        for _ in range(_NEWTON):
            before, value = 1.0, x
            for n in range(2, count + 1):
                before, value = value, ((2 * n - 1) * x * value - (n - 1) * before) / n
            slope = count * (x * value - before) / (x * x - 1)
            x -= value / slope
        rule.append((x, 2 / ((1 - x * x) * slope**2)))
    return tuple(rule)


def _check(distribution: Distribution) -> None:
    count = len(distribution.widths)
    if count > MOST_UNIFORM_PARTS:
        raise Unsupported(f"a comparison of {count} uniform distributions")


def _probability(number: float) -> float:
    """A number cut to the range from 0 to 1, which rounding may have left."""
    return min(1.0, max(0.0, number))
