//! Messages of the engine protocol: fields of a request, and refusals.

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::Quad;
use serde_json::{Map, Value, json};

/// An error that a request is answered with.
#[derive(Debug)]
pub struct Refusal {
    pub kind: &'static str,
    pub message: String,
    /// The index of the element that is at fault.
    pub element: Option<usize>,
    /// What the engine answered before it failed.
    pub answers: Vec<Value>,
}

impl Refusal {
    fn new(kind: &'static str, message: String) -> Self {
        Self {
            kind,
            message,
            element: None,
            answers: Vec::new(),
        }
    }

    /// The engine should take this and does not.
    pub fn rejected(message: impl Into<String>) -> Self {
        Self::new("rejected", message.into())
    }

    /// The engine does not have this.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new("unsupported", message.into())
    }

    /// The engine panicked.
    pub fn crashed(message: impl Into<String>) -> Self {
        Self::new("crashed", message.into())
    }

    /// The kit speaks another version.
    pub fn version(message: impl Into<String>) -> Self {
        Self::new("version", message.into())
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

    /// The fields of the reply.
    pub fn fields(self) -> Map<String, Value> {
        let mut fields = Map::new();
        let mut error = json!({"kind": self.kind, "message": self.message});
        if let Some(element) = self.element {
            error["element"] = json!(element);
        }
        fields.insert("error".into(), error);
        if self.kind == "crashed" {
            fields.insert("answers".into(), self.answers.into());
        }
        fields
    }
}

/// A text among the fields of a request or an element.
pub fn text<'a>(fields: &'a Value, name: &str) -> Result<&'a str, Refusal> {
    fields[name]
        .as_str()
        .ok_or_else(|| Refusal::rejected(format!("malformed request: {name} is no text")))
}

/// An array among the fields of a request.
pub fn array<'a>(fields: &'a Value, name: &str) -> Result<&'a [Value], Refusal> {
    match fields[name].as_array() {
        Some(found) => Ok(found),
        None => Err(Refusal::rejected(format!(
            "malformed request: {name} is no array"
        ))),
    }
}

/// The background data of a request, which hold always.
pub fn static_quads(request: &Value) -> Result<Vec<Quad>, Refusal> {
    let mut quads = Vec::new();
    for entry in array(request, "static")? {
        if !entry["from"].is_null() || !entry["until"].is_null() {
            return Err(Refusal::unsupported(
                "rsp-rs has no background data that changes in time",
            ));
        }
        let found = quads_of(text(entry, "quads")?, RdfFormat::NQuads);
        quads.extend(found.map_err(|error| Refusal::rejected(format!("static data: {error}")))?);
    }
    Ok(quads)
}

/// An element of a stream, ready to be pushed.
pub struct Element {
    pub stream: String,
    pub t: i64,
    pub quads: Vec<Quad>,
}

/// The elements of a request, of which BEFORE came in earlier pieces.
pub fn elements(request: &Value, before: usize) -> Result<Vec<Element>, Refusal> {
    let read =
        |(number, fields)| element(fields).map_err(|refusal: Refusal| refusal.at(before + number));
    array(request, "elements")?
        .iter()
        .enumerate()
        .map(read)
        .collect()
}

fn element(fields: &Value) -> Result<Element, Refusal> {
    if !fields["name"].is_null() {
        return Err(Refusal::unsupported("rsp-rs has no named stream elements"));
    }
    let t = fields["t"].as_i64();
    Ok(Element {
        stream: text(fields, "stream")?.into(),
        t: t.ok_or_else(|| {
            Refusal::rejected("malformed request: t is no whole number of 64 bits")
        })?,
        quads: quads_of(text(fields, "graph")?, RdfFormat::NTriples).map_err(Refusal::rejected)?,
    })
}

/// What a document says; labels of blank nodes are kept, so a label is one node throughout a case.
fn quads_of(document: &str, format: RdfFormat) -> Result<Vec<Quad>, String> {
    let quads = RdfParser::from_format(format).for_slice(document.as_bytes());
    quads
        .map(|quad| quad.map_err(|error| error.to_string()))
        .collect()
}
