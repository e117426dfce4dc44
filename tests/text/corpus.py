"""Queries over the whole syntax, plain SPARQL and RSP-QL, the tricky ones among them."""

PROLOGUE = """PREFIX : <http://ex.org/>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""

# Each is legal SPARQL 1.1 below PROLOGUE.
SPARQL = {
    "star": "SELECT * { ?s ?p ?o }",
    "empty group": "SELECT * {}",
    "lower case": "select distinct ?s where { ?s a :C } order by ?s limit 1",
    "reduced": "SELECT REDUCED ?s WHERE { ?s :p ?o }",
    "abbreviations": "SELECT * { ?s a :C ; :p 1, 2 ; ; :q ?o . ?o :r 'x' }",
    "trailing semicolon": "SELECT * { ?s :p 1 ; }",
    "numbers": "SELECT * { ?s :p 1, -1, +1, 1.5, -.5, 1e3, -1.E-3, .5e0 }",
    "integer and end": "SELECT * { ?s :p 1 . ?s :q 2. }",
    "booleans": "SELECT * { ?s :p true, FALSE }",
    "strings": r"""SELECT * { ?s :p 'a', "b", '''c'd''', "\n\t\\\"", "\u00e9", "\\u0041" }""",
    "long strings": 'SELECT * { ?s :p """a "quoted"\nline""", \'\'\'it\'s\'\'\' }',
    "tagged and typed": "SELECT * { ?s :p 'a'@en, 'b'@en-GB, '1'^^xsd:int, '2'^^<urn:t> }",
    "blank nodes": "SELECT * { _:a :p [] . [] :q _:a . [ :r ?x ] :s [ :t [ :u 1 ] ] }",
    "blank node alone": "SELECT * { [ :p 1 ; :q 2 ] }",
    "collections": "SELECT * { ?s :p (1 (2 ?x) () [ :q 3 ]) . (1 2) :r ?y . (:a) :b (:c) }",
    "collection alone": "SELECT * { (1 [ :p 2 ]) }",
    "dollar": "SELECT $x { $x :p ?x }",
    "prefixed names": r"SELECT * { : :a.b :c:d . :%20 :\~x\.y :1 . }",
    "filters do not part triples": "SELECT * { ?s :p ?x FILTER(?x > 1) ?s :q ?y FILTER(?y < ?x) }",
    "braces part triples": "SELECT * { ?s :p ?x . { ?s :q ?y } ?s :r ?z }",
    "braces in braces": "SELECT * { { { ?s :p ?x } { ?s :q ?y } } }",
    "optional": "SELECT * { ?s :p ?x OPTIONAL { ?s :q ?y } OPTIONAL { ?y :r ?z } }",
    "optional first": "SELECT * { OPTIONAL { ?s :p ?o } }",
    "optional with filters": (
        "SELECT * { ?s :p ?x OPTIONAL { ?s :q ?y FILTER(?y > ?x) FILTER(?y < 9) } }"
    ),
    "filter in braces in optional": (
        "SELECT * { ?s :p ?x OPTIONAL { { ?s :q ?y FILTER(?y > 1) } } }"
    ),
    "filter in both": (
        "SELECT * { ?s :p ?x OPTIONAL { { ?s :q ?y FILTER(?y > 1) } FILTER(?y > ?x) } }"
    ),
    "optional in optional": (
        "SELECT * { ?s :p ?x OPTIONAL { ?s :q ?y OPTIONAL { ?y :r ?z FILTER(?z != ?x) } "
        "FILTER(?y > 1) } }"
    ),
    "optional subquery": "SELECT * { ?s :p ?x OPTIONAL { SELECT ?x { ?x :q 1 } } }",
    "optional subquery with filter": (
        "SELECT * { ?s :p ?x OPTIONAL { { SELECT ?x { ?x :q 1 } } FILTER(?x > 1) } }"
    ),
    "union": "SELECT * { { ?s :p 1 } UNION { ?s :q 2 } UNION { ?s :r 3 } }",
    "union to the right": "SELECT * { { ?s :p 1 } UNION { { ?s :q 2 } UNION { ?s :r 3 } } }",
    "union in optional": "SELECT * { ?s :p ?x OPTIONAL { { ?s :q 1 } UNION { ?s :r 2 } } }",
    "union of nothing": "SELECT * { {} UNION { ?s :p 1 } }",
    "minus": "SELECT * { ?s :p ?x MINUS { ?s :q ?x FILTER(?x > 1) } }",
    "minus and triples": "SELECT * { ?s :p ?x MINUS { ?s :q ?x } ?s :r ?y }",
    "bind": "SELECT * { ?s :p ?x BIND(?x + 1 AS ?y) ?s :q ?y BIND(?y * 2 AS ?z) }",
    "values": "SELECT * { VALUES ?x { 1 :a 'b'@en } VALUES (?y ?z) { (1 UNDEF) (UNDEF :a) } }",
    "empty values": "SELECT * { VALUES ?x {} VALUES () { () () } VALUES (?y ?z) {} }",
    "values at the end": "SELECT * { ?s :p ?x } VALUES (?s ?x) { (:a 1) }",
    "graph": "SELECT * { GRAPH :g { ?s :p ?o } GRAPH ?g { GRAPH ?h {} FILTER(?g != ?h) } }",
    "service": "SELECT * { SERVICE :e { ?s :p ?o } SERVICE SILENT ?e { ?s :q ?o } }",
    "exists": "SELECT * { ?s :p ?x FILTER EXISTS { ?s :q ?x FILTER(?x > 1) } }",
    "not exists within": "SELECT * { ?s :p ?x FILTER(?x > 1 || NOT EXISTS { ?s :q ?x }) }",
    "not and exists": "SELECT * { ?s :p ?x FILTER(!EXISTS { ?s :q ?x }) }",
    "subquery": "SELECT * { { SELECT ?s (COUNT(*) AS ?n) { ?s :p ?o } GROUP BY ?s } ?s :q ?n }",
    "subquery as group": "SELECT ?s { SELECT ?s { ?s :p ?o } LIMIT 1 }",
    "subquery with values": "SELECT * { { SELECT ?s { ?s :p ?o } VALUES ?o { 1 } } }",
    "logic": "SELECT * { ?s :p ?x FILTER(?x = 1 || ?x = 2 && !(?x > 3) || (?x < 4 || ?x > 5)) }",
    "arithmetic": "SELECT (1 + 2 * 3 - (4 - 5) / 6 * -?x AS ?y) { ?s :p ?x }",
    "without spaces": "SELECT (?x -1 AS ?a) (?x-1*2 AS ?b) (?x+1/2-3 AS ?c) { ?s :p ?x }",
    "unary": (
        "SELECT (-?x AS ?a) (- 1 AS ?b) (+(?x) AS ?c) (-(-?x) AS ?d) (1 - -1 AS ?e) { ?s :p ?x }"
    ),
    "comparisons": (
        "SELECT * { ?s :p ?x, ?y FILTER(?x<?y && ?x <= 1 && ?x != ?y && (?x > 1) = true) }"
    ),
    "in": "SELECT * { ?s :p ?x FILTER(?x IN (1, :a, ?s) && ?x + 1 NOT IN (2) || ?x IN ()) }",
    "calls": (
        "SELECT * { ?s :p ?x FILTER REGEX(STR(?x), '^a.*\\\\.b$', 'i') FILTER(xsd:integer(?x) > 1) "
        "FILTER :f(?x) FILTER(:g()) FILTER isIRI(?s) FILTER(BOUND(?x)) }"
    ),
    "functions": (
        "SELECT (IF(?x, 1, 2) AS ?a) (COALESCE(?x, 1) AS ?b) (CONCAT() AS ?c) "
        "(SUBSTR(?x, 1) AS ?d) (SUBSTR(?x, 1, 2) AS ?e) (REPLACE(?x, 'a', 'b', 'i') AS ?f) "
        "(BNODE() AS ?g) (NOW() AS ?h) (encode_for_uri(?x) AS ?i) "
        "(langMatches(LANG(?x), '*') AS ?j) (sameTerm(?x, :a) AS ?k) "
        "{ ?s :p ?x }"
    ),
    "aggregates": (
        "SELECT (COUNT(*) AS ?a) (COUNT(DISTINCT *) AS ?b) (SUM(DISTINCT ?x + 1) AS ?c) "
        "(GROUP_CONCAT(DISTINCT ?x; SEPARATOR = ', ') AS ?d) (GROUP_CONCAT(?x) AS ?e) "
        "(MIN(?x) - MAX(?x) AS ?f) (AVG(?x) / SAMPLE(?x) AS ?g) { ?s :p ?x }"
    ),
    "grouping": (
        "SELECT ?s ?k (SUM(?x) AS ?n) (?n + 1 AS ?m) { ?s :p ?x ; :q ?y } "
        "GROUP BY ?s (?y + 1 AS ?k) STR(?y) (?x = 1) :f(?y) "
        "HAVING (SUM(?x) > 1) (COUNT(*) < 9) ORDER BY DESC(SUM(?x)) ?s (?k + 1) ASC(?k) STR(?s)"
    ),
    "slices": "SELECT * { ?s ?p ?o } OFFSET 2 LIMIT 3",
    "paths": (
        "SELECT * { ?s :a/:b|^:c*/(:d|:e)+/^(:f/:g)? ?o . ?s !:a ?x . ?s !(:a|^:b|^a) ?y . "
        "?s ^a ?z . ?s (:a*)* ?u . ?s !^:a ?v . ?s !() ?w . ?s (^:a)* ?t . ?s a|!a ?q }"
    ),
    "path and sign": "SELECT * { ?s :p+ 1 ; :p +1 ; :p? ?x ; :p* -1 }",
    "from": "SELECT * FROM :a FROM NAMED :b FROM :c FROM NAMED <urn:d> { ?s ?p ?o }",
    "ask": "ASK { ?s :p 1 }",
    "ask without where": "ASK FROM :g WHERE { ?s :p 1 }",
    "construct": "CONSTRUCT { ?s :p _:b . _:b :q ?o } WHERE { ?s :r ?o . ?o :r _:b } LIMIT 2",
    "construct nothing": "CONSTRUCT {} WHERE { ?s :r ?o }",
    "construct where": "CONSTRUCT FROM :g WHERE { ?s :r ?o ; a :C }",
    "describe": "DESCRIBE :a",
    "describe more": "DESCRIBE ?s :b FROM :g WHERE { ?s :p ?o } ORDER BY ?s",
    "describe all": "DESCRIBE * { ?s :p ?o }",
    "comments": "SELECT * # all\n{ ?s :p <http://ex.org/#hash> # no ?x }\n}",
    "keywords as names": "SELECT ?a ?select { ?a :select ?select ; :filter :where }",
    "base": "BASE <http://ex.org/a/b> SELECT * { <c> <#d> <../e> . <?q> <> <//f/g> }",
    "redeclared": "PREFIX x: <urn:1> PREFIX x: <urn:2> SELECT * { x:a x:b x:c }",
}

# RSP-QL and quoted triples, which plain SPARQL does not have.
RSP_QL = {
    "registered": (
        "REGISTER RStream <http://ex.org/out> AS SELECT ?s "
        "FROM NAMED WINDOW :w ON STREAM :s [RANGE 5 STEP 2] WHERE { WINDOW :w { ?s ?p ?o } }"
    ),
    "stream first": "REGISTER STREAM :out COMPUTED EVERY PT10S AS SELECT * {}",
    "both words": "REGISTER ISTREAM STREAM :out AS SELECT * {}",
    "other order": "register query dstream :out computed every 5 as select * {}",
    "nameless": "REGISTER RSTREAM AS ASK {}",
    "name alone": "REGISTER <urn:q> AS SELECT * {}",
    "nothing": "REGISTER AS SELECT * {}",
    "prologue within": "REGISTER QUERY :q AS PREFIX y: <urn:y> SELECT * { ?s y:p ?o }",
    "durations": (
        "SELECT * FROM NAMED WINDOW :a ON STREAM :s [RANGE PT5S STEP PT0.5S] "
        "FROM NAMED WINDOW :b ON :s [RANGE P1DT2H STEP PT1M30S] "
        "FROM WINDOW :c ON <urn:s> [RANGE P1W] FROM NAMED WINDOW <urn:d> ON STREAM :t [RANGE 7] {}"
    ),
    "windows and graphs": (
        "CONSTRUCT { ?s :p ?o } FROM :g FROM NAMED WINDOW :w ON STREAM :s [RANGE 5 STEP 5] "
        "FROM NAMED :h WHERE { WINDOW ?x { ?s :p ?o FILTER(?o > 1) } GRAPH :h { ?s :q ?o } }"
    ),
    "window in exists": "SELECT * { ?s ?p ?o FILTER NOT EXISTS { WINDOW :w { ?s :p ?o } } }",
    "windows in union": (
        "SELECT * { { WINDOW :a { ?s :p ?o . ?o :p ?s } } UNION { WINDOW :b { ?s :p ?o } } "
        "OPTIONAL { WINDOW :c { ?s :q ?x } } WINDOW :d {} }"
    ),
    "window in window": "SELECT * { WINDOW :w { GRAPH ?g { ?s ?p ?o } WINDOW :v { ?s ?p ?o } } }",
    "quoted": "SELECT * { << ?s :p ?o >> :q << :a ?p << ?x a 1 >> >> . ?t :r <<( ?s :p 'x' )>> }",
    "quoted without spaces": "SELECT * { <<?s :p ?o>> :q <<:a ?p <<?x a ?y>>>> }",
    "quoted with blank node": "SELECT * { << _:b :p [] >> :q ?x }",
    "quoted in expressions": (
        "SELECT (<< ?s :p 1 >> AS ?t) (TRIPLE(?s, :p, 1) AS ?u) { ?s :q ?x "
        "FILTER(?x = << ?s a <<( :a :b :c )>> >> && isTRIPLE(?x) && SUBJECT(?x) = ?s) }"
    ),
    "quoted values": "SELECT * { VALUES ?t { << :a :p 1 >> <<( :a a <<( :b :c :d )>> )>> } }",
    "quoted template": "CONSTRUCT { << ?s :p ?o >> :q ?x } WHERE { << ?s :p ?o >> :r ?x }",
}

ALL = {name: PROLOGUE + text for name, text in (SPARQL | RSP_QL).items()}

# Illegal by SPARQL 1.1.
WRONG = {
    "no pattern": "SELECT ?s",
    "no variables": "SELECT WHERE { ?s ?p ?o }",
    "unfinished triple": "SELECT * { ?s ?p }",
    "two dots": "SELECT * { ?s ?p ?o .. }",
    "comma first": "SELECT * { ?s ?p , ?o }",
    "filter without brackets": "SELECT * { ?s ?p ?o FILTER ?o > 1 }",
    "union without braces": "SELECT * { ?s ?p ?o UNION { ?s ?p ?o } }",
    "optional without braces": "SELECT * { OPTIONAL ?s ?p ?o }",
    "blank node as property": "SELECT * { ?s _:p ?o }",
    "literal as property": "SELECT * { ?s 'p' ?o }",
    "string in two lines": "SELECT * { ?s ?p 'a\nb' }",
    "unclosed": "SELECT * { ?s ?p ?o ",
    "closed twice": "SELECT * { ?s ?p ?o }}",
    "limit without number": "SELECT * { ?s ?p ?o } LIMIT",
    "having first": "SELECT * { ?s ?p ?o } ORDER BY ?s GROUP BY ?s",
    "undeclared prefix": "SELECT * { ?s x:p ?o }",
    "bound of a term": "SELECT * { ?s ?p ?o FILTER(BOUND(1)) }",
    "arguments": "SELECT * { ?s ?p ?o FILTER(STRLEN(?o, 1) > 1) }",
    "values arity": "SELECT * { VALUES (?x ?y) { (1) } }",
    "bind in scope": "SELECT * { ?s ?p ?o BIND(1 AS ?o) }",
    "select in scope": "SELECT (1 AS ?o) { ?s ?p ?o }",
    "not grouped": "SELECT ?o { ?s ?p ?o } GROUP BY ?s",
    "not grouped in expression": "SELECT (?o + COUNT(*) AS ?n) { ?s ?p ?o }",
    "star of groups": "SELECT * { ?s ?p ?o } GROUP BY ?s",
    "nested aggregates": "SELECT (SUM(COUNT(?s)) AS ?n) { ?s ?p ?o }",
    "aggregate in filter": "SELECT * { ?s ?p ?o FILTER(COUNT(?s) > 1) }",
    "label in two patterns": "SELECT * { _:a ?p ?o OPTIONAL { _:a ?q ?r } }",
    "subquery with FROM": "SELECT * { { SELECT * FROM <urn:g> { ?s ?p ?o } } }",
    "path in template": "CONSTRUCT { ?s <urn:p>* ?o } WHERE { ?s ?p ?o }",
    "filter in construct where": "CONSTRUCT WHERE { ?s ?p ?o FILTER(?o) }",
    "variable twice in values": "SELECT * { VALUES (?x ?x) { (1 1) } }",
    "variable in values": "SELECT * { VALUES ?x { ?y } }",
}
