"""Suites of cases: written, read back, judged by, and the packaged one."""
