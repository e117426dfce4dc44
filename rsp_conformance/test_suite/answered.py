"""A case with its legal answers under every bundled profile: an entry of a suite.

A case is drawn under one reading of the dials, and another reading makes other answers legal. Each
engine has its own, so a suite that knows a single one has few cases for most engines.

**What is done.** The case is evaluated under its own dials, under plain RSP-QL, and under each
bundled profile, in the first form of its query that the profile takes (`forms`). What comes to the
answers that are there already adds nothing. Else it is a further `SuiteCase`, with the combinations
of dials under which no other answer is legal (`dependence`). If only the combinations differ, and
not the answers, they stand together.

**What it guarantees.** The answers of an engine with the dials of a bundled profile are compared
with exactly what is legal under these. A case is for an engine with other dials if turning them one
at a time, and many at once by chance, made no other answer legal.

**What it costs.** A tenth of a second for each combination that has answers of its own.
"""

from __future__ import annotations

from dataclasses import replace

from rsp_conformance.files.profiles import bundled_profile, profile_names
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.dials import DIALS
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.profiles import Profile
from rsp_conformance.test_suite.dependence import Dependence, suite_dials
from rsp_conformance.test_suite.entry import SuiteCase, SuiteEntry
from rsp_conformance.test_suite.export import suite_case
from rsp_conformance.test_suite.forms import as_written_under, forms
from rsp_conformance.test_suite.legal import same_answer, stamped


def suite_entry(own: SuiteCase, seed: str) -> SuiteEntry:
    """Return a case with its answers under its own dials and under every bundled profile.

    Args:
        own: the case, under the dials for which it was drawn.
        seed: decides which dials are turned together.
    """
    found = [_with_requirements(own, seed)]
    for profile in map(bundled_profile, profile_names()):
        if (made := under_profile(own, profile)) is not None:
            _add(made, found, seed)
    return SuiteEntry(tuple(found))


def under_profile(own: SuiteCase, profile: Profile) -> SuiteCase | None:
    """Return a case with its answers under a profile, in the first form that the profile takes.

    Args:
        own: the case, under other dials.
        profile: the profile.

    Returns:
        The case, for an engine with any dials; None if the profile takes no form of it, or if it
        tells nothing under the profile.
    """
    for form in forms(own.case.query):
        query = as_written_under(form, profile.dials(form))
        reports = profile.dials(query)
        dials = suite_dials(reports).with_dial("unit", str(own.dials.unit))
        # Windows are named or merged as the profile has them: WINDOW and FROM WINDOW are no texts
        # of the other kind of engine.
        if any(window.named != (dials.windows_in == "named") for window in query.windows):
            continue
        case = replace(own.case, query=query)
        try:
            found = suite_case(case, dials, own.name, own.title, own.source)
        except (Unsupported, LimitExceeded, ValueError):
            continue
        if reports.answer_time != "arrival" or stamped(case, dials):
            return found
    return None


def for_profile(entry: SuiteEntry, profile: Profile) -> SuiteEntry | None:
    """Return a test with the answers under one profile alone.

    They are found by evaluation, so they are exact for a profile that is not bundled, too.

    Args:
        entry: the test.
        profile: the profile.

    Returns:
        The test, for engines with the profile's values of the dials on which answers depend; None
        if it is not for the profile.
    """
    made = under_profile(entry.cases[0], profile)
    if made is None:
        return None
    matter = {dial for own in entry.cases for one in own.requires for dial in one}
    dials = profile.dials(made.case.query)
    requires = {dial: (dials.text(dial),) for dial in DIALS if dial in matter}
    return SuiteEntry((replace(made, requires=(requires,)),))


def _with_requirements(own: SuiteCase, seed: str) -> SuiteCase:
    return replace(own, requires=(Dependence(own.case, own.dials).requires(seed),))


def _add(made: SuiteCase, found: list[SuiteCase], seed: str) -> None:
    """Add a case to those found, if its answers or its dials are new."""
    for place, other in enumerate(found):
        if _alike(made, other):
            if other.unmet(made.dials):
                more = _with_requirements(made, seed).requires
                found[place] = replace(other, requires=(*other.requires, *more))
            return
    found.append(_with_requirements(made, seed))


def _alike(one: SuiteCase, other: SuiteCase) -> bool:
    """Whether two cases ask the same and are compared with the same answers."""
    asked, others = ((c.case.query, c.start, c.dials.numbers, len(c.legal)) for c in (one, other))
    return asked == others and all(
        any(same_answer(answer, like) for like in other.legal) for answer in one.legal
    )
