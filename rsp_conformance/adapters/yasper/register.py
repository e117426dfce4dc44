"""YASPER under its name (entry point group `rsp_conformance.engines`)."""

from __future__ import annotations

from typing import Final

from rsp_conformance.adapters.jvm.engine import JvmEngine
from rsp_conformance.adapters.yasper import names

YASPER: Final = JvmEngine(
    name="yasper",
    title="YASPER",
    summary="RSP-QL engine in Java, of RSP4J, as jars of your own",
    classes=names.CLASSES,
    source=(
        "build the module operatorapi of RSP4J (GitHub streamreasoning/rsp4j) as its own pages say "
        "and put its jar and those that it depends on, Jena's among them, into a folder"
    ),
    trials=(
        "REGISTER RSTREAM <urn:rsp:out> AS SELECT ?x ?y "
        "FROM NAMED WINDOW <urn:rsp:w> ON <urn:rsp:trial> [RANGE PT2S STEP PT2S] "
        "WHERE { WINDOW <urn:rsp:w> { ?x <urn:rsp:p> ?y } ?x <urn:rsp:q> ?z }",
    ),
)

ENGINE: Final = YASPER.entry()
