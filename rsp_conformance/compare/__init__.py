"""When two answers of one evaluation are one (SEMANTICS 5; decisions 17, 24, 25 and 31).

``contents`` compares answers of any form, ``rows`` multisets of rows with blank nodes, ``numbers``
literals; ``matching`` finds partners. Which answer belongs to which evaluation is another question,
which each semantics answers on its own.
"""
