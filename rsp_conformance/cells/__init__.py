"""Cells: what may be written and may happen, in tables, and which of it a case meets.

A cell is a short text, such as "Filter > Union" (a FILTER directly around a UNION) or
"STRLEN(1: tagged)" (STRLEN of a literal with a language tag). Each table lists all cells that there
are, out of the model itself, with the reason where one cannot be met; and it says which of them a
case meets. `make coverage` counts them over what the strategies draw, and campaigns choose by
them.

Most cells are read off the case, by all tables of ``tools.coverage.tables``. What kinds of terms
reach a function is seen while the reference model evaluates it: ``heard.Heard`` listens.
"""
