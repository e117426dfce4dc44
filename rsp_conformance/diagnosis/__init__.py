"""Causes: what about an engine explains all of its answers, the right ones and the wrong ones.

A **hypothesis** is a setting of the semantics that predicts what the engine answers: dials turned,
or **mutants** (the catalogue of ``reference``, each one named defect), or both together.
"""
