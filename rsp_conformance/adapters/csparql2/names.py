"""The classes of C-SPARQL 2, of RSP4J around it and of the libraries below it that are called."""

from __future__ import annotations

from typing import Final

_RSP4J: Final = "org.streamreasoning.rsp4j."
_JENA: Final = "org.apache.jena."

ENGINE: Final = _RSP4J + "csparql2.engine.CSPARQLEngine"
QUERY_FACTORY: Final = _RSP4J + "csparql2.syntax.QueryFactory"
ESPER: Final = _RSP4J + "esper.operators.s2r.epl.RuntimeManager"
ENGINE_CONFIGURATION: Final = _RSP4J + "api.engine.config.EngineConfiguration"
QUERY_CONFIGURATION: Final = _RSP4J + "api.sds.SDSConfiguration"
CONSUMER: Final = _RSP4J + "api.operators.s2r.execution.assigner.Consumer"
STREAM: Final = _RSP4J + "io.DataStreamImpl"
SERVICES: Final = "com.espertech.esper.client.EPServiceProviderManager"
SPAN: Final = "com.espertech.esper.client.time.CurrentTimeSpanEvent"
GRAPH: Final = _JENA + "graph.Graph"
GRAPHS: Final = _JENA + "graph.Factory"
TRIPLE: Final = _JENA + "graph.Triple"
NODES: Final = _JENA + "graph.NodeFactory"
DATATYPES: Final = _JENA + "datatypes.TypeMapper"
IRIS: Final = _JENA + "irix.IRIs"
LOGGER: Final = "org.apache.log4j.Logger"
LEVEL: Final = "org.apache.log4j.Level"
THREAD: Final = "java.lang.Thread"
