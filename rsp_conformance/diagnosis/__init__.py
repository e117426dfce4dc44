"""Which setting of the semantics predicts an engine's answers?

If the engine profile is given, the setting explains its wrong answers: their causes. If the profile
is sought (`profile`), the setting is the profile itself.

A **hypothesis** is a setting that may predict the engine's answers: dials turned, or **mutants**
(the catalogue of ``reference``, each one bug with a name), or both together.
"""
