"""What is true of an answer: facts, all of them asked of the specification.

``argued`` finds the query to argue from and what is wrong under it, in the order in which it is
told.
"""
