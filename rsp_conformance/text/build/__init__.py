"""From the parse tree to the algebra (SPARQL 1.1, section 18.2), by part of the grammar."""
