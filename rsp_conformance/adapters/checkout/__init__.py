"""Engines in Rust that no registry has: their drivers are built against a checkout of the user's.

`engine.py` builds and starts them; `src/` holds what their drivers share: the protocol and terms.
"""
