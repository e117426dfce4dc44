"""Commands that measure the kit or draw it; each is `python -m tools.NAME`."""
