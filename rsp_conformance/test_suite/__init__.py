"""Test suites of cases that need no kit: written, read, judged by, and curated.

A suite is a folder: a manifest, and for each case files with its query, streams, background data,
dials and every legal answer (fixtures/suite/README.md describes it for those who write engines).
The package holds its own suite in one file, of which ``export`` makes the folder.
"""
