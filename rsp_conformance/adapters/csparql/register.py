"""C-SPARQL under its name (entry point group `rsp_conformance.engines`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rsp_conformance.adapters.jvm.engine import JvmEngine
from rsp_conformance.model.errors import did_you_mean
from rsp_conformance.model.features import RESTRICTIONS

CLOCKS: Final = ("early", "first")
"""When the engine's clock starts: before the registration, or with the first element."""

FEATURES: Final = (
    "select ask construct rstream filter-comparisons filter-not filter-in filter-functions "
    "other-functions optional-static optional-stream union-static union-stream bind minus values "
    "exists-static exists-stream paths subqueries one-aggregate group-by several-aggregates "
    "aggregate-expressions count-distinct having distinct order limit multi-window gap-windows "
    "static-data multi-triple-elements typed-literals"
).split()
"""What the language has, and the engine's API takes."""


def check_options(options: Mapping[str, str]) -> None:
    """Raise ValueError where an option has a value that it does not take."""
    clock = options.get("clock", CLOCKS[0])
    if clock not in CLOCKS:
        raise ValueError(f"clock is {clock!r}, expected {' or '.join(CLOCKS)}")
    declared(options)


def declared(options: Mapping[str, str]) -> list[str]:
    """The features of the hello under OPTIONS; ValueError where `without` names none of them."""
    names = [name.strip() for name in options.get("without", "").split(",") if name.strip()]
    declined = [f"without-{name}" for name in names if name not in FEATURES]
    for name in declined:
        if name not in RESTRICTIONS:
            bare = name.removeprefix("without-")
            hint = did_you_mean(bare, FEATURES)
            raise ValueError(f"without: {bare!r} is none of its features{hint}")
    return [*(name for name in FEATURES if name not in names), *declined]


CSPARQL: Final = JvmEngine(
    name="csparql",
    title="C-SPARQL",
    summary="C-SPARQL engine (Esper and Jena), as jars of your own",
    classes=(
        "eu.larkc.csparql.core.engine.CsparqlEngineImpl",
        "eu.larkc.csparql.core.new_parser.CsparqlParser",
        "eu.larkc.csparql.cep.esper.EsperEngine",
        "eu.larkc.csparql.cep.api.RdfStream",
        "eu.larkc.csparql.common.config.Config",
        "eu.larkc.csparql.sparql.jena.JenaEngine",
        "com.espertech.esper.client.time.CurrentTimeEvent",
        "com.hp.hpl.jena.query.QueryFactory",
    ),
    source=(
        "build it as the README of github.com/streamreasoning/CSPARQL-engine says, and put the "
        "jar of csparql-core and its dependencies into a folder"
    ),
    # cglib, of 2008, by which Esper reads events, defines classes through a private method.
    java_options=("--add-opens=java.base/java.lang=ALL-UNNAMED",),
    options={
        "clock": "early (an element of a stream of the driver's starts the engine's clock before "
        "the first window), or first (the case's first element does)",
        "without": "features to leave out of its hello, and what else an engine may decline "
        "(keyword-names for without-keyword-names), separated by commas, to see what it does "
        "beside a defect that is known",
    },
    check_options=check_options,
    trials=tuple(
        f"REGISTER QUERY q AS {form} FROM <urn:rsp:background> "
        "FROM STREAM <urn:rsp:trial> [RANGE 2s STEP 2s] "
        "WHERE { ?x <urn:rsp:p> ?y . ?x <urn:rsp:q> ?z . }"
        for form in ("SELECT ?x ?y", "CONSTRUCT { ?x <urn:rsp:p> ?y }")
    ),
)

ENGINE: Final = CSPARQL.entry()
