"""Functions on strings (SPARQL 1.1, 17.4.3, and LANG's relatives of 17.4.2).

Every function takes terms and returns a term, or None for a type error.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from urllib.parse import quote

from rsp_conformance.model.terms import XSD_STRING, Literal, Term
from rsp_conformance.sparql.comparison import is_simple
from rsp_conformance.sparql.regex import Pattern, compile_pattern, compile_replacement
from rsp_conformance.sparql.values import boolean, literal_of, string, value_of


def _is_string(term: Term) -> bool:
    """A "string literal" of 17.4.3: simple or language-tagged."""
    return isinstance(term, Literal) and (term.datatype == XSD_STRING or term.language is not None)


def _like(text: str, model: Literal) -> Literal:
    """TEXT with the language tag of MODEL, if it has one."""
    return Literal(text, XSD_STRING, model.language)


def _compatible(a: Term, b: Term) -> bool:
    """Argument compatibility (17.4.3.1.2): B is simple, or both have one language."""
    if not isinstance(a, Literal) or not isinstance(b, Literal):
        return False
    if not _is_string(a) or not _is_string(b):
        return False
    return b.language is None or (a.language or "").lower() == b.language.lower()


def strlen(text: Term) -> Term | None:
    """STRLEN: the number of characters."""
    if not isinstance(text, Literal) or not _is_string(text):
        return None
    return literal_of(len(text.lexical))


def substr(text: Term, start: Term, length: Term | None = None) -> Term | None:
    """SUBSTR: fn:substring, which counts from 1 and lets the range reach beyond the string."""
    if not isinstance(text, Literal) or not _is_string(text) or not isinstance(start, Literal):
        return None
    first = value_of(start)
    if type(first) is not int:
        return None
    last = len(text.lexical) + 1
    if length is not None:
        count = value_of(length) if isinstance(length, Literal) else None
        if type(count) is not int:
            return None
        last = min(last, first + count)
    return _like(text.lexical[max(first, 1) - 1 : max(last, 1) - 1], text)


def _mapped(change: Callable[[str], str]) -> Callable[[Term], Term | None]:
    def apply(text: Term) -> Term | None:
        if not isinstance(text, Literal) or not _is_string(text):
            return None
        return _like(change(text.lexical), text)

    return apply


def _test(relation: Callable[[str, str], bool]) -> Callable[[Term, Term], Term | None]:
    def apply(text: Term, part: Term) -> Term | None:
        if not _compatible(text, part):
            return None
        return boolean(relation(text.lexical, part.lexical))  # type: ignore[union-attr]

    return apply


def strbefore(text: Term, part: Term) -> Term | None:
    """STRBEFORE: the empty simple literal where PART does not occur."""
    if not _compatible(text, part):
        return None
    assert isinstance(text, Literal) and isinstance(part, Literal)
    head, found, _ = text.lexical.partition(part.lexical) if part.lexical else ("", "-", "")
    return _like(head, text) if found else string("")


def strafter(text: Term, part: Term) -> Term | None:
    """STRAFTER: the empty simple literal where PART does not occur."""
    if not _compatible(text, part):
        return None
    assert isinstance(text, Literal) and isinstance(part, Literal)
    if not part.lexical:
        return text
    _, found, tail = text.lexical.partition(part.lexical)
    return _like(tail, text) if found else string("")


def encode_for_uri(text: Term) -> Term | None:
    """ENCODE_FOR_URI: everything but RFC 3986's unreserved characters is percent-encoded."""
    if not isinstance(text, Literal) or not _is_string(text):
        return None
    return string(quote(text.lexical, safe="~"))


def concat(*texts: Term) -> Term | None:
    """CONCAT: the common language tag is kept, otherwise the result is simple."""
    parts = [text for text in texts if isinstance(text, Literal) and _is_string(text)]
    if len(parts) < len(texts):
        return None
    joined = "".join(part.lexical for part in parts)
    languages = {(part.language or "").lower() for part in parts}
    return _like(joined, parts[0]) if len(languages) == 1 else string(joined)


def langmatches(tag: Term, range_: Term) -> Term | None:
    """LANGMATCHES: basic filtering of RFC 4647, 3.3.1."""
    if not is_simple(tag) or not is_simple(range_):
        return None
    assert isinstance(tag, Literal) and isinstance(range_, Literal)
    language, wanted = tag.lexical.lower(), range_.lexical.lower()
    if wanted == "*":
        return boolean(language != "")
    return boolean((language + "-").startswith(wanted + "-"))


def _pattern(text: Term, pattern: Term, flags: Term | None) -> Pattern | None:
    if not _is_string(text) or not is_simple(pattern):
        return None
    if flags is not None and not is_simple(flags):
        return None
    assert isinstance(pattern, Literal)
    return compile_pattern(pattern.lexical, flags.lexical if isinstance(flags, Literal) else "")


def regex(text: Term, pattern: Term, flags: Term | None = None) -> Term | None:
    """REGEX: fn:matches."""
    compiled = _pattern(text, pattern, flags)
    if compiled is None:
        return None
    assert isinstance(text, Literal)
    return boolean(compiled.search(text.lexical) is not None)


def replace(text: Term, pattern: Term, replacement: Term, flags: Term | None = None) -> Term | None:
    """REPLACE: fn:replace; a pattern that matches the empty string is an error."""
    compiled = _pattern(text, pattern, flags)
    if compiled is None or not is_simple(replacement) or compiled.search(""):
        return None
    assert isinstance(text, Literal) and isinstance(replacement, Literal)
    literal = isinstance(flags, Literal) and "q" in flags.lexical
    template = compile_replacement(replacement.lexical, compiled.groups, literal=literal)
    return None if template is None else _like(compiled.sub(template, text.lexical), text)


def _hash(name: str) -> Callable[[Term], Term | None]:
    def apply(text: Term) -> Term | None:
        if not is_simple(text):
            return None
        assert isinstance(text, Literal)
        digest = hashlib.new(name, text.lexical.encode(), usedforsecurity=False)
        return string(digest.hexdigest())

    return apply


STRING_FUNCTIONS: dict[str, tuple[Callable[..., Term | None], int, int | None]] = {
    "STRLEN": (strlen, 1, 1),
    "SUBSTR": (substr, 2, 3),
    "UCASE": (_mapped(str.upper), 1, 1),
    "LCASE": (_mapped(str.lower), 1, 1),
    "STRSTARTS": (_test(str.startswith), 2, 2),
    "STRENDS": (_test(str.endswith), 2, 2),
    "CONTAINS": (_test(str.__contains__), 2, 2),
    "STRBEFORE": (strbefore, 2, 2),
    "STRAFTER": (strafter, 2, 2),
    "ENCODE_FOR_URI": (encode_for_uri, 1, 1),
    "CONCAT": (concat, 0, None),
    "LANGMATCHES": (langmatches, 2, 2),
    "REGEX": (regex, 2, 3),
    "REPLACE": (replace, 3, 4),
    "MD5": (_hash("md5"), 1, 1),
    "SHA1": (_hash("sha1"), 1, 1),
    "SHA256": (_hash("sha256"), 1, 1),
    "SHA384": (_hash("sha384"), 1, 1),
    "SHA512": (_hash("sha512"), 1, 1),
}
"""Each function with its least and greatest number of arguments (None: any)."""
