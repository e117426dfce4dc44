"""The command line ``rsp-conformance``.

``main`` names the commands and turns every error into one line; ``options`` is what commands have
in common, ``given`` makes a case of it. Each command is imported when it runs, so
that ``--help`` is quick.
"""
