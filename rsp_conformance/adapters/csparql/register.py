"""C-SPARQL under its name (entry point group `rsp_conformance.engines`)."""

from __future__ import annotations

from typing import Final

from rsp_conformance.adapters.jvm.engine import JvmEngine

FEATURES: Final = (
    "select ask construct rstream filter-comparisons filter-not filter-in filter-functions "
    "other-functions optional-static optional-stream union-static union-stream bind minus values "
    "exists-static exists-stream paths subqueries one-aggregate group-by several-aggregates "
    "aggregate-expressions count-distinct having distinct order limit multi-window gap-windows "
    "static-data multi-triple-elements typed-literals"
).split()
"""What the language has, and the engine's API takes."""


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
    },
    choices={"clock": ("early", "first")},
    trials=tuple(
        f"REGISTER QUERY q AS {form} FROM <urn:rsp:background> "
        "FROM STREAM <urn:rsp:trial> [RANGE 2s STEP 2s] "
        "WHERE { ?x <urn:rsp:p> ?y . ?x <urn:rsp:q> ?z . }"
        for form in ("SELECT ?x ?y", "CONSTRUCT { ?x <urn:rsp:p> ?y }")
    ),
)

ENGINE: Final = CSPARQL.entry()
