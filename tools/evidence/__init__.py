"""The frozen evidence: runs that were recorded once, and replayed by whatever the code is today.

``record`` runs the properties against an engine and writes down what it was asked, what it
answered and what the verdicts were (`recording`); ``runs.toml`` lists the runs. ``replay`` asks
today's code what it says about them, without any engine, and ``baseline.json`` holds the figures
that a change must not make worse (`report`). ``python -m tools.evidence --help`` says how to run
it.
"""
