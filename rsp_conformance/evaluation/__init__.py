"""The solutions of a query over a dataset, by the way that covers it.

``ways`` chooses between the definitions' own evaluator (``r2r``) and a library (``by_library``);
``by_rdflib`` is a second library, asked before an engine is accused. What the two libraries have in
common: ``core`` is what they are asked of a query, ``stored`` the dataset as graphs with names,
``solving`` does what SPARQL does after the pattern, ``openness`` says where SPARQL leaves it open.
"""
