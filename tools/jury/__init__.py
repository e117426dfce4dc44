"""The jury: SPARQL's other implementations are asked what the specification is asked.

Random expressions over terms of all kinds, and random patterns over small datasets, are evaluated
by the specification, rdflib, pyoxigraph, Jena ARQ and RDF4J (``jurors``, ``jvm``). Answers that are
one by value fall into one class, and questions whose answers part the jurors in the same way, over
arguments of the same kinds, are one group (``classes``, ``groups``). A group in which the
specification stands against at least two others is a question about the text of the
recommendation, and ``decisions.toml`` answers it.

``python -m tools.jury --help`` says how it is run; docs/semantics.md says what it has found.
"""
