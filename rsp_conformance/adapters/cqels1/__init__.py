"""CQELS 1, whose windows go by the machine's clock: its driver.

- **Versions tried**: 1.0.0 and 1.1.0 (the branch ``mvn-repo`` of GitHub KMax/cqels), on Java 17.
- **What it can express**: SELECT with ISTREAM, which is not written, over triple patterns in
  windows that slide with every arrival; FILTER, BIND and background data. README.md says more.
- **When it is quiet**: when ``send`` returns. Rows come within it; nothing comes at any other time.
- **Time**: it reads the clock as a triple comes in and forgets by it. So a case takes time, and
  many run side by side, each on streams of its own. Elements are sent at whole instants, windows
  are half an instant wider, and what was sent too late is never judged: the case begins again.

`case.py` is a case at work, `side_by_side.py` has many of them, in rounds, `query.py` writes a
case's streams and times into its query, `engine.py` holds the engine, `terms.py` takes terms there
and back.
"""
