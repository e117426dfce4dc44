"""C-SPARQL 0.9 (Esper and Jena), driven in this process by JPype; tried with 0.9.7.

It takes C-SPARQL as the kit prints it: SPARQL 1.1 but named graphs, over windows of whole seconds,
which are merged with the background data; no language tags and no blank nodes in the data. The
engine's time is external: the timestamps of the elements move it, and all answers are out when the
call that puts an element returns. They have the instant of Esper's clock. `README.md` says how the
clock starts, how one engine serves all cases, and what was found of it.

`engine.toml` says what it is, `driver.py` is the driver, `engine.py` the engine, `tables.py`
its terms and tables.
"""
