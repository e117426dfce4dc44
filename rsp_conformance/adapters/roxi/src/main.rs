//! A driver of RoXi's RSP engine: the engine protocol of rsp-conformance, version 1.
//!
//! One request line is one case, with an engine of its own, in this thread.

mod case;
mod terms;
mod wire;

use serde_json::{Value, json};
use std::process::ExitCode;
use wire::{Driver, Refusal, serve};

/// What RoXi is meant to take: what it parses and answers with nothing is not among it (README.md).
const FEATURES: &str = "select rstream istream dstream gap-windows static-data multi-triple-elements \
    blank-nodes without-layouts without-datasets";

struct Roxi;

impl Driver for Roxi {
    fn hello(&self) -> Value {
        json!({
            "engine": "roxi", "version": option_env!("RSP_ENGINE_VERSION").unwrap_or("?"),
            "language": "rsp-ql",
            "dialect": {
                "duration": "instants", "explicit_step": true, "bare_stream": true,
                "explicit_register": true, "capital_operators": true, "full_iris": true,
            },
            "profile": "roxi",
            "features": FEATURES.split_whitespace().collect::<Vec<_>>(),
            "answers": "rows", "advances": "elements", "parallel": 1,
        })
    }

    fn run(&self, request: &Value) -> Result<Vec<Value>, Refusal> {
        case::run(request)
    }
}

fn main() -> ExitCode {
    if let Some(option) = std::env::args().nth(1) {
        eprintln!("unknown option {option}; there are none");
        return ExitCode::from(2);
    }
    serve(&Roxi)
}
