"""Why an answer is wrong, as an argument that a person can follow.

``evidence`` finds facts, ``argument`` holds them as values, ``render`` writes them.
"""
