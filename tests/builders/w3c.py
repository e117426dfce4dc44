"""A suite of a few tests, laid out as w3c/rdf-tests is."""

from __future__ import annotations

from pathlib import Path

BASE = "https://w3c.github.io/rdf-tests/sparql/sparql11/mini/manifest.ttl#"
PREFIXES = """
@prefix : <#> .
@prefix mf: <http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#> .
@prefix qt: <http://www.w3.org/2001/sw/DataAccess/tests/test-query#> .
"""
TOP = PREFIXES + "<> a mf:Manifest ; mf:include ( <mini/manifest.ttl> <update/manifest.ttl> ) ."
UPDATE = (
    PREFIXES + "[] a mf:Manifest ; mf:entries ( :u ) . :u a mf:UpdateEvaluationTest ; mf:name 'u' ."
)
MINI = (
    PREFIXES
    + """
<> a mf:Manifest ; mf:entries ( :reads :refuses :right :wrong :path :describe :graphs :from ) .
:reads a mf:PositiveSyntaxTest11 ; mf:name "reads" ; mf:action <right.rq> .
:refuses a mf:NegativeSyntaxTest11 ; mf:name "refuses" ; mf:action <broken.rq> .
:right a mf:QueryEvaluationTest ; mf:name "right" ;
  mf:action [ qt:query <right.rq> ; qt:data <data.ttl> ] ; mf:result <right.srx> .
:wrong a mf:QueryEvaluationTest ; mf:name "wrong" ;
  mf:action [ qt:query <right.rq> ; qt:data <empty.ttl> ] ; mf:result <right.srx> .
:path a mf:QueryEvaluationTest ; mf:name "path" ;
  mf:action [ qt:query <path.rq> ; qt:data <data.ttl> ] ; mf:result <right.srx> .
:describe a mf:QueryEvaluationTest ; mf:name "describe" ;
  mf:action [ qt:query <describe.rq> ; qt:data <data.ttl> ] ; mf:result <data.ttl> .
:graphs a mf:QueryEvaluationTest ; mf:name "graphs" ;
  mf:action [ qt:query <graphs.rq> ; qt:graphData <data.ttl> ] ; mf:result <graphs.ttl> .
:from a mf:QueryEvaluationTest ; mf:name "from" ;
  mf:action [ qt:query <from.rq> ] ; mf:result <from.srj> .
"""
)
ROWS = """<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head><variable name="x"/></head>
<results><result><binding name="x"><literal
datatype="http://www.w3.org/2001/XMLSchema#integer">1</literal></binding></result></results>
</sparql>"""
GRAPHS = """
@prefix rs: <http://www.w3.org/2001/sw/DataAccess/tests/result-set#> .
[] a rs:ResultSet ; rs:resultVariable "g" ;
  rs:solution [ rs:binding [ rs:variable "g" ; rs:value <data.ttl> ] ] .
"""
FILES = {
    "manifest.ttl": TOP,
    "update/manifest.ttl": UPDATE,
    "mini/manifest.ttl": MINI,
    "mini/right.rq": "SELECT ?x { ?s <urn:p> ?x }",
    "mini/broken.rq": "SELECT ?x { ?s <urn:p> }",
    "mini/path.rq": "SELECT ?x { <urn:s> <urn:p>+ ?x }",
    "mini/describe.rq": "DESCRIBE <urn:s>",
    "mini/graphs.rq": "SELECT ?g { GRAPH ?g { ?s ?p ?o } }",
    "mini/from.rq": "ASK FROM <data.ttl> { ?s <urn:p> 1 }",
    "mini/data.ttl": "<urn:s> <urn:p> 1 .",
    "mini/empty.ttl": "",
    "mini/right.srx": ROWS,
    "mini/graphs.ttl": GRAPHS,
    "mini/from.srj": '{"head": {}, "boolean": true}',
}


def write(folder: Path, **changed: str) -> Path:
    """The suite in FOLDER, a checkout; CHANGED are other texts of files of ``mini``."""
    files = FILES | {f"mini/{name.replace('__', '.')}": text for name, text in changed.items()}
    for name, text in files.items():
        path = folder / "sparql" / "sparql11" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder
