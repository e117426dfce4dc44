"""The command line ``rsp-conformance``.

``main`` lists the commands and turns every error into one line; ``options`` is what commands have
in common. A command stands under its name in a module that is imported when the command is named,
so that ``--help`` is quick.
"""
