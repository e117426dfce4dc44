"""The result of a run in a few words, with which every page begins."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from rsp_conformance.diagnosis.cause import CauseJson, SettingJson, is_named
from rsp_conformance.explain.render.layout import counted, listed
from rsp_conformance.files.profiles import PROFILES, ProfileJson, bundled_profile
from rsp_conformance.judge import crash_file
from rsp_conformance.model.dials import write_dials
from rsp_conformance.model.errors import printable
from rsp_conformance.run.asking import HUNG, did
from rsp_conformance.run.causes import AGAINST, given_up, labels
from rsp_conformance.run.events import AS_BEFORE, NOT_SHRUNK, PropertyFinished
from rsp_conformance.run.run_report import CampaignJson, RunReport

BAD = ("failed", "kit error", "engine lost")
"""The verdicts on properties that a page shows first."""
MEANING = {
    "compared": "answers that were judged",
    "known": "wrong as known causes say",
    "unsupported": "refused by the engine",
    "vacuous": "nothing was due that could have been wrong; others were drawn in their place",
    "not_judged": "the kit's own evaluation went beyond a limit",
    "unasked": "the time was up, the engine did not answer or not by the protocol, or so many "
    "had failed that more would say no more",
}
"""The outcomes of cases, each with its meaning."""
ALWAYS = ("compared", "unsupported", "vacuous")
"""The outcomes that every run tells of, whether a case had them or not."""
WORDS = {
    "RSP-QL": "the formal model of RDF stream processing. Its Definition 26 says when an answer to "
    "a continuous query is correct, and by that answers are judged here",
    "property": "a claim about the engine that many generated cases test, such as that queries "
    "with two windows (join) get correct answers",
    "case": "a query with its streams, background data and times",
    "profile": "how the engine reads what RSP-QL leaves to it, as dials: which bounds a window "
    "has, where the first one starts, when results are reported",
    "cause": "a dial or a known bug that predicts wrong answers and, but for a few, no right "
    "answer otherwise. Failures that no cause predicts are unexplained: they are grouped by how "
    "they fail, so that one bug may have several groups. A group is called ?- and its fingerprint",
    "wrong answers": "counted one by one, with some that came while a case was made small, so "
    "there are more of them than cases that failed",
}
"""The terms of a page that not everybody knows."""
MOST_LACKING = 12
"""The most features that are named as missing in an engine."""
MOST_REASONS = 2
"""The most other reasons that are named why properties were skipped."""
FEWER_BUGS = "perhaps of fewer bugs"
"""Follows the number of groups: one bug that fails in two ways makes two of them."""
_ENDED = {"": "It was killed.", "interrupted": "It was interrupted.", "lost": "It broke off."}


def engine_of(run: RunReport) -> str:
    """The engine with its version."""
    return printable(f"{run.engine} {run.version}".strip())


def title(run: RunReport) -> str:
    """The title of the page: a run or a campaign, and of which engine."""
    what = "run" if run.campaign is None else f"campaign {run.campaign.run}"
    return f"RSP-QL conformance {'report' if what == 'run' else what}: {engine_of(run)}"


def said(run: RunReport) -> list[str]:
    """The result of the run in a few sentences."""
    if run.campaign is not None:
        return list(_of_campaign(run, run.campaign))
    return list(_of_run(run))


def is_cut_short(run: RunReport) -> bool:
    """Whether a run ended early, and has found nothing wrong by then."""
    wrong = run.causes or run.findings or any(run.verdicts.get(own) for own in (*BAD, "timed out"))
    if run.campaign is not None:
        return run.campaign.cases == 0 and not wrong
    return not (run.complete or wrong)


def _of_run(run: RunReport) -> Iterator[str]:
    bad = sum(run.verdicts.get(own, 0) for own in BAD)
    others = [f"{count} {own}" for own, count in run.verdicts.items() if own not in BAD]
    number = counted(sum(run.verdicts.values()), "property")
    rest = f" ({', '.join(others)})" if others else ""
    yield f"{bad or 'None'} of {number} failed{rest}."
    if run.causes:
        groups = sum(not is_named(own.id) for own in run.causes)
        explained = len(run.causes) - groups
        found = counted(explained, "cause") if explained else "No cause"
        left = f"; {counted(groups, 'group')} of failures unexplained" if groups else ""
        left += f", {FEWER_BUGS}" if groups > 1 else ""
        yield f"{found} identified{left}."
    if compared := run.counts.get("compared", 0):
        yield f"{compared:,} cases compared."
    if not run.complete:
        yield "It ended before all properties were run."


def _of_campaign(run: RunReport, campaign: CampaignJson) -> Iterator[str]:
    outcomes = sorted(campaign.outcomes.items(), key=lambda own: -own[1])
    shown = ", ".join(f"{count:,} {name}" for name, count in outcomes)
    shown = f" ({shown})" if shown else ""
    yield f"{counted(campaign.cases, 'case')} at {campaign.rate:,.0f} a second{shown}."
    if _is_vacuous(run):
        return
    new = len(campaign.new_causes)
    known = len(run.causes) - new
    yield f"{counted(new, 'new cause')}{f', {known} known' if known else ''}."
    (ended,) = [own.ended for own in campaign.trend if own.run == campaign.run] or ["examples"]
    if ended in _ENDED:
        yield _ENDED[ended]


def facts(run: RunReport) -> dict[str, str]:
    """The facts that a reader needs to repeat the run, by name."""
    found = {
        "started": instant(run.started),
        "took": duration(run.duration) if run.duration else "",
        "profile": " with ".join(filter(None, [profile_of(run), write_dials(run.dials)])),
        "mode": run.mode,
        "seed": run.seed,
        "machine": run.machine,
        "rsp-conformance": run.rsp_conformance,
        "judged by": run.judged_by,
    }
    return {name: printable(text) for name, text in found.items() if text}


def is_own(run: RunReport) -> bool:
    """Whether the profile is the engine's own, in dials, and not one that has a name."""
    return run.profile.startswith("{")


def profile_of(run: RunReport) -> str:
    """The profile: its name, or the profile that it is based on with the dials that differ."""
    if not is_own(run):
        return run.profile
    try:
        said: ProfileJson = PROFILES.read(ProfileJson, json.loads(run.profile))
        own, base = said.profile(), bundled_profile(said.base or "rsp-ql")
    except ValueError:
        return run.profile
    dials, others = own.base.written(), base.base.written()
    turned = [f"{dial}={value}" for dial, value in dials.items() if others.get(dial) != value]
    turned += [
        f"{write_dials(dict(one.dials))} for {' and '.join(sorted(one.when))}"
        for one in own.overrides
        if one not in base.overrides
    ]
    return f"{base.name} with {', '.join(turned)}" if turned else base.name


def instant(text: str) -> str:
    """An instant of ISO 8601 for readers: ``2026-11-20 22:04 UTC``; any other text as it is."""
    try:
        found = datetime.fromisoformat(text)
        return f"{found.astimezone(UTC) if found.tzinfo else found:%Y-%m-%d %H:%M} UTC"
    except (ValueError, OverflowError):
        return printable(text)


def duration(seconds: float) -> str:
    """A number of seconds for readers: ``48 s``, ``2 min 5 s``, ``1 h 2 min``."""
    whole = timedelta(seconds=round(seconds))
    minutes, rest = divmod(whole.seconds + 86_400 * whole.days, 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def notes(run: RunReport) -> Iterator[str]:
    """Warnings for the reader, a few sentences each."""
    if _is_vacuous(run):
        yield "Nothing was compared: this run says nothing about the engine."
    yield from map(printable, run.troubles)
    yield from _losses(run)
    if run.causes and run.campaign is None:
        yield from filter(None, [printable(given_up([own.id for own in run.causes], run.told))])
    if campaign := run.campaign:
        if campaign.failing_unnamed:
            left = counted(campaign.failing_unnamed, "more wrong answer")
            yield f"{left} were not looked at for their causes."
        yield from (f"Not done: {printable(lost)}" for lost in campaign.lost)
        if campaign.disagreements:
            yield (
                f"On {counted(campaign.disagreements, 'case')} the kit's own judges differ: a bug "
                "of rsp-conformance, not of the engine. Please report it (table "
                "verdicts, verdict disagreement)."
            )
    for id in run.known.gone:
        file = f" from {printable(run.known.files[id])}" if id in run.known.files else ""
        yield f"Known, and no longer shown: {printable(id)} (fixed: remove it{file})."


def _is_vacuous(run: RunReport) -> bool:
    return not run.counts.get("compared", 0) + run.counts.get("known", 0)


def _losses(run: RunReport) -> Iterator[str]:
    """Why less was asked or judged than was drawn."""
    if lost := {own.property: Counter(own.losses) for own in run.properties if own.lost}:
        kinds, names = sum(lost.values(), Counter[str]()), listed([*lost])
        shrunk = ", and after a hang nothing else was shrunk" if kinds[HUNG] else ""
        yield (
            f"The engine, or its driver, {did(kinds)}, in {names}. Fewer cases were asked "
            f"there{shrunk}."
        )
    if unasked := [n for own in run.properties if (n := own.counts.get("unasked", 0))]:
        places = counted(len(unasked), "property")
        why = "no time was left, no answer came, or enough cases had failed"
        yield f"Not asked: {sum(unasked):,} cases of {places}, because {why}."
    if not_judged := run.counts.get("not_judged", 0):
        yield (
            f"Not judged: {counted(not_judged, 'case')}, whose evaluation by the kit takes too "
            "long (--rsp-judging-limit)."
        )


def called(run: RunReport) -> dict[str, str]:
    """The name of each cause by its id; unexplained failures keep their ids as names."""
    causes = [own.cause() for own in run.causes]
    # What was known to a campaign before has a name, and no setting.
    named = {own.id: own.id for own in causes if is_named(own.id)}
    numbered = [own for own in causes if own.is_explained or own.id not in named]
    others = {own.id for own in causes} - {own.id for own in numbered}
    found = labels(numbered, [id for id in run.told if id not in others])
    found |= {own.id: own.id for own in causes if not is_named(own.id)}
    return {id: printable(label) for id, label in (named | found).items()}


def with_cases(run: RunReport, text: str) -> tuple[str, str]:
    """A text with ids of groups: with those of their smallest cases beside them, or these alone.

    ``replay`` takes the id of a case, a file of known causes that of a group.
    """
    both = alone = text
    for own in run.causes:
        if not is_named(own.id) and own.smallest.id:
            both = both.replace(own.id, f"{own.id} [{own.smallest.id}]")
            alone = alone.replace(own.id, own.smallest.id)
    return both, alone


def note(own: PropertyFinished) -> str:
    """The note on a property; empty if it only repeats the causes, which are shown beside it."""
    return (
        "" if own.causes and own.note.startswith((AS_BEFORE, NOT_SHRUNK)) else printable(own.note)
    )


def skipped(run: RunReport) -> dict[str, list[str]]:
    """The skipped properties by the reason, those that lack a feature first."""
    found: dict[str, list[str]] = {}
    for own in sorted(run.properties, key=lambda own: not own.missing):
        if own.verdict == "skipped":
            found.setdefault(why_not(own), []).append(own.property)
    return found


def why_not(own: PropertyFinished) -> str:
    """Why a property was skipped."""
    lacking = f"no feature {listed(own.missing)}" if own.missing else ""
    return printable(own.reason or own.note or lacking or "no reason given")


def why_skipped(properties: Iterable[PropertyFinished]) -> str:
    """Say why properties were skipped, the most frequent reasons, as a phrase."""
    events = [own for own in properties if own.verdict == "skipped"]
    # A property counts once, by the first feature that it lacks: the numbers add up.
    features = _counted((own.missing[0] for own in events if own.missing), MOST_LACKING)
    others = [event.reason or event.note for event in events if not event.missing]
    lacking = [f"no feature {features}"] if features else []
    if lacking and len(set(others)) > MOST_REASONS:
        return "; ".join([*lacking, f"{len(others)} for other reasons"])
    return "; ".join([*lacking, *filter(None, [_counted(others, MOST_REASONS)])])


def _counted(reasons: Iterable[str], most: int) -> str:
    """The most frequent reasons, each with how often it comes, as a phrase."""
    found = Counter(filter(None, map(printable, reasons))).most_common()
    said = [f"{reason} ({number})" if number > 1 else reason for reason, number in found]
    return listed(said, limit=most)


def conditions(run: RunReport) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """Yield the conditions that cases of two engines met, and those that they missed."""
    ended = [own for own in run.properties if own.property.startswith(AGAINST)]
    for said, found in (
        ("Compared", sum((Counter(own.grounds) for own in ended), Counter[str]())),
        ("Not compared", sum((Counter(own.excuses) for own in ended), Counter[str]())),
    ):
        if found:
            yield said, [(number, printable(reason)) for reason, number in found.most_common()]


def counts(run: RunReport) -> list[str]:
    """The names of the outcomes that cases of a run had, with those that every run tells of."""
    all_counts = [run.counts, *(own.counts for own in run.properties)]
    found = {name for counts in all_counts for name, number in counts.items() if number}
    return [name for name in MEANING if name in ALWAYS or name in found]


def named(setting: SettingJson) -> str:
    """The mutants and the dials of a setting, in words."""
    dials = (f"{dial} = {value}" for dial, value in setting.dials.items())
    return printable(listed([*setting.mutants, *dials]))


def standing(run: RunReport, cause: CauseJson) -> str:
    """Whether a campaign's cause is new, and since which run; empty outside of campaigns."""
    if run.campaign is None:
        return ""
    if cause.id not in run.campaign.new_causes:
        return "known"
    runs = [own.run for own in run.campaign.trend if cause.id in own.causes]
    first = min(runs, default=run.campaign.run)
    return "new" if first == run.campaign.run else f"new, since run {first}"


def replay_line(run: RunReport, file: str) -> str:
    """The command that replays a crash file of a run, or an id, from the working directory."""
    return printable(crash_file.replay_line(file, run.spec))
