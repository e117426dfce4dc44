"""C-SPARQL 2, the engine of RSP4J on Esper and Jena: its driver.

- **Versions tried**: 2.0.0, the module csparql2 of RSP4J (the head of GitHub
  streamreasoning/rsp4j), with the dependencies that its own build gathers (Esper 7.1.0, Jena
  4.10.0), on Java 17.
- **What it can express**: SELECT and CONSTRUCT with all of SPARQL 1.1 over named windows and one
  file of background data, RStream, IStream and DStream.
- **When it is quiet**: when ``put`` returns. It has no thread, queue or timer of its own, so burst
  and settled are the same. Where ``put`` never returns, its thread waits for a lock of its own.
- **Time**: Esper's clock, which the elements of the query's streams alone move, in milliseconds.
  Every row has the time that the clock showed.

`engine.properties` is its configuration, `names.py` has the classes that are called, `terms.py`
takes terms there and back, `engine.py` is the engine of one case, `driver.py` the driver. README.md
says what was seen.
"""
