"""Two engines asked the same: differential testing, where the profiles say that they must agree.

An abstract case is printed in the language of each. Which of the two is wrong where they differ,
Definition 26 says under each engine's own profile.
"""
