"""Layouts: different texts for the same algebra, by the choices that SPARQL's syntax allows.

An engine may parse ``?s :p ?o ; :q ?x`` but not ``?s :p ?o . ?s :q ?x``, or lose strings that are
written with ``'…'`` but not those with ``"…"``. So the layout of a query is varied in tests,
independently of its algebra.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

QUOTES = ('"', "'", '"""', "'''")
"""The ways to quote a string."""


@dataclass(frozen=True, slots=True)
class Layout:
    r"""The choices for a query's text; the defaults are how queries are normally printed.

    Attributes:
        lists: 0 writes each triple in full; 1 joins triples with one subject by ``;``; 2 also
            joins triples with one subject and predicate by ``,``.
        anonymous: writes ``[]`` and ``[ :p ?o ]`` for blank nodes whose label is not needed.
        collections: writes ``( ?x )`` for lists, and ``()`` for rdf:nil.
        semicolons: writes ``;;`` for ``;``, and one at the end as well.
        relative: writes BASE, and IRIs relative to it.
        prologue: writes the declarations of BASE and PREFIX in reverse order, BASE last.
        names: writes ``:a\/b``, ``:a.b`` and ``:é`` for IRIs that would be written in full.
        quotes: the index in ``QUOTES`` of the quotes that strings get.
        escapes: writes letters in strings as ``\uXXXX``.
        dollar: writes ``$x``.
        brackets: writes brackets around operands of expressions and paths.
        signs: writes ``?x -1`` for ``?x - 1``.
        dots: 1 leaves out the dot before a closing brace; 2 writes a dot after other patterns too.
        lower: writes keywords in lower case.
        where: leaves out WHERE, and writes CONSTRUCT WHERE, wherever the syntax allows it.
        modifiers: writes ASC(…), and OFFSET before LIMIT.
        comments: writes a comment at the end of each line.
    """

    lists: int = 0
    anonymous: bool = False
    collections: bool = False
    semicolons: bool = False
    relative: bool = False
    prologue: bool = False
    names: bool = False
    quotes: int = 0
    escapes: bool = False
    dollar: bool = False
    brackets: bool = False
    signs: bool = False
    dots: int = 0
    lower: bool = False
    where: bool = False
    modifiers: bool = False
    comments: bool = False

    def __post_init__(self) -> None:
        for name, most in CHOICES.items():
            value = getattr(self, name)
            if type(value) is not type(DEFAULTS[name]) or not 0 <= int(value) <= most:
                wanted = f"a number from 0 to {most}" if most > 1 else "true or false"
                raise ValueError(f"layout: {name} is {value!r}, expected {wanted}")


DEFAULTS: dict[str, int | bool] = {f.name: f.default for f in fields(Layout)}  # type: ignore[misc]
"""The default of each choice."""
CHOICES: dict[str, int] = {
    name: {"lists": 2, "quotes": len(QUOTES) - 1, "dots": 2}.get(name, 1) for name in DEFAULTS
}
"""The greatest value of each choice; the smallest is 0."""
PLAIN = Layout()
"""The layout in which queries are normally printed."""


def chosen(layout: Layout) -> dict[str, int | bool]:
    """The choices of a layout that differ from the defaults; JSON contains only these."""
    values = {name: getattr(layout, name) for name in DEFAULTS}
    return {name: value for name, value in values.items() if value != DEFAULTS[name]}
