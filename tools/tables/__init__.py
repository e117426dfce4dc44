"""Tables of the pages that come from the code: ``python -m tools.tables NAME`` prints one."""
