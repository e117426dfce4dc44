"""CQELS 2 under its name (entry point group `rsp_conformance.engines`)."""

from __future__ import annotations

from typing import Final

from rsp_conformance.adapters.jvm.engine import JvmEngine

CQELS: Final = JvmEngine(
    name="cqels",
    title="CQELS 2",
    summary="CQELS 2, on the JVM: FUTURE windows, or RANGE windows by an option",
    classes=(
        # What the driver calls; the first is the engine's own.
        "org.cqels.engine.CQELSEngine",
        "org.cqels.engine.QueryResultListener",
        "org.cqels.lang.CqelsQueryParser",
        "org.eclipse.rdf4j.model.impl.SimpleValueFactory",
        # What these need at their first call, from other jars.
        "org.antlr.v4.runtime.Parser",
        "org.eclipse.rdf4j.repository.sail.SailRepository",
        "org.eclipse.rdf4j.sail.memory.MemoryStore",
        "reactor.core.publisher.Flux",
    ),
    source=(
        "let Maven copy org.cqels:cqels-engine with its dependencies into a folder (mvn "
        "dependency:copy-dependencies; the repository is https://maven.cqels.org/releases)"
    ),
    # Joins of several patterns in a FUTURE window are off without it.
    java_options=("-Dcqels.directional.multiPatternSelect=true",),
    options={
        "windows": "how windows are written: future (the default), range, or range-joins, "
        "which asks for no single pattern"
    },
    choices={"windows": ("future", "range", "range-joins")},
    trials=(
        "REGISTER QUERY q AS SELECT ?x ?y FROM STREAM trial [FUTURE 2s STEP 2s] "
        "WHERE { STREAM trial { ?x <urn:rsp:p> ?y . } }",
    ),
)

ENGINE: Final = CQELS.entry()
