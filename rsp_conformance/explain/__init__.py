"""Why an answer is wrong, as an argument that a person can follow.

**What is sought.** A verdict says that no member of Z fits an answer, which a reader can't check.
An argument says of one evaluation what was expected and what came, which elements a row comes from,
which window leaves an element out, at which bound, and why the query is evaluated at that instant.

**Why this way.** There are three steps, and each can be checked alone. ``evidence`` finds
facts, and asks the reference model for each: the query is evaluated with an element less, a clause
less or another window, and the row comes out or not. Nothing is traced through the evaluation, so
facts exist for every query that can be evaluated, and an explanation has no semantics of its own.
``argument`` holds facts as values of the case, without sentences. ``render`` makes a document of an
argument, and writes any document for a terminal, a browser and Markdown, so all three say the same.

An answer is compared with many z. The argument takes the z under which it fits longest: there the
first difference is what a reader has to look at. Other starts take a line. Causes in the
engine are not its business: they are sought over all answers of a run (`diagnosis`), while a
reading that would give this one wrong answer stands here as a hint.

**What it guarantees.** Each fact has been computed by the reference model. "Comes from" is about
elements that do give the row; "comes only from" has been tried without them. If a search ends by
its budget, the report says that nothing near was found, not that there is nothing.

**What it costs.** A fact costs evaluations of one query. Each search may make a number of them,
and the whole explanation has a limit of processor time (`limits`); if it is reached, the verdict
stands without reasons. Only shrunk and confirmed failures, and what a user asks for, are explained.
"""
