"""The facts about an answer, each of them asked of the reference model.

``argued`` finds the member of Z to argue from and what is wrong under it, in the order of
a report.
"""
