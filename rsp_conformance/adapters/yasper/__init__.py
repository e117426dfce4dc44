"""YASPER, the RSP-QL engine of RSP4J: its driver.

- **Versions tried**: RSP4J 1.0.1 (the head of GitHub streamreasoning/rsp4j; its jars call
  themselves so), with the dependencies that its own build gathers, on Java 17.
- **What it can express**: SELECT over named windows and one file of background data; basic graph
  patterns, FILTER, IStream, DStream and RStream. Its grammar is all of SPARQL 1.1's, of which it
  ignores the rest without a word (README.md); what it ignores is not declared.
- **When it is quiet**: when ``put`` returns. It has no thread, queue or timer of its own, so burst
  and settled are the same.
- **Time**: it learns it from the elements alone, in milliseconds, one clock for all windows of a
  query. Every row carries the time of the element whose arrival closed the window.

`names.py` has the classes that are called, `syntax.py` asks the engine's own parser first,
`terms.py` takes terms there and back, `driver.py` runs a case. README.md says what was seen.
"""
