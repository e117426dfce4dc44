//! A driver for rsp-conformance: start here, then connect your engine in `Engine`.
//!
//! Check it:  cargo build --release
//!            rsp-conformance engines check "stdio:target/release/my-engine-driver"

use std::io::{self, BufRead, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex};

use serde_json::{json, Value};

fn hello() -> Value {
    json!({
        "protocol": 1,
        "engine": "my-engine",
        "version": "0.1", // the engine's version, not the driver's
        "language": "rsp-ql",
        "dialect": {"duration": "instants"},
        "profile": "rsp-ql", // a bundled profile, or an object of dials
        "features": ["select"], // begin with one, add the others later
        "advances": "elements", // "clock" if time passes without elements
    })
}

/// Ends a case with an error: `unsupported`, `rejected` or `crashed`.
struct Refused {
    kind: &'static str,
    message: String,
    /// The index of the element that was refused, if it was one.
    element: Option<usize>,
}

fn refused(kind: &'static str, message: impl Into<String>) -> Refused {
    Refused {
        kind,
        message: message.into(),
        element: None,
    }
}

/// The answers of a case: clone it for your engine's threads, and call `emit` for each answer.
#[derive(Clone, Default)]
struct Answers(Arc<Mutex<(Value, Vec<Value>)>>);

#[allow(dead_code)]
impl Answers {
    /// `t` is the instant that the engine reports, in instants, or null; a solution is a value
    /// such as `json!({"who": {"type": "uri", "value": "http://ex.org/bob"}})`.
    fn emit(&self, t: Value, solutions: Vec<Value>) {
        let (cause, answers) = &mut *self.0.lock().unwrap();
        answers.push(json!({"t": t, "cause": cause, "solutions": solutions}));
    }

    fn cause(&self, cause: Value) {
        self.0.lock().unwrap().0 = cause;
    }
}

/// One case in your engine. Dropping it leaves nothing behind for the next case.
struct Engine;

#[allow(unused_variables)]
impl Engine {
    /// Start with a fresh state: create `streams`, load `static`, register `query`.
    fn open(request: &Value, answers: Answers) -> Result<Engine, Refused> {
        Err(refused(
            "unsupported",
            "no engine is connected to this driver yet",
        ))
    }

    /// Put `graph` (N-Triples) into `stream` at the instant `t` of the element.
    fn push(&mut self, element: &Value) -> Result<(), Refused> {
        Ok(())
    }

    /// Return when the engine is quiet: all answers to what was pushed have come.
    fn until_quiet(&mut self) {}

    /// Let the time pass to the instant `until`; nothing to do if elements make it pass.
    fn advance(&mut self, until: i64) {}
}

fn run(request: &Value) -> Result<Value, Refused> {
    let query = request["query"].as_str().unwrap_or_default();
    if query.matches('{').count() != query.matches('}').count() {
        // Better: ask your engine's parser.
        return Err(refused("rejected", "the braces of the query do not match"));
    }
    let answers = Answers::default();
    let mut engine = Engine::open(request, answers.clone())?;
    let elements = request["elements"].as_array().into_iter().flatten();
    for (index, element) in elements.enumerate() {
        answers.cause(json!(index));
        engine.push(element)?;
        if request["pacing"] == "settled" {
            engine.until_quiet();
        }
    }
    engine.until_quiet();
    answers.cause(json!("end"));
    engine.advance(request["until"].as_i64().unwrap_or_default());
    engine.until_quiet();
    let all = &answers.0.lock().unwrap().1;
    Ok(json!({"answers": all}))
}

fn reply(request: &Value) -> Value {
    let found = match request["op"].as_str() {
        Some("hello") if request["protocol"].as_u64() >= Some(1) => Ok(hello()),
        Some("hello") => Err(refused("version", "this driver speaks version 1")),
        // A panic's message goes to standard error, which is shown with the failure.
        Some("run") => panic::catch_unwind(AssertUnwindSafe(|| run(request)))
            .unwrap_or_else(|_| Err(refused("crashed", "the engine panicked"))),
        _ => Err(refused("unsupported", "only hello and run")),
    };
    found.unwrap_or_else(|refusal| {
        let mut error = json!({"kind": refusal.kind, "message": refusal.message});
        if let Some(index) = refusal.element {
            error["element"] = json!(index);
        }
        json!({"error": error})
    })
}

/// Standard output is for replies alone: use `eprintln!` for logs.
fn main() -> io::Result<()> {
    // The end of input ends the driver.
    for line in io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let mut message = reply(&request);
        for key in ["op", "id"] {
            if let Some(value) = request.get(key) {
                message[key] = value.clone();
            }
        }
        let mut replies = io::stdout();
        writeln!(replies, "{message}")?;
        replies.flush()?;
    }
    Ok(())
}
