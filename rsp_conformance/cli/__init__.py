"""The command line ``rsp-conformance``.

``main`` lists the commands and turns every error into one line; ``options`` has the options that
commands share, ``tables`` their output. The function of a command has the command's name. Its
module is imported when the command is run, so that ``--help`` is quick. The docstring of a command
is its help, which is why it has no section of arguments: each option has a help text of its own.
"""
