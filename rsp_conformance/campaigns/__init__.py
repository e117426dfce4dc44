"""Fuzzing campaigns: an engine, as many cases as there is time for, and their causes.

A **unit** is a focus, a seed and a number of cases. A Spark task draws its cases, asks the engine
that its Python worker keeps, judges the answers by the reference model and by the Spark plan's own
code, and returns a row per case with what failed (``worker``). The Spark driver chooses units by
what they have brought so far (``choice``, by the coverage of ``signature``), writes every batch of
them whole or not at all (``store``), and meanwhile names the causes of failures
(``naming``, which shrinks one case of each cause). ``campaign`` puts these together; ``report``
says what a folder of campaigns holds.

    choice ──units──▶ worker (Spark tasks) ──rows──▶ store ──▶ report
       ▲                     │ what nothing known explains
       └───coverage──────────┴──▶ naming ──causes──▶ worker
"""
