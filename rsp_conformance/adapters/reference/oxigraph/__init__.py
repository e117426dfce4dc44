"""SPARQL by a library: queries as pyoxigraph evaluates them, with RDF's own idea of a term."""
