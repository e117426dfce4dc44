"""One recording judged: by the papers' profile, its best reading, and the oracle's criterion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from rsp_conformance.corpora.csrbench.agreement import Agreement, Bags, agreement
from rsp_conformance.corpora.csrbench.containment import Containment, contained
from rsp_conformance.corpora.csrbench.data import SECOND, read_data
from rsp_conformance.corpora.csrbench.fitting import Fit, best_fit
from rsp_conformance.corpora.csrbench.layout import Layout
from rsp_conformance.corpora.csrbench.queries import BenchmarkQuery
from rsp_conformance.corpora.csrbench.readings import as_recorded
from rsp_conformance.corpora.csrbench.recordings import Recorded, operator_of
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import query_features
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.spec.correctness import judge
from rsp_conformance.spec.trace import Expectation, Relations


@dataclass(frozen=True, slots=True)
class JudgedRecording:
    """What is said of one engine's recorded answers to one query.

    ``strict`` is Definition 26's verdict under the profile and the recording as it is, and
    ``strict_agreement`` how far its nearest z agrees (None where the verdict is correct). ``fit``
    is the best reading; ``containment`` what csrbench-oracle's criterion says.
    """

    engine: str
    query: BenchmarkQuery
    case: Case
    dials: Dials
    strict: Verdict
    strict_agreement: Agreement | None
    fit: Fit
    containment: Containment


def case_of(
    layout: Layout,
    query: BenchmarkQuery,
    profile: Profile,
    recording: Sequence[Recorded],
) -> tuple[Case, Dials]:
    """The case of QUERY over the benchmark's stream for an engine under PROFILE, and its dials.

    It ends when no window can hold an element of the stream any more (a width and a slide after the
    last), or with the recording if that is later. So an engine that stops with the stream lacks the
    answers of the windows that close after it, and nothing that it gives goes uncompared.

    Raises:
        FileError: the stream cannot be read, or not in the profile's unit.
    """
    base = profile.base
    algebra = query.rspql(named=base.windows_in == "named", operator=operator_of(base))
    dials = profile.resolve(query_features(algebra))
    elements = read_data(layout.data, dials.unit)
    stamps = [ceil(answer.stamp / dials.unit) for answer in recording if answer.stamp is not None]
    last = max((element.t for element in elements), default=0)
    reach = max(w.width + w.slide for w in algebra.sliding_windows(dials.unit))
    return Case(algebra, elements, until=max([last + reach, *stamps])), dials


def judge_recording(
    layout: Layout,
    engine: str,
    query: BenchmarkQuery,
    profile: Profile,
    recording: Sequence[Recorded],
) -> JudgedRecording:
    """RECORDING, what ENGINE answered to QUERY, in every way that the benchmark is judged here.

    Raises:
        FileError: the stream cannot be read.
        Unsupported: an answer that cannot be judged under PROFILE.
    """
    case, dials = case_of(layout, query, profile, recording)
    observed = as_recorded(recording, dials.unit)
    relations: Relations = {}
    expectation = Expectation(case, dials, relations)
    strict = judge(case, dials, observed, expectation)
    parted = None
    if not strict.correct:
        due = expectation.answer(strict.t0)
        parted = agreement(due, observed, case, dials, t_s=strict.t_s, bags=Bags(dials))
    return JudgedRecording(
        engine,
        query,
        case,
        dials,
        strict,
        parted,
        best_fit(case, dials, recording, relations),
        contained(
            query.rspql(),
            query.width,
            query.slide,
            stream=read_data(layout.data, SECOND),
            dials=dials,
            recording=recording,
        ),
    )
