"""The query that is asked for as long as the stream lasts."""

from __future__ import annotations

from typing import Final

from rsp_conformance.burnin.config import NotRun
from rsp_conformance.burnin.stream import NAMESPACE, NEARBY, PLACES
from rsp_conformance.model.algebra import BGP, Pattern, TriplePattern, Window
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.policy import mentions
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.query import Form, Projection, Query, StreamOperator
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.windows import WindowDeclaration

STREAM: Final = IRI(f"{NAMESPACE}s1")
WINDOW: Final = IRI(f"{NAMESPACE}w1")
PREFIXES: Final = (("", NAMESPACE),)
WHO: Final = Variable("who")
WIDTH, SLIDE = 100, 10
"""α and β in instants: an element is in ten windows, and |Z| = β is ten."""


def default_query(features: frozenset[str], profile: Profile) -> Query:
    """Who is near :a3? Over windows of α = 100 instants, one every β = 10.

    A few rows of some hundred elements, so that an answer says something and costs little.
    RSTREAM where features and profile have it, for an engine may need an operator; merged windows
    and COMPUTED EVERY where the profile has no other way. The form is the first that the engine
    declares of SELECT, CONSTRUCT and ASK.

    Raises:
        NotRun: the engine declares no form.
    """
    forms = {"select": Form.SELECT, "construct": Form.CONSTRUCT, "ask": Form.ASK}
    form = next((form for name, form in forms.items() if name in features), None)
    if form is None:
        raise NotRun(f"the engine declares no form of query ({', '.join(forms)})")
    triples = (TriplePattern(WHO, NEARBY, PLACES[3]),)
    pattern: Pattern = BGP(triples)
    dials = profile.base
    merged = dials.windows_in == "default"
    if not merged:
        pattern = Window(WINDOW, pattern)
    streams = "rstream" in features and "R" in dials.stream_operators and form is Form.SELECT
    return Query(
        pattern,
        form=form,
        operator=StreamOperator.RSTREAM if streams else None,
        name=IRI(f"{NAMESPACE}out") if streams else None,
        computed_every=SLIDE if mentions(dials.report, "COMPUTED EVERY") else None,
        windows=(WindowDeclaration(WINDOW, STREAM, WIDTH, SLIDE, named=not merged),),
        projection=(Projection(WHO),) if form is Form.SELECT else None,
        template=triples if form is Form.CONSTRUCT else (),
        prefixes=PREFIXES,
    )
