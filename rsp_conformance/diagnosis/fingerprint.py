"""The fingerprint of a failure that no setting explains: failures with one are one cause.

**What is sought.** Groups of failures, so that a bug is shown once and recognized in later runs
(docs/known.md). What differs from case to case must not count, and what differs from bug to bug
must.

**How.** A fingerprint is a digest of text:

* If the engine gave an error, the kind of failure and its **site**: the first line of the message,
  and the first frame of its stack that is not the runtime's. Numbers, addresses, paths, terms and
  variables are replaced by signs, and so is what a parser says about the case alone.
* If only computed columns are wrong, their operators, whatever is around them (`wrong_values`).
* Otherwise the kind of failure, the features of the shrunk query, and how the answer differs: rows
  lost, doubled, added or replaced. An answer of a wrong form counts as that, whatever was asked.

**What it guarantees.** The same failure has the same fingerprint in every run and process. It does
not say that two wrong answers with one fingerprint have one bug; so a setting, which predicts
answers, is always the better name, and a fingerprint names only what no setting explains.

**What was tried.** Each pattern below was once a bug counted several times: expressions in error
were 21 causes in CQELS 1, whose Jena says what it could not add, compare or negate; keywords in
messages of JavaCC's parsers and the expected tokens in ANTLR's gave one cause each, one crash of
rsp-js was three because the beginning of its stack was cut off in the driver's last lines, and a
literal that YASPER takes for an IRI was fourteen, one for each datatype.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import dropwhile, takewhile
from typing import Final

from rsp_conformance.diagnosis.cause import UNEXPLAINED, WRONG_FORM, Cause
from rsp_conformance.diagnosis.evidence import Symptom
from rsp_conformance.diagnosis.wrong_values import wrong_values
from rsp_conformance.explain.render.layout import cut
from rsp_conformance.model.usage import query_features

_FRAME = re.compile(
    r"^\s*(?:at\s+(?P<js>\S.*)|File \"(?P<file>[^\"]+)\", line \d+, in (?P<python>\S+)"
    r"|\d+:\s+(?P<rust>\S+::\S+).*)$"
)
"""A line of a stack, in JavaScript and Java, Python or Rust."""
_RUNTIME = re.compile(
    r"^(?:async |new )?(?:java\.|javax\.|jdk\.|sun\.|node:|internal/|std::|core::|alloc::|_?jpype|"
    r"rust_begin_unwind|__rust|process\.|Object\.<anonymous>|Module\.)|node:internal"
)
"""The frames of languages and their runtimes, which are no site."""
_JAVACC_PLACE = r" at line \d+, column \d+\.?(?:\s+Was expecting .*)?"
_OWN = re.compile(r"\brsp_conformance[/\\](?:protocol|adapters[/\\](?!reference\b))")
"""The files of the kit's drivers in Python, which run engines in Java: their frames are no site."""
_VARYING = (
    # What parsers made by JavaCC say: which keyword it was, and what may stand where it was met,
    # are the case's; the kind of any other token is not. Their quotes do not pair.
    (re.compile(r"Encountered \" \"[A-Za-z][^\"]*\" .*?" + _JAVACC_PLACE), "Encountered a keyword"),
    (
        re.compile(r"Encountered \"(?:\s?[\"<])?([^\s\"]+?)>?\"?(?: .*?)?" + _JAVACC_PLACE),
        r"Encountered \1",
    ),
    # Jena throws these for an expression in error. The operator, its operands and Jena's words
    # differ from case to case. The bug is one: the error gets out, where SPARQL has no value.
    (re.compile(r"\bExpr\w*Exception\b.*"), "Expr…Exception"),
    # What parsers made by ANTLR would rather have is the state's that they are in.
    (re.compile(r"((?:mismatched|extraneous) input '.*?') expecting .*"), r"\1"),
    # Java's URISyntaxException ends with all of what is no URI, and names the part that it is in.
    (re.compile(r"\bIllegal character in [\w -]+ at index \d+: .*"), "Illegal character in a URI"),
    # What drivers of ours say of a CONSTRUCT: which triple it was is the case's.
    (re.compile(r"\bit gives the triple .*, which is not RDF"), "it gives a triple, not RDF"),
    # Terms, and whatever else is quoted; the apostrophe of "can't" begins nothing.
    (
        re.compile(
            r"(?:\"[^\"\n]*\"|(?<!\w)'[^'\n]*'|`[^`\n]*`)"
            r"(?:@[A-Za-z]+(?:-\w+)*|\^\^(?:<[^<>\s]*>|[\w-]*:[\w-]+))?"
            r"|<[^<>\s]*>|(?<!\w)_:\w+"
        ),
        "…",
    ),
    (re.compile(r"0x[0-9a-fA-F]+|@[0-9a-f]{4,}"), "@…"),
    (re.compile(r"(?:/|[A-Za-z]:\\)[^\s:()]+[/\\]"), ""),
    (re.compile(r"\?[A-Za-z_]\w*"), "?…"),
    (re.compile(r"-?\d+(?:\.\d+)?"), "#"),
)
"""Patterns of the parts of a message that differ from case to case, and what replaces them."""
WRONG_VALUE: Final = "wrong value"
"""The kind of failure of an answer in which only computed columns are wrong."""
LONGEST = 200
"""The number of characters of an engine's message that are compared."""
TOLD = 60
"""The number of characters by which a message is found on standard error, where lines may be cut.
"""
SHOWN = 120
"""The columns of a message that are shown."""


_DIFFERENCES = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"\brows due did not come\b", "expected rows are missing"),
        (r"\brows due came too (seldom|often)\b", r"expected rows came too \1"),
        (r"\brows came that are not due\b", "rows came that are not expected"),
        (r"\b(\w+) due, (\w+) came\b", r"\1 expected, \2 received"),
    )
)
"""How answers differ, as fingerprints digest it, and as people read it."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The things that failures of one cause have in common.

    Attributes:
        kind: the kind of failure.
        site: the place of the engine's error and its message, without numbers and names; empty if
            the engine has answered.
        shape: the features of the shrunk query, if there is no site; the operators of wrong values.
        difference: how the answer differs from the expected one. The id is a digest of these words,
            and users' files of known causes have such ids, so the words stay as they are. People
            are shown others (`_DIFFERENCES`).
    """

    kind: str
    site: str = ""
    shape: tuple[str, ...] = ()
    difference: str = ""

    @property
    def id(self) -> str:
        """Eight hexadecimal digits, the same in every run."""
        return sha256(
            repr((self.kind, self.site, self.shape, self.difference)).encode()
        ).hexdigest()[:8]

    def covers(self, other: Fingerprint) -> bool:
        """Whether another fingerprint, of an unshrunk case, is this one with more features."""
        same = (self.kind, self.site, self.difference) == (other.kind, other.site, other.difference)
        return same and {*self.shape} <= {*other.shape}

    def __str__(self) -> str:
        if self.kind == WRONG_VALUE:
            return f"{WRONG_VALUE} of {', '.join(self.shape)}"
        shape = f"queries with {', '.join(self.shape)}" if self.shape else ""
        difference = self.difference
        for pattern, words in _DIFFERENCES:
            difference = pattern.sub(words, difference)
        said = (part.rstrip(" .") for part in (self.kind, self.site, difference, shape))
        return ": ".join(part for part in said if part)


def fingerprint(symptom: Symptom) -> Fingerprint:
    """The fingerprint of a failure."""
    failure = symptom.failure
    if failure is not None and (site := _site(failure.message, failure.stderr)):
        return Fingerprint(symptom.kind, site)
    if said := symptom.wrong_form:  # Whatever was asked.
        return Fingerprint(WRONG_FORM, difference=said)
    if operators := wrong_operators(symptom):
        return Fingerprint(WRONG_VALUE, shape=tuple(sorted(operators)))
    query = symptom.observations[0].stimulus.case.query
    shape = tuple(sorted(query_features(query) - {"select"}))
    return Fingerprint(symptom.kind, "", shape, symptom.difference)


def wrong_operators(symptom: Symptom) -> frozenset[str]:
    """The operators of the columns that are wrong, if nothing else is."""
    if not symptom.is_judged or len(symptom.observations) > 1:
        return frozenset()
    return frozenset[str]().union(*wrong_values(symptom.observations[0]).values())


def _site(message: str, stderr: tuple[str, ...]) -> str:
    """The first line of a message, and the first frame of the engine's own, if there is one."""
    lines = [line for line in message.splitlines() if line.strip()]
    said = normalised(lines[0])[:LONGEST] if lines else ""
    frames = [frame for frame in map(_frame, [*lines, *_stack(stderr, lines)]) if frame]
    own = next((frame for frame in frames if not _RUNTIME.match(frame)), "")
    return f"{said} at {own}" if own else said


def _described(symptom: Symptom) -> str:
    """The fingerprint of a failure in words, with the engine's message as the engine wrote it."""
    found, failure = fingerprint(symptom), symptom.failure
    if not (found.site and failure):
        return str(found)
    said = next((line for line in failure.message.splitlines() if line.strip()), "").strip()
    rest = found.site[len(normalised(said)[:LONGEST]) :]
    return str(replace(found, site=cut(said, SHOWN) + rest))


def _stack(lines: Sequence[str], message: Sequence[str]) -> Sequence[str]:
    """The stack that belongs to a message in a driver's last lines, among other lines.

    It follows the message; in Python, whose frames name files, before it. If the lines do not
    have the message, it is all of them, but for the frames of a stack whose beginning is cut off.
    """
    first = message[0].strip()[:TOLD] if message else ""
    said = max((n for n, line in enumerate(lines) if first and first in line), default=None)
    if said is not None:
        rest = {line.strip() for line in message[1:]}
        behind = dropwhile(lambda line: line.strip() in rest, lines[said + 1 :])
        before = takewhile(str.isspace, (line[:1] for line in reversed(lines[:said])))
        files = [line for line in lines[said - len([*before]) : said] if "File" in line]
        return [*takewhile(_frame, behind)] or files
    begins = next((n for n, line in enumerate(lines) if not _frame(line)), 0)
    whole = lines[begins:]
    return whole if any(map(_frame, whole)) else lines


def _frame(line: str) -> str:
    """The function that a line of a stack names; empty for other lines."""
    found = _FRAME.match(line)
    if found is None or _OWN.search(found["file"] or ""):
        return ""
    name = found["js"] or found["python"] or found["rust"] or ""
    return normalised(re.sub(r"\(.*", "", name).strip())


def normalised(text: str) -> str:
    """A text without its numbers, addresses, paths, terms and variables, which differ by case."""
    for pattern, stands in _VARYING:
        text = pattern.sub(stands, text)
    return " ".join(text.split())


def unexplained(symptoms: Iterable[Symptom]) -> Iterator[Cause]:
    """Group failures by fingerprint into causes without a setting, those of most properties first.

    A cause shows a shrunk case if it has one.
    """
    groups: dict[str, list[Symptom]] = {}
    for symptom in symptoms:
        groups.setdefault(fingerprint(symptom).id, []).append(symptom)
    found = []
    for id, group in groups.items():
        smallest = min(group, key=lambda s: (not s.file, s.elements))
        cause = Cause(
            UNEXPLAINED + id,
            properties=tuple(dict.fromkeys(s.property_name for s in group)),
            file=smallest.file,
            elements=smallest.elements,
            text=_described(smallest),
        )
        found.append(cause)
    yield from sorted(found, key=lambda cause: (-len(cause.properties), cause.id))
