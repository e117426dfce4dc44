"""A finding in HTML: the sections of a report, with the timeline as a picture.

What an engine says is escaped, for every text goes through `Markup.format`. It stands in a page
(`rsp_conformance.pages`) as well as in a notebook, and has no style of its own but what keeps long
lines within it.
"""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from rsp_conformance.explain.argument import ByDial
from rsp_conformance.explain.evidence.argued import nearest
from rsp_conformance.explain.render.report import TIMELINE, Section, report_sections
from rsp_conformance.explain.render.svg import timeline_svg
from rsp_conformance.explain.render.timeline import draw
from rsp_conformance.explain.situation import Situation
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.finding import Finding

WIDTH, TEXT_WIDTH, MOST_LINES = 2_000, 80, 200
"""Columns of a line, which the browser breaks; of a timeline in text; lines in all."""
PROSE = ("Why", "The relation", "What happened")
"""So begin the titles of sections that are read as paragraphs."""
_SECTION = Markup("<section><h4>{}</h4>{}</section>")
_PROSE = Markup("<p>{}</p>")
_LISTED = Markup('<pre style="white-space: pre-wrap; overflow-wrap: anywhere">{}</pre>')
_FIGURE = Markup(
    '<figure tabindex="0" style="margin: 0; overflow-x: auto">{}</figure>'
    "<details><summary>The timeline as text</summary>"
    '<pre style="overflow-x: auto">{}</pre></details>'
)


def finding_html(finding: Finding, *, by_dial: ByDial | None = None) -> Markup:
    """FINDING as a report shows it, without the headline; where it has a verdict with a picture.

    BY_DIAL is as in ``argued``.
    """
    sections = report_sections(finding, width=WIDTH, max_lines=MOST_LINES, by_dial=by_dial)
    return Markup("").join(_written(finding, sections))


def timeline_html(situation: Situation) -> Markup:
    """The timeline of SETTING as a picture, and as text for whoever reads that."""
    # drawsvg has escaped what is in it.
    picture = Markup(timeline_svg(situation))
    return _FIGURE.format(picture, "\n".join(draw(situation, TEXT_WIDTH)))


def _written(finding: Finding, sections: list[Section]) -> Iterator[Markup]:
    for section in sections:
        lines = section.body(WIDTH)
        if section.title.startswith(TIMELINE) and (drawn := _timeline(finding)) is not None:
            yield _SECTION.format(section.title, drawn)
        elif lines:
            form = _PROSE if section.title.startswith(PROSE) or not section.title else _LISTED
            blocks = ["\n".join(lines)] if form is _LISTED else lines
            body = Markup("").join(form.format(block) for block in blocks)
            yield _SECTION.format(section.title, body) if section.title else body


def _timeline(finding: Finding) -> Markup | None:
    """The picture of FINDING; None where there is none, or it takes more than it may."""
    if finding.verdict is None:
        return None
    try:
        with limited():
            found = nearest(finding.case, finding.dials, finding.observed, finding.verdict)
            return timeline_html(found)
    except LimitExceeded:
        return None
