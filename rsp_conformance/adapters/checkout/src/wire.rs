//! The engine protocol of rsp-conformance, version 1, for drivers that run a whole case at once.

use serde_json::{Map, Value, json};
use std::any::Any;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, Write, stdin, stdout};
use std::os::fd::AsFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

const PROTOCOL: i64 = 1;

/// An error that a request is answered with.
#[derive(Debug)]
pub struct Refusal {
    pub kind: &'static str,
    pub message: String,
    /// The index of the element that is at fault.
    element: Option<usize>,
    /// What the engine answered before it failed.
    answers: Vec<Value>,
}

impl Refusal {
    fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            element: None,
            answers: Vec::new(),
        }
    }

    /// The engine should take this and does not.
    pub fn rejected(message: impl Into<String>) -> Self {
        Self::new("rejected", message)
    }

    /// The engine does not have this.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new("unsupported", message)
    }

    /// The engine panicked.
    pub fn crashed(message: impl Into<String>) -> Self {
        Self::new("crashed", message)
    }

    /// The driver does not understand its engine, which is no fault of the engine's.
    pub fn driver(message: impl Into<String>) -> Self {
        Self::new("driver", message)
    }

    pub fn at(self, element: usize) -> Self {
        Self {
            element: Some(element),
            ..self
        }
    }

    pub fn after(self, answers: Vec<Value>) -> Self {
        Self { answers, ..self }
    }

    fn fields(self) -> Map<String, Value> {
        let mut error = json!({"kind": self.kind, "message": self.message});
        if let Some(element) = self.element {
            error["element"] = json!(element);
        }
        let mut fields = Map::from_iter([("error".into(), error)]);
        if self.kind == "crashed" {
            fields.insert("answers".into(), self.answers.into());
        }
        fields
    }
}

/// What a driver says of its engine, and how it runs a case.
pub trait Driver {
    /// The fields of the hello, but for the protocol's version.
    fn hello(&self) -> Value;

    /// The answers to a case.
    fn run(&self, request: &Value) -> Result<Vec<Value>, Refusal>;
}

/// Answer the requests on standard input until it ends. What the engine prints on standard output is
/// thrown away: the replies alone go there.
pub fn serve(driver: &dyn Driver) -> ExitCode {
    let mut replies = match own_output() {
        Ok(replies) => replies,
        Err(error) => {
            eprintln!("standard output cannot be kept from the engine: {error}");
            return ExitCode::FAILURE;
        }
    };
    for line in stdin().lock().lines() {
        let Ok(line) = line else { break };
        if line.trim().is_empty() {
            continue;
        }
        let message = reply(driver, &line);
        // A kit that is gone reads no more answers.
        if writeln!(replies, "{message}").is_err() {
            break;
        }
    }
    ExitCode::SUCCESS
}

/// The standard output for the driver alone; the engine's becomes /dev/null.
fn own_output() -> std::io::Result<File> {
    let replies = stdout().as_fd().try_clone_to_owned()?;
    rustix::stdio::dup2_stdout(OpenOptions::new().write(true).open("/dev/null")?)?;
    Ok(replies.into())
}

/// One line in, one message out.
fn reply(driver: &dyn Driver, line: &str) -> Value {
    let (request, found) = match serde_json::from_str::<Value>(line) {
        Ok(request) if request.is_object() => {
            let found = answer(driver, &request);
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

fn answer(driver: &dyn Driver, request: &Value) -> Result<Map<String, Value>, Refusal> {
    match request["op"].as_str() {
        Some("hello") if request["protocol"].as_i64() < Some(PROTOCOL) => Err(Refusal::new(
            "version",
            format!(
                "this driver speaks protocol {PROTOCOL}, not {}",
                request["protocol"]
            ),
        )),
        Some("hello") => {
            let mut fields = driver.hello().as_object().cloned().unwrap_or_default();
            fields.insert("protocol".into(), json!(PROTOCOL));
            Ok(fields)
        }
        Some("run") => {
            let answers = driver.run(request)?;
            Ok(Map::from_iter([("answers".into(), answers.into())]))
        }
        _ => Err(Refusal::unsupported(format!(
            "this driver has no operation {}",
            request["op"]
        ))),
    }
}

/// A text among the fields of a request or an element.
pub fn text<'a>(fields: &'a Value, name: &str) -> Result<&'a str, Refusal> {
    let found = fields[name].as_str();
    found.ok_or_else(|| Refusal::rejected(format!("malformed request: {name} is no text")))
}

/// An array among the fields of a request.
pub fn array<'a>(fields: &'a Value, name: &str) -> Result<&'a [Value], Refusal> {
    let found = fields[name].as_array().map(Vec::as_slice);
    found.ok_or_else(|| Refusal::rejected(format!("malformed request: {name} is no array")))
}

/// An instant, as both engines take it: they have none before 0.
pub fn instant(fields: &Value, name: &str) -> Result<usize, Refusal> {
    let found = fields[name].as_u64().and_then(|t| usize::try_from(t).ok());
    let said = || format!("malformed request: {name} is no instant from 0 on");
    found.ok_or_else(|| Refusal::rejected(said()))
}

/// The background data of a request, as one document.
pub fn background(request: &Value) -> Result<String, Refusal> {
    let mut document = String::new();
    for entry in array(request, "static")? {
        if !entry["from"].is_null() || !entry["until"].is_null() {
            return Err(Refusal::unsupported(
                "no background data that changes in time",
            ));
        }
        document.push_str(text(entry, "quads")?);
    }
    Ok(document)
}

/// The engine's code, whose panic is the case's end and not the driver's.
pub fn guarded<T>(code: impl FnOnce() -> T) -> Result<T, Refusal> {
    catch_unwind(AssertUnwindSafe(code))
        .map_err(|panic| Refusal::crashed(format!("the engine panicked: {}", said(&*panic))))
}

fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("it did not say why")
}
