"""The classes of YASPER, of RSP4J around it and of the libraries below it that the driver calls."""

from __future__ import annotations

from typing import Final

_RSP4J: Final = "org.streamreasoning.rsp4j."
_RDF: Final = "org.apache.commons.rdf."
_ANTLR: Final = "org.antlr.v4.runtime."

QUERY_FACTORY: Final = _RSP4J + "yasper.querying.syntax.TPQueryFactory"
JOIN: Final = _RSP4J + "yasper.querying.operators.r2r.joins.HashJoinAlgorithm"
TASK_BUILDER: Final = _RSP4J + "operatorapi.QueryTaskOperatorAPIImpl$QueryTaskBuilder"
PROGRAM_BUILDER: Final = _RSP4J + "operatorapi.ContinuousProgram$ContinuousProgramBuilder"
CONSUMER: Final = _RSP4J + "api.operators.s2r.execution.assigner.Consumer"
UPPER_CASE: Final = _RSP4J + "api.querying.syntax.CaseChangingCharStream"
LEXER: Final = _RSP4J + "api.querying.syntax.RSPQLLexer"
PARSER: Final = _RSP4J + "api.querying.syntax.RSPQLParser"
STREAM: Final = _RSP4J + "io.DataStreamImpl"
RDF: Final = _RDF + "simple.SimpleRDF"
IRI: Final = _RDF + "api.IRI"
BLANK_NODE: Final = _RDF + "api.BlankNode"
LITERAL: Final = _RDF + "api.Literal"
CHARACTERS: Final = _ANTLR + "CharStreams"
TOKENS: Final = _ANTLR + "CommonTokenStream"
ERROR_LISTENER: Final = _ANTLR + "ANTLRErrorListener"
LOGGER: Final = "org.apache.log4j.Logger"
LEVEL: Final = "org.apache.log4j.Level"
