"""The classes of CQELS 1 and of its libraries that the driver calls."""

from __future__ import annotations

from typing import Final

CONTEXT: Final = "org.deri.cqels.engine.ExecContext"
LISTENER: Final = "org.deri.cqels.engine.ContinuousListener"
NODE: Final = "com.hp.hpl.jena.graph.Node"
TRIPLE: Final = "com.hp.hpl.jena.graph.Triple"
TYPES: Final = "com.hp.hpl.jena.datatypes.TypeMapper"
LABEL: Final = "com.hp.hpl.jena.rdf.model.AnonId"
ESPER: Final = "com.espertech.esper.client.EPServiceProviderManager"

CLASSES: Final = (
    CONTEXT,
    LISTENER,
    NODE,
    TRIPLE,
    TYPES,
    LABEL,
    ESPER,
    # What these need at their first call, from other jars.
    "com.hp.hpl.jena.tdb.TDBFactory",
    "com.hp.hpl.jena.sparql.core.DatasetGraph",
    "com.sleepycat.je.Environment",
    "net.sf.cglib.reflect.FastClass",
    "org.antlr.runtime.Lexer",
    "org.apache.commons.logging.Log",
    "org.slf4j.Logger",
)
"""The first is the engine's own."""
