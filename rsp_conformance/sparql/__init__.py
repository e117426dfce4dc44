"""The parts of SPARQL that both evaluators share: values, functions, casts (SPARQL 1.1, 17).

``values`` turns literals into values and back. ``functions`` has all operators and built-ins by
name; ``arithmetic``, ``comparison``, ``datetimes``, ``regex`` and ``casts`` define them.
``order`` ranks terms for ORDER BY. ``dataset`` and ``relation`` are the data that a query is
evaluated over and its solutions. ``coverage`` refuses queries that are not evaluated.
``compare`` decides whether two answers of one evaluation are equal.

The texts leave some points open. ``open_points`` lists them, and ``readings`` lets an evaluation
take one reading or another and records which points it met.
"""
