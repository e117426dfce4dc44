"""Decides whether two answers of one evaluation are equal (SEMANTICS 5; decisions 17, 24, 25, 31).

``contents`` compares answers of any form, ``rows`` multisets of rows with blank nodes, and
``numbers`` literals; ``matching`` finds partners. Which answer belongs to which evaluation is not
decided here: each of the two implementations does that independently.
"""
