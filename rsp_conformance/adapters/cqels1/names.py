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
