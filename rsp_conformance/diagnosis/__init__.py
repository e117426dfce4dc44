"""Which setting of the semantics predicts an engine's answers?

If the engine profile is given, the setting explains its wrong answers: their causes. If the profile
is sought (`profile`), the setting is the profile itself.

A **setting** has dials turned, or **mutants** switched on (the catalogue of ``reference``, each one
bug with a name), or both together.
"""
