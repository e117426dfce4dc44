"""The fingerprint of a failure that no hypothesis explains: failures with one are one cause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import dropwhile, takewhile

from rsp_conformance.diagnosis.cause import UNEXPLAINED, WRONG_FORM, Cause
from rsp_conformance.diagnosis.evidence import Symptom
from rsp_conformance.explain.render.layout import cut
from rsp_conformance.model.usage import query_features

_FRAME = re.compile(
    r"^\s*(?:at\s+(?P<js>\S.*)|File \"(?P<file>[^\"]+)\", line \d+, in (?P<python>\S+)"
    r"|\d+:\s+(?P<rust>\S+::\S+).*)$"
)
_RUNTIME = re.compile(
    r"^(?:async |new )?(?:java\.|javax\.|jdk\.|sun\.|node:|internal/|std::|core::|alloc::|_?jpype|"
    r"rust_begin_unwind|__rust|process\.|Object\.<anonymous>|Module\.)|node:internal"
)
_JAVACC_PLACE = r" at line \d+, column \d+\.?(?:\s+Was expecting .*)?"
_VARYING = (
    # What parsers made by JavaCC say: which keyword it was, and what may stand where it was met,
    # are the case's; the kind of any other token is not. Their quotes do not pair.
    (re.compile(r"Encountered \" \"[A-Za-z][^\"]*\" .*?" + _JAVACC_PLACE), "Encountered a keyword"),
    (
        re.compile(r"Encountered \"(?:\s?[\"<])?([^\s\"]+?)>?\"?(?: .*?)?" + _JAVACC_PLACE),
        r"Encountered \1",
    ),
    # Jena names the operator that has no such operands, and how else it is called.
    (re.compile(r"\bUndefined (?:addition|subtraction|multiply|division)\b"), "Undefined operator"),
    # What parsers made by ANTLR would rather have is the state's that they are in.
    (re.compile(r"((?:mismatched|extraneous) input '.*?') expecting .*"), r"\1"),
    (re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|<[^<>\s]*>|`[^`\n]*`"), "…"),
    (re.compile(r"0x[0-9a-fA-F]+|@[0-9a-f]{4,}"), "@…"),
    (re.compile(r"(?:/|[A-Za-z]:\\)[^\s:()]+[/\\]"), ""),
    (re.compile(r"\?[A-Za-z_]\w*"), "?…"),
    (re.compile(r"-?\d+(?:\.\d+)?"), "#"),
)
LONGEST = 200
"""So many characters of an engine's message are compared, ..."""
TOLD = 60
"""So many tell it from others on standard error, where lines may be cut; and ..."""
SHOWN = 120
"""... and so many columns of it are shown."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What failures of one cause have in common.

    Attributes:
        kind: the kind of failure.
        site: where the engine's exception comes from and what it says, without numbers and names;
            empty where the engine has answered.
        shape: the features of the shrunk query, where there is no site.
        difference: where answer and expectation part, in words.
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
        """Whether OTHER, of a case that was not shrunk, is this one with more in the query."""
        same = (self.kind, self.site, self.difference) == (other.kind, other.site, other.difference)
        return same and {*self.shape} <= {*other.shape}

    def __str__(self) -> str:
        shape = f"queries with {', '.join(self.shape)}" if self.shape else ""
        said = (part.rstrip(" .") for part in (self.kind, self.site, self.difference, shape))
        return ": ".join(part for part in said if part)


def fingerprint(symptom: Symptom) -> Fingerprint:
    """The fingerprint of SYMPTOM."""
    failure = symptom.failure
    if failure is not None and (site := _site(failure.message, failure.stderr)):
        return Fingerprint(symptom.kind, site)
    if said := symptom.wrong_form:  # Whatever was asked.
        return Fingerprint(WRONG_FORM, difference=said)
    query = symptom.observations[0].stimulus.case.query
    shape = tuple(sorted(query_features(query) - {"select"}))
    return Fingerprint(symptom.kind, "", shape, symptom.difference)


def _site(message: str, stderr: tuple[str, ...]) -> str:
    """The first line of MESSAGE, and the first frame of the engine's own, if it has any."""
    lines = [line for line in message.splitlines() if line.strip()]
    said = normalised(lines[0])[:LONGEST] if lines else ""
    frames = [frame for frame in map(_frame, [*lines, *_stack(stderr, lines)]) if frame]
    own = next((frame for frame in frames if not _RUNTIME.match(frame)), "")
    return f"{said} at {own}" if own else said


def _described(symptom: Symptom) -> str:
    """The fingerprint of SYMPTOM in words, with what the engine has said as it said it."""
    found, failure = fingerprint(symptom), symptom.failure
    if not (found.site and failure):
        return str(found)
    said = next((line for line in failure.message.splitlines() if line.strip()), "").strip()
    rest = found.site[len(normalised(said)[:LONGEST]) :]
    return str(replace(found, site=cut(said, SHOWN) + rest))


def _stack(lines: Sequence[str], message: Sequence[str]) -> Sequence[str]:
    """The stack of the error MESSAGE in a driver's last LINES, which have others before and behind.

    It follows the message; in Python, where files are named, before it. Where the lines do
    not have the message, it is all but the frames of a stack whose beginning is cut off.
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
    if found is None:
        return ""
    name = found["js"] or found["python"] or found["rust"] or ""
    return normalised(re.sub(r"\(.*", "", name).strip())


def normalised(text: str) -> str:
    """TEXT without what differs from case to case: numbers, addresses, paths, terms, variables."""
    for pattern, stands in _VARYING:
        text = pattern.sub(stands, text)
    return " ".join(text.split())


def unexplained(symptoms: Iterable[Symptom]) -> Iterator[Cause]:
    """SYMPTOMS by fingerprint, as causes without a hypothesis; those of most properties first.

    A shrunk case is shown rather than one that was not.
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
