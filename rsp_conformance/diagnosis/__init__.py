"""Which setting of the semantics predicts what an engine answers?

If its profile is given, the setting is what explains its wrong answers: their causes. If the
profile is what you look for (`profile`), it is the profile itself.

A **hypothesis** is a setting of the semantics that predicts what the engine answers: dials turned,
or **mutants** (the catalogue of ``reference``, each one named bug), or both together.
"""
