"""One run: a source of trials, an executor, judges, a ledger.

`trials` draws, `asking` asks, `judging` judges, and a `record` holds the result of a trial; the
`ledger` holds records and events. `session` puts these together. `naming` sorts failures by their
cause, by what the `diagnosis` package knows: one trial of each cause is shrunk (`shrinking`),
confirmed (with the other judges in `opinions`), written down and told (`confirming`). Properties
are data (`properties`); terminals, documents and pages show the answers to questions to the ledger
(`tally`, `outcome`, `run_report`).
"""
