"""How a query is written where SPARQL lets one choose: the same algebra in another text.

An engine may parse ``?s :p ?o ; :q ?x`` and not ``?s :p ?o . ?s :q ?x``, or lose what stands in
``'…'`` and not what stands in ``"…"``. So the text is a dimension of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

QUOTES = ('"', "'", '"""', "'''")
"""How strings are quoted."""


@dataclass(frozen=True, slots=True)
class Layout:
    r"""Choices of a text; the defaults are how queries are printed.

    Attributes:
        lists: 0 writes each triple in full; 1 joins those of one subject by ``;``; 2 those of one
            subject and property by ``,`` too.
        anonymous: writes ``[]`` and ``[ :p ?o ]`` for blank nodes whose label is not needed.
        collections: writes ``( ?x )`` for lists, and ``()`` for rdf:nil.
        semicolons: writes ``;;`` for ``;``, and one at the end as well.
        relative: writes BASE, and IRIs relative to it.
        prologue: writes what BASE and PREFIX declare the other way round, BASE last.
        names: writes ``:a\/b``, ``:a.b`` and ``:é`` for IRIs that would be written in full.
        quotes: which of QUOTES strings have.
        escapes: writes letters in strings as ``\uXXXX``.
        dollar: writes ``$x``.
        brackets: writes brackets around operands of expressions and paths.
        signs: writes ``?x -1`` for ``?x - 1``.
        dots: 1 leaves out the dot before a closing brace; 2 writes one behind other patterns too.
        lower: writes keywords in lower case.
        where: leaves out WHERE where it may be, and writes CONSTRUCT WHERE where it can.
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
CHOICES: dict[str, int] = {
    name: {"lists": 2, "quotes": len(QUOTES) - 1, "dots": 2}.get(name, 1) for name in DEFAULTS
}
"""The greatest value of each choice; the least is 0."""
PLAIN = Layout()


def chosen(layout: Layout) -> dict[str, int | bool]:
    """The choices of LAYOUT that are not the default's: what JSON keeps of it."""
    values = {name: getattr(layout, name) for name in DEFAULTS}
    return {name: value for name, value in values.items() if value != DEFAULTS[name]}
