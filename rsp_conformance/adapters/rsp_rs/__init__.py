"""rsp-rs 0.3.5, an RSP-QL engine in Rust from crates.io: a driver crate, and how it is built.

The driver (`Cargo.toml`, `src/`) is built for each user, in release, against the published crate
without its RocksDB. It adds elements to the engine's windows in its own thread: all that `add` sets
off is done when it returns, so the driver always knows that the engine is quiet. With the option
`feed=threads` a burst goes through the engine's streams; quiet is then that its threads have ended.

Expressed is all of RSP-QL's SELECT that stands in the lines that its parser takes; ASK and
CONSTRUCT are `unsupported`. Times reach the engine as they are, one instant a unit of its clock;
the timestamps that it hands out are those of a content's last change, and null is sent instead.
`README.md` says more, and what was seen of its semantics.
"""
