//! A driver of Kolibrie's RSP engine: the engine protocol of rsp-conformance, version 1.
//!
//! ```text
//! kolibrie-driver [--policy=wait|steal]
//! ```
//!
//! One request line is one case, with an engine of its own, in this thread.

mod case;
mod query;
mod terms;
mod wire;

use serde_json::{Value, json};
use shared::query::SyncPolicy;
use std::process::ExitCode;
use wire::{Driver, Refusal, serve};

/// What Kolibrie's RSP-QL is meant to take: what it parses and drops is not among it (README.md).
const FEATURES: &str = "select rstream istream dstream multi-window same-stream-windows gap-windows \
    static-data multi-triple-elements blank-nodes without-layouts without-datasets";

struct Kolibrie {
    policy: SyncPolicy,
}

impl Driver for Kolibrie {
    fn hello(&self) -> Value {
        json!({
            "engine": "kolibrie", "version": option_env!("RSP_ENGINE_VERSION").unwrap_or("?"),
            "language": "rsp-ql",
            "dialect": {
                "duration": "instants", "explicit_step": true, "bare_stream": true,
                "explicit_register": true, "capital_operators": true,
            },
            "profile": "kolibrie",
            "features": FEATURES.split_whitespace().collect::<Vec<_>>(),
            "algebra": true, "answers": "rows", "advances": "elements", "parallel": 1,
        })
    }

    fn run(&self, request: &Value) -> Result<Vec<Value>, Refusal> {
        case::run(request, &self.policy)
    }
}

fn main() -> ExitCode {
    let mut driver = Kolibrie {
        policy: SyncPolicy::default(),
    };
    for option in std::env::args().skip(1) {
        driver.policy = match option.as_str() {
            "--policy=wait" => SyncPolicy::Wait,
            "--policy=steal" => SyncPolicy::Steal,
            _ => {
                eprintln!("unknown option {option}; there are --policy=wait and --policy=steal");
                return ExitCode::from(2);
            }
        }
    }
    serve(&driver)
}
