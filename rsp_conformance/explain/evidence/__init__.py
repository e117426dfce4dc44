"""What is true of an answer: facts, all of them asked of the specification.

``starts`` finds the query to argue from, ``argued`` what is wrong under it, in the order in which
it is told.
"""
