"""One run: a source of trials, an executor, judges, a ledger.

`trials` draws, `asking` asks, `judging` judges, and a `record` says what became of a trial; the
`ledger` holds records and events. `session` puts these together, and sorts what is wrong by its
cause (`diagnosis`): one trial of each cause is made small (`shrinking`), confirmed (`confirming`,
with the other judges in `opinions`) and written down. Properties are data (`properties`); what
terminals, documents and pages show are questions to the ledger (`tally`, `outcome`, `run_report`).
"""
