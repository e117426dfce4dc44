"""Commands on the pages: ``python -m tools.pages`` runs them and writes what they print.

HTML comments, which readers do not see, say what the blocks of code on a page are. A comment is on
the line above its block. A comment of several lines contains the block itself, which the page then
does not show. A block without a comment is left alone.

- ``<!-- file: NAME -->``: the block is a file.
- ``<!-- edit: NAME: START -->``: the block replaces, in the file, the one line that begins with
  START, and what is indented below that line.
- ``<!-- copy: PATH -->``, without a block: a file is copied, named from the page's folder.
- ``<!-- files: PAGE -->``, without a block: all files of another page, with all its edits.
- ``<!-- run -->``: the commands of the block are run, and what each prints is written below it. A
  block in Python is run too.
- ``<!-- run: slow -->``: the same for commands that take long, but not in tests.
- ``<!-- output -->``: the block is all that was printed by what ran last.
- ``<!-- part -->``: the block is a part of it.

Further comments may accompany ``run``, ``output`` and ``part``:

- ``<!-- quiet -->``: the page shows nothing of what the commands print.
- ``<!-- skip: PROGRAM -->``: the commands of a program are not run.
- ``<!-- varies: PATTERN -->``: a regular expression for what differs from run to run, such as a
  time. If nothing else has changed, the page keeps what it has.

A line ``...`` in an output leaves lines out.
"""
