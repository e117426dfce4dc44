//! A query of the kit as Kolibrie's parser reads it.

use crate::wire::{Refusal, array};
use serde_json::Value;
use std::collections::HashMap;

/// The modifiers of the algebra for which Kolibrie's RSP-QL has no place (`parse_register_clause`), or
/// which it reads and drops.
const ABSENT: [(&str, &str); 11] = [
    ("computed_every", "COMPUTED EVERY"),
    ("default_graphs", "FROM"),
    ("named_graphs", "FROM NAMED"),
    ("distinct", "DISTINCT"),
    ("reduced", "REDUCED"),
    ("group_by", "GROUP BY"),
    ("having", "HAVING"),
    ("order_by", "ORDER BY"),
    ("limit", "LIMIT"),
    ("offset", "OFFSET"),
    ("values", "VALUES behind WHERE"),
];

/// What Kolibrie's RSP-QL has no words for.
///
/// A text that is no query has no algebra: the engine is asked.
pub fn check(query: &str, algebra: &Value) -> Result<(), Refusal> {
    if !algebra.is_object() {
        return Ok(());
    }
    if algebra["form"]
        .as_str()
        .is_some_and(|form| form != "SELECT")
    {
        return Err(missing(&algebra["form"]));
    }
    for (field, words) in ABSENT {
        let found = &algebra[field];
        let absent =
            found.is_null() || found == false || found.as_array().is_some_and(Vec::is_empty);
        if !absent {
            return Err(missing(words));
        }
    }
    check_group(&algebra["pattern"], false)?;
    // A group within a group is no node of the algebra: such a brace begins a line of its own.
    let is_group = |line: &str| line.trim_start().starts_with('{') && !line.contains("SELECT");
    if query.lines().any(is_group) {
        return Err(missing("a group within a group"));
    }
    Ok(())
}

/// In WHERE stand triple patterns, WINDOW blocks, FILTER, BIND, VALUES and subqueries side by side, in a
/// WINDOW block triple patterns alone.
fn check_group(node: &Value, in_window: bool) -> Result<(), Refusal> {
    match node["type"].as_str() {
        Some("BGP") => Ok(()),
        Some("Join") => {
            check_group(&node["left"], in_window)?;
            check_group(&node["right"], in_window)
        }
        Some("Window") if !in_window && node["name"]["type"] != "Variable" => {
            check_group(&node["pattern"], true)
        }
        Some("Filter" | "Extend") if !in_window => check_group(&node["pattern"], in_window),
        Some("Values" | "SubSelect") if !in_window => Ok(()),
        _ if in_window => Err(missing(format!("{} within WINDOW", node["type"]))),
        _ => Err(missing(&node["type"])),
    }
}

fn missing(words: impl std::fmt::Display) -> Refusal {
    Refusal::unsupported(format!("Kolibrie's RSP-QL has no {words}"))
}

/// The query with windows called `:w1`, `:w2`, … and streams in full.
///
/// WINDOW takes no `<iri>` and no prefix but the empty one, and a stream's prefixed name is never
/// expanded. The kit's layout has each window on a line.
pub fn renamed(query: &str, algebra: &Value) -> Result<String, Refusal> {
    if !algebra.is_object() {
        return Ok(query.into());
    }
    let windows = array(algebra, "windows").unwrap_or_default();
    let mut declared = windows.iter();
    let mut names: HashMap<&str, String> = HashMap::new();
    let mut lines = Vec::new();
    for line in query.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        lines.push(match words[..] {
            ["FROM", "NAMED", "WINDOW", name, "ON", _, ref size @ ..] => {
                let window = declared.next();
                let stream = window.and_then(|one| one["stream"]["value"].as_str());
                let stream = stream.ok_or_else(|| unread(line))?;
                let new = format!(":w{}", names.len() + 1);
                let written = format!("FROM NAMED WINDOW {new} ON <{stream}> {}", size.join(" "));
                names.insert(name, new);
                written
            }
            ["WINDOW", name, ..] => {
                let new = names.get(name).ok_or_else(|| unread(line))?;
                line.replacen(name, new, 1)
            }
            _ => line.into(),
        });
    }
    Ok(lines.join("\n"))
}

fn unread(line: &str) -> Refusal {
    Refusal::driver(format!(
        "a line that this driver does not understand: {line}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const QUERY: &str = "PREFIX : <http://ex.org/>
REGISTER RSTREAM <urn:rsp:answers> AS
SELECT ?x
FROM NAMED WINDOW <http://ex.org/v#1> ON :s1 [RANGE 4 STEP 2]
WHERE {
  WINDOW <http://ex.org/v#1> { ?x :p ?y }
}";

    fn algebra(pattern: Value) -> Value {
        json!({"type": "Query", "pattern": pattern, "windows": [
            {"type": "WindowDeclaration", "stream": {"type": "uri", "value": "http://ex.org/s1"}}
        ]})
    }

    fn window(pattern: Value) -> Value {
        let name = json!({"type": "uri", "value": "http://ex.org/v#1"});
        json!({"type": "Window", "name": name, "pattern": pattern})
    }

    #[test]
    fn windows_and_streams_are_written_as_the_engine_reads_them() {
        let found = renamed(QUERY, &algebra(window(json!({"type": "BGP"})))).unwrap();
        assert!(found.contains("FROM NAMED WINDOW :w1 ON <http://ex.org/s1> [RANGE 4 STEP 2]"));
        assert!(found.contains("  WINDOW :w1 { ?x :p ?y }"));
        let unknown = QUERY.replace("WINDOW <http://ex.org/v#1> {", "WINDOW :other {");
        let refused = renamed(&unknown, &algebra(json!({"type": "BGP"}))).unwrap_err();
        assert_eq!(refused.kind, "driver");
        assert_eq!(renamed("WINDOW", &Value::Null).unwrap(), "WINDOW");
    }

    #[test]
    fn what_the_language_does_not_have_is_refused_by_name() {
        let said = |algebra: Value| check(QUERY, &algebra).err().map(|refusal| refusal.message);
        let own = |words: &str| Some(format!("Kolibrie's RSP-QL has no {words}"));
        let bgp = json!({"type": "BGP"});
        assert_eq!(said(Value::Null), None);
        assert_eq!(said(algebra(window(bgp.clone()))), None);
        let filter = json!({"type": "Filter", "pattern": bgp});
        assert_eq!(said(algebra(filter.clone())), None);
        assert_eq!(
            said(algebra(window(filter))),
            own("\"Filter\" within WINDOW")
        );
        assert_eq!(said(algebra(json!({"type": "Union"}))), own("\"Union\""));
        let mut ask = algebra(bgp.clone());
        ask["form"] = json!("ASK");
        assert_eq!(said(ask), own("\"ASK\""));
        let mut limited = algebra(bgp);
        limited["limit"] = json!(3);
        assert_eq!(said(limited), own("LIMIT"));
    }
}
