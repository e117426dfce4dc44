//! Reads a row of rsp-rs: the engine hands out the text that `{:?}` makes of a solution, nothing else.
//!
//! ```text
//! {Variable { name: "s" }: NamedNode(NamedNode { iri: "http://ex.org/a" }), Variable { name: "o" }: …}
//! ```
//!
//! Read is exactly what the derived `Debug` of oxrdf's terms and of Rust's strings write; anything else
//! is an error that says where.

use serde_json::{Map, Value, json};

/// A row as an object of SPARQL 1.1 Query Results JSON; what is unbound is absent.
pub fn parse(text: &str) -> Result<Map<String, Value>, String> {
    let mut reader = Reader { text, at: 0 };
    let row = reader.row()?;
    if reader.rest().is_empty() {
        Ok(row)
    } else {
        Err(reader.expected("the end of the row"))
    }
}

/// A position in the text of a row.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn expected(&self, what: &str) -> String {
        let found: String = self.rest().chars().take(40).collect();
        format!(
            "expected {what} at byte {} of a row, found {found:?}",
            self.at
        )
    }

    /// Whether TOKEN comes next, which is then passed.
    fn takes(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn pass(&mut self, token: &str) -> Result<(), String> {
        if self.takes(token) {
            Ok(())
        } else {
            Err(self.expected(&format!("{token:?}")))
        }
    }

    fn next(&mut self) -> Result<char, String> {
        let found = self
            .rest()
            .chars()
            .next()
            .ok_or_else(|| self.expected("more"))?;
        self.at += found.len_utf8();
        Ok(found)
    }

    fn row(&mut self) -> Result<Map<String, Value>, String> {
        let mut row = Map::new();
        self.pass("{")?;
        if self.takes("}") {
            return Ok(row);
        }
        loop {
            self.pass("Variable { name: ")?;
            let name = self.string()?;
            self.pass(" }: ")?;
            row.insert(name, self.term()?);
            if self.takes("}") {
                return Ok(row);
            }
            self.pass(", ")?;
        }
    }

    fn term(&mut self) -> Result<Value, String> {
        let term = if self.takes("NamedNode(") {
            json!({"type": "uri", "value": self.named_node()?})
        } else if self.takes("BlankNode(BlankNode(") {
            let label = self.blank_node()?;
            self.pass(")")?;
            json!({"type": "bnode", "value": label})
        } else if self.takes("Literal(Literal(") {
            let literal = self.literal()?;
            self.pass(")")?;
            literal
        } else {
            return Err(self.expected("a term"));
        };
        self.pass(")")?;
        Ok(term)
    }

    fn named_node(&mut self) -> Result<String, String> {
        self.pass("NamedNode { iri: ")?;
        let iri = self.string()?;
        self.pass(" }")?;
        Ok(iri)
    }

    /// A label. One that is a hexadecimal number is stored as that number, and as its digits.
    fn blank_node(&mut self) -> Result<String, String> {
        if self.takes("Named(") {
            let label = self.string()?;
            self.pass(")")?;
            return Ok(label);
        }
        self.pass("Anonymous { id: ")?;
        self.bytes()?;
        self.pass(", str: IdStr(")?;
        let digits = self.bytes()?;
        self.pass(") }")?;
        Ok(digits
            .into_iter()
            .take_while(|byte| *byte != 0)
            .map(char::from)
            .collect())
    }

    fn literal(&mut self) -> Result<Value, String> {
        if self.takes("String(") {
            let value = self.string()?;
            self.pass(")")?;
            return Ok(json!({"type": "literal", "value": value}));
        }
        if self.takes("LanguageTaggedString { value: ") {
            let value = self.string()?;
            self.pass(", language: ")?;
            let language = self.string()?;
            self.pass(" }")?;
            return Ok(json!({"type": "literal", "value": value, "xml:lang": language}));
        }
        self.pass("TypedLiteral { value: ")?;
        let value = self.string()?;
        self.pass(", datatype: ")?;
        let datatype = self.named_node()?;
        self.pass(" }")?;
        Ok(json!({"type": "literal", "value": value, "datatype": datatype}))
    }

    /// `[1, 2, 3]`, never empty.
    fn bytes(&mut self) -> Result<Vec<u8>, String> {
        self.pass("[")?;
        let end = self.rest().find(']').ok_or_else(|| self.expected("]"))?;
        let bytes: Result<Vec<u8>, _> = self.rest()[..end].split(", ").map(str::parse).collect();
        let bytes = bytes.map_err(|_| self.expected("bytes"))?;
        self.at += end + 1;
        Ok(bytes)
    }

    /// A string as `str`'s `Debug` writes it.
    fn string(&mut self) -> Result<String, String> {
        self.pass("\"")?;
        let mut string = String::new();
        loop {
            match self.next()? {
                '"' => return Ok(string),
                '\\' => string.push(self.escaped()?),
                other => string.push(other),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, String> {
        match self.next()? {
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            '0' => Ok('\0'),
            same @ ('"' | '\'' | '\\') => Ok(same),
            'u' => {
                self.pass("{")?;
                let end = self.rest().find('}').ok_or_else(|| self.expected("}"))?;
                let code = u32::from_str_radix(&self.rest()[..end], 16).ok();
                let found = code.and_then(char::from_u32);
                let found = found.ok_or_else(|| self.expected("a code point"))?;
                self.at += end + 1;
                Ok(found)
            }
            _ => Err(self.expected("an escape before this")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxigraph::model::{BlankNode, Literal, NamedNode, Term, Variable};
    use oxigraph::sparql::QuerySolution;

    /// What is read of a row in which only `?v` is bound.
    fn read_back(term: impl Into<Term>) -> Value {
        let bound = vec![Some(term.into()), None];
        let variables = vec![
            Variable::new_unchecked("v"),
            Variable::new_unchecked("none"),
        ];
        let row = parse(&format!("{:?}", QuerySolution::from((variables, bound)))).unwrap();
        assert_eq!(row.keys().collect::<Vec<_>>(), ["v"]);
        row["v"].clone()
    }

    const ODD: [&str; 9] = [
        "",
        "near",
        "a\"b'c\\d}, {",
        "line\nreturn\rtab\tnull\0bell\u{7}",
        "é 日本 🦀",
        "\u{301}combining, zero\u{200b}width, bom\u{feff}",
        "\\u{41} is not A",
        "Variable { name: \"x\" }: ",
        "\u{10ffff}\u{e000}\u{7f}",
    ];

    #[test]
    fn strings_are_kept_to_the_letter() {
        for text in ODD {
            let expected = json!({"type": "literal", "value": text});
            assert_eq!(read_back(Literal::new_simple_literal(text)), expected);
        }
    }

    #[test]
    fn iris_are_kept_to_the_letter() {
        for iri in ["http://ex.org/a", "urn:é#(x)", "http://ex.org/a\"b"] {
            let expected = json!({"type": "uri", "value": iri});
            assert_eq!(read_back(NamedNode::new_unchecked(iri)), expected);
        }
    }

    #[test]
    fn datatypes_and_languages_are_kept() {
        let integer = NamedNode::new_unchecked("http://www.w3.org/2001/XMLSchema#integer");
        for text in ODD {
            assert_eq!(
                read_back(Literal::new_typed_literal(text, integer.clone())),
                json!({"type": "literal", "value": text, "datatype": integer.as_str()})
            );
            assert_eq!(
                read_back(Literal::new_language_tagged_literal_unchecked(
                    text, "fr-be"
                )),
                json!({"type": "literal", "value": text, "xml:lang": "fr-be"})
            );
        }
    }

    #[test]
    fn labels_of_blank_nodes_are_kept() {
        for label in [
            "b0",
            "0",
            "deadbeef",
            "node",
            "a.b-c",
            "0123456789abcdef0123456789abcdef",
        ] {
            let node = BlankNode::new(label).unwrap();
            assert_eq!(
                read_back(node.clone()),
                json!({"type": "bnode", "value": node.as_str()})
            );
        }
    }

    #[test]
    fn rows_have_all_that_is_bound() {
        let variables: Vec<_> = ["a", "b", "c"].map(Variable::new_unchecked).to_vec();
        let terms = ["x", "y"].map(|text| Some(Literal::new_simple_literal(text).into()));
        let [x, y] = terms;
        let row = QuerySolution::from((variables.clone(), vec![x, None, y]));
        let row = parse(&format!("{row:?}")).unwrap();
        assert_eq!(row.keys().collect::<Vec<_>>(), ["a", "c"]);
        assert_eq!(
            parse(&format!(
                "{:?}",
                QuerySolution::from((variables, vec![None, None, None]))
            )),
            Ok(Map::new())
        );
    }

    #[test]
    fn what_is_no_row_is_refused() {
        for text in [
            "",
            "{",
            "{}x",
            "{Variable { name: \"v\" }: }",
            "{Variable { name: \"v\" }: Triple(…)}",
            "{Variable { name: \"v }",
            "{Variable { name: \"\\u{110000}\" }: NamedNode(NamedNode { iri: \"x\" })}",
            "{Variable { name: \"\\q\" }: NamedNode(NamedNode { iri: \"x\" })}",
            "{Variable { name: \"v\" }: BlankNode(BlankNode(Anonymous { id: [], str: IdStr([]) }))}",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
