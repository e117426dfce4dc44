//! A case at work: an engine with its window and its query, triples going in, rows coming out.

use crate::terms::{json_of, parts, triples};
use crate::wire::{Refusal, array, background, guarded, instant, text};
use minimal::TripleStore;
use minimal::encoding::Encoder;
use minimal::parser::{Parser, Syntax};
use minimal::rsp::r2s::StreamOperator;
use minimal::rsp::s2r::{ReportStrategy, Tick, WindowTriple};
use minimal::rsp::{OperationMode, RSPBuilder, RSPEngine, ResultConsumer, SimpleR2R};
use minimal::sparql::Binding;
use minimal::triples::Triple;
use oxrdf::Term;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

type Row = Vec<Binding>;

/// The rows of a case, each as an answer of its own.
pub fn run(request: &Value) -> Result<Vec<Value>, Refusal> {
    let registered = Registered::read(text(request, "query")?)?;
    let background = background(request)?;
    let mut terms = Terms::default();
    for (line, triple) in triples(&background).map_err(Refusal::unsupported)? {
        let read = guarded(|| Parser::parse_triples(line, Syntax::NTriples))?;
        terms.learn(&read.map_err(Refusal::rejected)?, &triple)?;
    }
    let elements = elements(request, &mut terms)?;
    let rows: Arc<Mutex<Vec<Row>>> = Arc::default();
    let mut engine = registered.engine(&background, Arc::clone(&rows))?;
    // An arrival reports windows that have closed before it. Up to here those are windows that close at
    // the registration or before, when there was no query yet: the engine's windows begin at 0.
    let start = instant(request, "registered")?;
    let since = start / registered.slide * registered.slide + registered.slide;
    let mut answers = Vec::new();
    for (index, element) in elements.into_iter().enumerate() {
        if element.stream != registered.stream {
            continue;
        }
        if registered.operator != "RSTREAM" && element.t == start && start % registered.slide == 0 {
            return Err(Refusal::unsupported(
                "RoXi evaluates the window that closes at the registration, and ISTREAM and \
                 DSTREAM remember it",
            ));
        }
        for triple in element.triples {
            if let Err(refusal) = guarded(|| engine.add(triple, element.t)) {
                return Err(refusal.after(answers));
            }
        }
        let found = std::mem::take(&mut *rows.lock().unwrap_or_else(PoisonError::into_inner));
        for row in found.into_iter().filter(|_| element.t > since) {
            // The engine gives no time.
            let solution = terms.solution(row)?;
            answers.push(json!({"t": null, "cause": index, "solutions": [solution]}));
        }
    }
    Ok(answers)
}

/// A query as RoXi takes it: SPARQL, and beside it the numbers of a window and an operator.
struct Registered {
    sparql: String,
    stream: String,
    width: usize,
    slide: usize,
    /// RSTREAM, or one of the operators that compare an evaluation with the one before.
    operator: String,
}

impl Registered {
    /// The kit's layout has REGISTER and each window on a line; what is left is SPARQL.
    fn read(query: &str) -> Result<Self, Refusal> {
        let mut operator = "RSTREAM";
        let mut windows = Vec::new();
        let mut sparql = Vec::new();
        for line in query.lines() {
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                ["REGISTER", word @ ("RSTREAM" | "ISTREAM" | "DSTREAM"), ..] => operator = word,
                [
                    "FROM",
                    "WINDOW",
                    _,
                    "ON",
                    stream,
                    "[RANGE",
                    width,
                    "STEP",
                    slide,
                ] => {
                    let slide = slide.trim_end_matches(']');
                    let slide = slide.parse().ok().filter(|slide| *slide > 0);
                    windows.push((stream, width.parse().ok(), slide));
                }
                _ => sparql.push(line),
            }
        }
        let sparql = sparql.join("\n");
        check_sparql(&sparql)?;
        let &[(stream, Some(width), Some(slide))] = &windows[..] else {
            let said = "RoXi has one window, with a number of instants for its width and slide";
            return Err(Refusal::unsupported(said));
        };
        Ok(Self {
            sparql,
            stream: stream.trim_matches(['<', '>']).into(),
            width,
            slide,
            operator: operator.into(),
        })
    }

    fn engine(
        &self,
        background: &str,
        rows: Arc<Mutex<Vec<Row>>>,
    ) -> Result<RSPEngine<WindowTriple, Row>, Refusal> {
        let function = Arc::new(move |row| {
            rows.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(row)
        });
        // As its wasm module builds one (js/src/lib.rs), but for the operator.
        guarded(|| {
            RSPBuilder::new(self.width, self.slide)
                .add_tick(Tick::TimeDriven)
                .add_report_strategy(ReportStrategy::OnWindowClose)
                .add_triples(background)
                .add_syntax(Syntax::NTriples)
                .add_query(&self.sparql)
                .add_consumer(ResultConsumer { function })
                .add_r2r(Box::new(SimpleR2R {
                    item: TripleStore::new(),
                }))
                .add_r2s(match &*self.operator {
                    "ISTREAM" => StreamOperator::ISTREAM,
                    "DSTREAM" => StreamOperator::DSTREAM,
                    _ => StreamOperator::RSTREAM,
                })
                .set_operation_mode(OperationMode::SingleThread)
                .build()
        })
    }
}

/// Ask the engine's own parser: a query that it does not read is replaced by `SELECT *` in silence.
fn check_sparql(sparql: &str) -> Result<(), Refusal> {
    let found = guarded(|| TripleStore::new().query(sparql).map(|_| ()))?;
    found.map_err(Refusal::rejected)
}

/// An element of a stream, ready to be pushed.
struct Element<'a> {
    stream: &'a str,
    t: usize,
    triples: Vec<WindowTriple>,
}

fn elements<'a>(request: &'a Value, terms: &mut Terms) -> Result<Vec<Element<'a>>, Refusal> {
    let mut found = Vec::new();
    for (index, fields) in array(request, "elements")?.iter().enumerate() {
        if !fields["name"].is_null() {
            return Err(Refusal::unsupported("RoXi has no named stream elements"));
        }
        let read = triples(text(fields, "graph")?).map_err(Refusal::rejected);
        let mut own = Vec::new();
        for (_, triple) in read.map_err(|refusal| refusal.at(index))? {
            let [s, p, o] = parts(&triple).map(|term| term.to_string());
            terms.learn(&[Triple::from(s.clone(), p.clone(), o.clone())], &triple)?;
            own.push(WindowTriple { s, p, o });
        }
        found.push(Element {
            stream: text(fields, "stream")?,
            t: instant(fields, "t")?,
            triples: own,
        });
    }
    Ok(found)
}

/// The terms of a case by the text that the engine makes of them, which is all it hands out.
#[derive(Default)]
struct Terms(HashMap<String, Term>);

impl Terms {
    fn learn(&mut self, read: &[Triple], triple: &oxrdf::Triple) -> Result<(), Refusal> {
        for own in read {
            let ids = [&own.s, &own.p, &own.o].map(|part| part.to_encoded());
            for (id, term) in ids.iter().zip(parts(triple)) {
                if let Some(text) = guarded(|| Encoder::decode(id))? {
                    self.0.entry(text).or_insert(term);
                }
            }
        }
        Ok(())
    }

    fn solution(&self, row: Row) -> Result<Map<String, Value>, Refusal> {
        let bound = row
            .into_iter()
            .map(|Binding { var, val }| match self.0.get(&val) {
                Some(term) => Ok((var, json_of(term))),
                None => Err(Refusal::driver(format!("no term of the case is {val:?}"))),
            });
        bound.collect()
    }
}
