"""RoXi, a reactive reasoner in Rust with one window over one stream: a driver crate for a checkout.

- **Versions tried**: 0.1.0, commit 31c83cb (September 2025).
- **What it can express**: SELECT over one window and background data, whose triples lie in one
  default graph; basic graph patterns. Other SPARQL it reads and answers with nothing (README.md).
- **When it is quiet**: when `add` returns. The driver builds the engine for a single thread.
- **Time**: it learns it from the elements of its one stream. Rows carry no time, so the driver
  sends null.
"""
