"""Kolibrie, an RDF engine with windows over streams in Rust: a driver crate for a checkout of it.

- **Versions tried**: 0.1.1, commit 846becb (August 2026).
- **What it can express**: SELECT over named windows and background data, basic graph patterns
  alone; its grammar has more, which it drops without a word (README.md) and is not declared.
- **When it is quiet**: when `process_single_thread_window_results` returns. The driver builds the
  engine for a single thread, so there is no other.
- **Time**: it learns it from the elements alone, each window from those of its own stream. Rows
  carry no time, so the driver sends null.
"""
