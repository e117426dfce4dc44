//! A case at work: an engine with its query in it, elements going in, rows coming out.

use crate::query;
use crate::terms::{json_of, parts, triples};
use crate::wire::{Refusal, array, background, guarded, instant, text};
use kolibrie::rsp_engine::{
    OperationMode, QueryExecutionMode, RSPBuilder, RSPEngine, ResultConsumer, SimpleR2R,
};
use oxrdf::Term;
use serde_json::{Map, Value, json};
use shared::dictionary::Dictionary;
use shared::query::SyncPolicy;
use shared::quoted_triple_store::QuotedTripleStore;
use shared::triple::Triple;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

type Row = Vec<(String, String)>;

/// The rows of a case, each as an answer of its own.
pub fn run(request: &Value, policy: &SyncPolicy) -> Result<Vec<Value>, Refusal> {
    let printed = text(request, "query")?;
    query::check(printed, &request["algebra"])?;
    let query = query::renamed(printed, &request["algebra"])?;
    let background = background(request)?;
    let known = triples(&background).map_err(Refusal::unsupported)?;
    let elements = elements(request)?;
    let mut case = Case::register(&query, policy)?;
    for (line, triple) in &known {
        case.learn(line, triple)?;
    }
    if !background.is_empty() {
        guarded(|| case.engine.add_static_ntriples(&background))?;
    }
    for (index, element) in elements.iter().enumerate() {
        let pushed = case.push(element, index);
        pushed.map_err(|refusal| refusal.after(std::mem::take(&mut case.answers)))?;
    }
    Ok(case.answers)
}

/// An element of a stream, ready to be pushed.
struct Element<'a> {
    stream: &'a str,
    t: usize,
    triples: Vec<(&'a str, oxrdf::Triple)>,
}

fn elements(request: &Value) -> Result<Vec<Element<'_>>, Refusal> {
    let all = array(request, "elements")?.iter().enumerate();
    let read = |(index, fields)| element(fields).map_err(|refusal: Refusal| refusal.at(index));
    all.map(read).collect()
}

fn element(fields: &Value) -> Result<Element<'_>, Refusal> {
    if !fields["name"].is_null() {
        return Err(Refusal::unsupported(
            "Kolibrie has no named stream elements",
        ));
    }
    Ok(Element {
        stream: text(fields, "stream")?,
        t: instant(fields, "t")?,
        triples: triples(text(fields, "graph")?).map_err(Refusal::rejected)?,
    })
}

struct Case {
    engine: RSPEngine<Triple, Row>,
    rows: Arc<Mutex<Vec<Row>>>,
    dictionary: Arc<RwLock<Dictionary>>,
    quoted: Arc<RwLock<QuotedTripleStore>>,
    /// The terms of the case by the text that the engine makes of them, which is all it hands out.
    terms: HashMap<String, Term>,
    answers: Vec<Value>,
}

impl Case {
    fn register(query: &str, policy: &SyncPolicy) -> Result<Self, Refusal> {
        let rows: Arc<Mutex<Vec<Row>>> = Arc::default();
        let sink = Arc::clone(&rows);
        let r2r = SimpleR2R::with_execution_mode(QueryExecutionMode::Volcano);
        let dictionary = Arc::clone(&r2r.item.dictionary);
        let quoted = Arc::clone(&r2r.item.quoted_triple_store);
        let consumer = ResultConsumer::<Row> {
            function: Arc::new(move |row| {
                sink.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(row)
            }),
        };
        let engine = guarded(|| {
            RSPBuilder::<Triple, Row>::new()
                .add_rsp_ql_query(query)
                .set_operation_mode(OperationMode::SingleThread)
                .set_sync_policy(policy.clone())
                .add_consumer(consumer)
                .add_r2r(Box::new(r2r))
                .build()
        })?;
        Ok(Self {
            engine: engine.map_err(Refusal::rejected)?,
            rows,
            dictionary,
            quoted,
            terms: HashMap::new(),
            answers: Vec::new(),
        })
    }

    /// What the engine reads of a line, after which its texts for the terms are known.
    fn learn(&mut self, line: &str, triple: &oxrdf::Triple) -> Result<Vec<Triple>, Refusal> {
        let read = guarded(|| self.engine.parse_data(line))?;
        let dictionary = self
            .dictionary
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        let quoted = self.quoted.read().unwrap_or_else(PoisonError::into_inner);
        for own in &read {
            let ids = [own.subject, own.predicate, own.object];
            for (id, term) in ids.into_iter().zip(parts(triple)) {
                if let Some(text) = dictionary.decode_term(id, &quoted) {
                    self.terms.entry(text).or_insert(term);
                }
            }
        }
        Ok(read)
    }

    /// Add the triples of an element to its stream; what they set off is done when this returns.
    fn push(&mut self, element: &Element, index: usize) -> Result<(), Refusal> {
        for (line, triple) in &element.triples {
            for own in self.learn(line, triple)? {
                guarded(|| self.engine.add_to_stream(element.stream, own, element.t))?;
            }
        }
        guarded(|| self.engine.process_single_thread_window_results())?;
        let rows = std::mem::take(&mut *self.rows.lock().unwrap_or_else(PoisonError::into_inner));
        for row in rows {
            let solution = self.solution(row)?;
            // The engine gives no time.
            let answer = json!({"t": null, "cause": index, "solutions": [solution]});
            self.answers.push(answer);
        }
        Ok(())
    }

    fn solution(&self, row: Row) -> Result<Map<String, Value>, Refusal> {
        let bound = row
            .into_iter()
            .map(|(name, text)| match self.terms.get(&text) {
                Some(term) => Ok((name, json_of(term))),
                None => Err(Refusal::driver(format!("no term of the case is {text:?}"))),
            });
        bound.collect()
    }
}
