"""Differential testing: two engines get the same cases, and must agree if their profiles say so.

Each abstract case is printed in the language of each engine. If the answers differ, Definition 26
says under each engine's own profile which of the two is wrong.
"""
