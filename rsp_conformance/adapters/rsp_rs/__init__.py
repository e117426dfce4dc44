"""rsp-rs 0.3.5, an RSP-QL engine in Rust from crates.io: a driver crate, and how it is built.

The driver (`Cargo.toml`, `src/`) is built for each user, in release, against the published crate
without its RocksDB. It adds elements to the engine's windows in its own thread: all that `add` sets
off is done when it returns, so the driver always knows that the engine is quiet. With the option
`feed=threads` a burst goes through the engine's streams; quiet is then that its threads have ended.

The driver can express every SELECT of RSP-QL that fits the lines which the engine's parser takes;
ASK and CONSTRUCT are `unsupported`. Times reach the engine unchanged, one instant per unit of its
clock. The engine's timestamps are those of a content's last change, so the driver sends null
instead. `README.md` has more, and the observations of its semantics.
"""
