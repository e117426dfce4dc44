//! Terms of N-Triples as the protocol writes them.

use oxrdf::{Subject, Term, Triple};
use oxttl::NTriplesParser;
use serde_json::{Value, json};

const STRING: &str = "http://www.w3.org/2001/XMLSchema#string";

/// The triples of a document, each with the line on which it stands alone.
pub fn triples(document: &str) -> Result<Vec<(&str, Triple)>, String> {
    let lines = document.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| Ok((line, only(line)?))).collect()
}

fn only(line: &str) -> Result<Triple, String> {
    let mut found = NTriplesParser::new().for_slice(line.as_bytes());
    match (found.next(), found.next()) {
        (Some(Ok(triple)), None) => Ok(triple),
        (Some(Err(error)), _) => Err(error.to_string()),
        _ => Err(format!("no single triple: {line}")),
    }
}

/// The terms of a triple: subject, predicate, object.
pub fn parts(triple: &Triple) -> [Term; 3] {
    [
        triple.subject.clone().into(),
        triple.predicate.clone().into(),
        triple.object.clone(),
    ]
}

/// A term as SPARQL 1.1 Query Results JSON has it.
pub fn json_of(term: &Term) -> Value {
    match term {
        Term::NamedNode(node) => json!({"type": "uri", "value": node.as_str()}),
        Term::BlankNode(node) => json!({"type": "bnode", "value": node.as_str()}),
        Term::Literal(literal) => {
            let mut found = json!({"type": "literal", "value": literal.value()});
            if let Some(language) = literal.language() {
                found["xml:lang"] = json!(language);
            } else if literal.datatype().as_str() != STRING {
                found["datatype"] = json!(literal.datatype().as_str());
            }
            found
        }
        Term::Triple(triple) => json!({"type": "triple", "value": {
            "subject": json_of(&subject(&triple.subject)),
            "predicate": {"type": "uri", "value": triple.predicate.as_str()},
            "object": json_of(&triple.object),
        }}),
    }
}

fn subject(subject: &Subject) -> Term {
    subject.clone().into()
}
