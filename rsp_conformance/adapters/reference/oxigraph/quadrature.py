"""Probabilities of independent normal and uniform distributions, by Gauss-Legendre quadrature.

The definitions' evaluator has closed forms and adaptive quadrature of its own, over the density of
the sum. Here every uniform part is integrated over by itself, with a fixed rule between the points
where the integrand bends: what the two share is arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

MOST_UNIFORM_PARTS = 3
"""The most uniform distributions in one comparison; each more takes a hundred times as long."""

_NODES = 24
"""The nodes of the Gauss-Legendre rule on each piece. The result must agree with that of the two
implementations within their bound of 1e-9; the number is not tuned beyond that."""
_STEPS = (0.0, 1.0, 2.0, 3.5, 5.0, 7.0, 9.0)
"""Where the pieces of a normal distribution end, in deviations from its mean."""

_Array: TypeAlias = Any  # numpy is imported when it is needed, and has to say nothing before
_Function: TypeAlias = Callable[[_Array], _Array]


@dataclass(frozen=True, slots=True)
class Shape:
    """N(mean, deviation²) + U(a, b) for each of ``uniforms``; ``deviation`` 0 is no normal part.

    Without a normal part the mean is 0, and there is a uniform one.
    """

    mean: float
    deviation: float
    uniforms: tuple[tuple[float, float], ...]

    def mirrored(self) -> Shape:
        """Return the distribution of minus the value."""
        return Shape(-self.mean, self.deviation, tuple((-b, -a) for a, b in self.uniforms))

    def _rest(self) -> Shape:
        """Without the first uniform part."""
        return Shape(self.mean, self.deviation, self.uniforms[1:])

    def _steps(self) -> set[float]:
        """Where the distribution's functions bend or turn flat."""
        places = {self.mean}
        for uniform in self.uniforms:
            places = {place + end for place in places for end in uniform}
        steps = [step * self.deviation for step in _STEPS]
        return {place + sign * step for place in places for step in steps for sign in (-1, 1)}


@lru_cache(maxsize=1 << 14)
def negative(shape: Shape) -> float:
    """Return the probability of a value below 0."""
    import numpy as np

    with np.errstate(over="ignore"):
        return float(_below(shape, np.zeros(1))[0])


@lru_cache(maxsize=1 << 14)
def between(value: Shape, low: Shape | float, high: Shape | float) -> float:
    """Return the probability that `low` < `value` < `high`.

    Args:
        value: the distribution between the bounds.
        low: the lower bound: a distribution or a number.
        high: the upper bound: a distribution or a number.
    """
    import numpy as np

    places: set[float] = set()
    for bound in (low, high):
        places |= {bound} if isinstance(bound, float) else bound._steps()

    def inside(at: _Array) -> _Array:
        above = at > low if isinstance(low, float) else _below(low, at)
        return above * ((at < high) if isinstance(high, float) else _below(high.mirrored(), -at))

    with np.errstate(over="ignore"):
        return float(_mean(value, inside, places))


def _below(shape: Shape, at: _Array) -> _Array:
    """Return the probability of a value of at most `at`, for each of `at`."""
    import numpy as np

    if not shape.uniforms:
        scale = -1 / (shape.deviation * math.sqrt(2))
        return np.array([math.erfc((x - shape.mean) * scale) / 2 for x in at.tolist()])
    (a, b), rest = shape.uniforms[0], shape._rest()
    if not rest.uniforms and not rest.deviation:
        return np.clip((at - a) / (b - a), 0.0, 1.0)
    steps = rest._steps()

    def one(x: float) -> float:
        found = _integral(lambda u: _below(rest, x - u), a, b, [x - step for step in steps])
        return found / (b - a)

    return np.array([one(float(x)) for x in at])


def _mean(shape: Shape, function: _Function, places: set[float], shift: float = 0.0) -> float:
    """Return the mean of a function at `shift` plus a value of `shape`; it bends at `places`."""
    import numpy as np

    if shape.uniforms:
        (a, b), rest = shape.uniforms[0], shape._rest()
        if not rest.uniforms and not rest.deviation:
            edges = [place - shift for place in places]
            return _integral(lambda u: function(shift + u), a, b, edges) / (b - a)
        steps = rest._steps()
        edges = [place - shift - step for place in places for step in steps]

        def shifted(offsets: _Array) -> _Array:
            return np.array([_mean(rest, function, places, shift + float(u)) for u in offsets])

        return _integral(shifted, a, b, edges) / (b - a)
    mean, deviation = shape.mean + shift, shape.deviation
    ends = sorted(sign * step * deviation for step in _STEPS for sign in (-1, 1))

    # Over the distance from the mean, of which a double has all digits also where the mean is far.
    def weighted(away: _Array) -> _Array:
        weight = np.exp(-((away / deviation) ** 2) / 2) / (deviation * np.sqrt(2 * np.pi))
        return weight * function(mean + away)

    return _integral(weighted, ends[0], ends[-1], [*(place - mean for place in places), *ends])


def _integral(function: _Function, start: float, end: float, places: Iterable[float]) -> float:
    """Return the integral of `function`, by one rule on each piece between `places`."""
    import numpy as np

    nodes, weights = _rule()
    edges = np.array(sorted({start, end, *(place for place in places if start < place < end)}))
    halves = np.diff(edges) / 2
    centres = (edges[1:] + edges[:-1]) / 2
    at = (centres[:, None] + halves[:, None] * nodes).ravel()
    return float(np.dot(function(at), (halves[:, None] * weights).ravel()))


@lru_cache(maxsize=1)
def _rule() -> tuple[_Array, _Array]:
    import numpy as np

    return np.polynomial.legendre.leggauss(_NODES)
