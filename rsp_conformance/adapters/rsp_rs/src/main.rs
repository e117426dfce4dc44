//! A driver of the crate rsp-rs: the engine protocol of rsp-conformance, version 1.
//!
//! ```text
//! rsp-rs-driver [--threads]
//! ```
//!
//! One request line is one case, or a piece of one. Elements are added to the engine's windows in this
//! thread; with `--threads` a burst goes through the engine's streams instead, whose threads then work by
//! themselves. In release the engine prints nothing on standard output.

mod case;
mod message;
mod row;

use case::{Registered, Synchronous, run_in_threads};
use message::{Refusal, elements, text};
use serde_json::{Map, Value, json};
use std::io::{BufRead, Write, stdin, stdout};
use std::process::ExitCode;

const PROTOCOL: i64 = 1;
const VERSION: &str = "0.3.5";
/// What rsp-rs is meant to take: its documents promise "full RSP-QL syntax".
const FEATURES: &str = "select rstream istream dstream \
    filter optional union bind minus values exists paths subqueries functions \
    aggregates having distinct order limit \
    multi-window same-stream-windows window-variable gap-windows static-data named-graphs \
    without-datasets \
    multi-triple-elements blank-nodes typed-literals language-tags without-layouts";

/// What lasts from one request to the next.
struct Driver {
    threads: bool,
    open: Option<(String, Synchronous)>,
}

type Fields = Map<String, Value>;

impl Driver {
    fn answer(&mut self, request: &Value) -> Result<Fields, Refusal> {
        match request["op"].as_str() {
            Some("hello") => self.hello(request),
            Some("run") => self.run(request),
            Some("open") => {
                self.open = None;
                let case = Synchronous::open(Registered::read(request)?)?;
                self.open = Some((text(request, "id")?.into(), case));
                Ok(Map::new())
            }
            Some("push") => {
                let (id, mut case) = self.opened(request)?;
                let found = case.push(elements(request, case.pushed())?)?;
                self.open = Some((id, case));
                Ok(answers(found))
            }
            // Time passes with elements only, so the end brings no answers.
            Some("close") => self.opened(request).map(|_| answers(Vec::new())),
            _ => Err(Refusal::unsupported(format!(
                "this driver has no operation {}",
                request["op"]
            ))),
        }
    }

    fn hello(&self, request: &Value) -> Result<Fields, Refusal> {
        if request["protocol"]
            .as_i64()
            .is_none_or(|wanted| wanted < PROTOCOL)
        {
            return Err(Refusal::version(format!(
                "this driver speaks protocol {PROTOCOL}, not {}",
                request["protocol"]
            )));
        }
        // In threads nothing says which element set off an answer.
        let profile = if self.threads {
            json!({"base": "rsp-rs", "answer_time": "none"})
        } else {
            json!("rsp-rs")
        };
        Ok(fields(json!({
            "protocol": PROTOCOL, "engine": "rsp-rs", "version": VERSION,
            "language": "rsp-ql", "dialect": {"duration": "instants", "explicit_step": true},
            "profile": profile, "features": FEATURES.split_whitespace().collect::<Vec<_>>(),
            "answers": "evaluations", "advances": "elements", "parallel": 1, "pieces": !self.threads,
        })))
    }

    fn run(&self, request: &Value) -> Result<Fields, Refusal> {
        let elements = elements(request, 0)?;
        let registered = Registered::read(request)?;
        if self.threads && request["pacing"] != "settled" {
            return run_in_threads(registered, elements).map(answers);
        }
        Synchronous::open(registered)?.push(elements).map(answers)
    }

    /// The case that is open, which is dropped unless it is put back.
    fn opened(&mut self, request: &Value) -> Result<(String, Synchronous), Refusal> {
        let wanted = text(request, "id")?;
        let found = self.open.take().filter(|(id, _)| id == wanted);
        found.ok_or_else(|| Refusal::rejected("no such case is open"))
    }
}

fn fields(object: Value) -> Fields {
    object.as_object().cloned().unwrap_or_default()
}

fn answers(found: Vec<Value>) -> Fields {
    fields(json!({"answers": found}))
}

/// One line in, one message out.
fn reply(driver: &mut Driver, line: &str) -> Value {
    let (request, found) = match serde_json::from_str::<Value>(line) {
        Ok(request) if request.is_object() => {
            let found = driver.answer(&request);
            (request, found)
        }
        Ok(_) => (
            Value::Null,
            Err(Refusal::rejected("a request is a JSON object")),
        ),
        Err(error) => (
            Value::Null,
            Err(Refusal::rejected(format!("not a line of JSON: {error}"))),
        ),
    };
    let mut message = found.unwrap_or_else(Refusal::fields);
    message.insert("op".into(), request["op"].clone());
    if !request["id"].is_null() {
        message.insert("id".into(), request["id"].clone());
    }
    message.into()
}

fn main() -> ExitCode {
    let options: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = options.iter().find(|option| *option != "--threads") {
        eprintln!("unknown option {unknown}; the only one is --threads");
        return ExitCode::from(2);
    }
    let mut driver = Driver {
        threads: !options.is_empty(),
        open: None,
    };
    for line in stdin().lock().lines() {
        let Ok(line) = line else { break };
        if line.trim().is_empty() {
            continue;
        }
        let message = reply(&mut driver, &line);
        let mut out = stdout().lock();
        // A kit that is gone reads no more answers.
        if writeln!(out, "{message}")
            .and_then(|()| out.flush())
            .is_err()
        {
            break;
        }
    }
    ExitCode::SUCCESS
}
