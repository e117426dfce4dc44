"""Commands that measure the kit; each is `python -m tools.NAME`, and a target of the Makefile."""
