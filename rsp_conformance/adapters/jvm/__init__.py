"""The common base of the drivers of engines on the Java virtual machine.

`engine.py` is such an engine as the registry knows it, by an `engine.toml` of its own: its jars are
the user's, named once by ``engines install NAME --jars FOLDER`` or for one run by
``--engine-option jars=FOLDER``. `jars.py` finds and checks them, `java.py` finds Java and starts
it, `driver.py` is the process.

One engine a process: class paths do not go together, and a virtual machine starts but once. JPype
(the extra ``rsp-conformance[jvm]``) runs it in the driver's process; the drivers see of it the two
methods of `java.Java`, which a fake has too.
"""
