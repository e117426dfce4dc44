//! A case at work: an engine with its query in it, elements going in, answers coming out.

use crate::message::{Element, Refusal, array, static_quads, text};
use crate::row;
use oxigraph::model::{GraphName, NamedNode, Quad};
use oxigraph::sparql::QueryResults;
use rsp_rs::{
    BindingWithTimestamp, CSPARQLWindow, QuadContainer, R2ROperator, RSPEngine, StreamType,
    WindowDefinition,
};
use serde_json::{Value, json};
use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

type Window = Arc<Mutex<CSPARQLWindow>>;

/// A query as rsp-rs reads it, with its background data.
pub struct Registered {
    query: String,
    background: Vec<Quad>,
    windows: Vec<WindowDefinition>,
    /// The streams of the case; the engine has only those that its query reads.
    streams: HashSet<String>,
}

impl Registered {
    /// Everything that can be refused before an element comes: the engine itself drops silently what it
    /// cannot read, and parses the SPARQL part only when a window is reported.
    pub fn read(request: &Value) -> Result<Self, Refusal> {
        let query = text(request, "query")?.to_string();
        let background = static_quads(request)?;
        let streams = array(request, "streams")?
            .iter()
            .filter_map(|one| one.as_str().map(String::from))
            .collect();
        let engine = guarded(|| RSPEngine::new(query.clone()))?;
        let parsed = engine.parsed_query();
        check_windows(&query, &parsed.s2r)?;
        check_form(&parsed.sparql_query)?;
        Ok(Self {
            background,
            windows: parsed.s2r.clone(),
            streams,
            query,
        })
    }

    fn engine(&self) -> Result<RSPEngine, Refusal> {
        let mut engine = guarded(|| RSPEngine::new(self.query.clone()))?;
        for quad in &self.background {
            engine.add_static_data(quad.clone());
        }
        guarded(|| engine.initialize())?.map_err(Refusal::rejected)?;
        Ok(engine)
    }

    /// An element of a stream that the request does not name is refused; of one that the query does not
    /// read, the engine never hears.
    fn is_heard(&self, element: &Element, index: usize) -> Result<bool, Refusal> {
        if self
            .windows
            .iter()
            .any(|window| window.stream_name == element.stream)
        {
            return Ok(true);
        }
        if self.streams.contains(&element.stream) {
            return Ok(false);
        }
        Err(Refusal::rejected(format!("no stream {} in the request", element.stream)).at(index))
    }
}

fn check_windows(query: &str, windows: &[WindowDefinition]) -> Result<(), Refusal> {
    let declared = query
        .lines()
        .filter(|line| line.trim().starts_with("FROM NAMED WINDOW"))
        .count();
    if windows.is_empty() || windows.len() < declared {
        return Err(Refusal::rejected(format!(
            "rsp-rs reads {} of the query's {declared} windows; it wants lines such as \
             \"FROM NAMED WINDOW <w> ON STREAM <s> [RANGE 5 STEP 2]\"",
            windows.len()
        )));
    }
    for WindowDefinition {
        window_name,
        stream_name,
        width,
        slide,
    } in windows
    {
        if window_name.is_empty() || stream_name.is_empty() || *width <= 0 || *slide <= 0 {
            return Err(Refusal::rejected(format!(
                "rsp-rs reads a window <{window_name}> on <{stream_name}> with RANGE {width} STEP {slide}"
            )));
        }
    }
    Ok(())
}

/// Evaluates the SPARQL part over nothing, by the engine's own operator, to see whether it is a SELECT.
fn check_form(sparql: &str) -> Result<(), Refusal> {
    let operator = R2ROperator::new(sparql.into());
    let nothing = QuadContainer::new(HashSet::new(), 0);
    guarded(|| match operator.execute(&nothing) {
        Ok(QueryResults::Solutions(_)) => Ok(()),
        Ok(QueryResults::Boolean(_)) => {
            Err(Refusal::unsupported("rsp-rs drops the answers of ASK"))
        }
        Ok(QueryResults::Graph(_)) => Err(Refusal::unsupported(
            "rsp-rs drops the answers of CONSTRUCT and DESCRIBE",
        )),
        Err(error) => Err(Refusal::rejected(format!(
            "rsp-rs refuses the SPARQL part of the query: {error}"
        ))),
    })?
}

/// A case whose elements are added to the windows in this thread: what `add` sets off is done when it
/// returns.
pub struct Synchronous {
    registered: Registered,
    rows: Receiver<BindingWithTimestamp>,
    fed: HashMap<String, Vec<Window>>,
    pushed: usize,
    _engine: RSPEngine,
}

impl Synchronous {
    pub fn open(registered: Registered) -> Result<Self, Refusal> {
        let engine = registered.engine()?;
        let rows = engine.start_processing();
        let mut fed: HashMap<String, Vec<Window>> = HashMap::new();
        for (stream, name) in routes(&registered)? {
            fed.entry(stream)
                .or_default()
                .extend(engine.get_window(&name));
        }
        Ok(Self {
            registered,
            rows,
            fed,
            pushed: 0,
            _engine: engine,
        })
    }

    /// How many elements have come.
    pub fn pushed(&self) -> usize {
        self.pushed
    }

    /// The answers that the elements set off.
    pub fn push(&mut self, elements: Vec<Element>) -> Result<Vec<Value>, Refusal> {
        let mut answers = Vec::new();
        for element in elements {
            let index = self.pushed;
            self.pushed += 1;
            if !self.registered.is_heard(&element, index)? {
                continue;
            }
            for window in self.fed.get(&element.stream).into_iter().flatten() {
                for quad in &element.quads {
                    let quad = quad.clone();
                    let added = guarded(|| lock(window).add(quad, element.t));
                    let evaluated = added.and_then(|()| answer(&self.rows, json!(index)));
                    match evaluated {
                        Ok(found) => answers.extend(found),
                        Err(refusal) => return Err(refusal.after(answers)),
                    }
                }
            }
        }
        Ok(answers)
    }
}

/// The windows that each stream feeds, as (stream, window), in the query's order.
///
/// The engine keeps that to itself, so a second engine is asked: each stream gets one element, at an
/// instant of its own, and `t0` shows from which stream a window has heard.
fn routes(registered: &Registered) -> Result<Vec<(String, String)>, Refusal> {
    let definitions = registered.windows.iter().cloned();
    let (windows, streams): (Vec<_>, Vec<_>) = definitions
        .map(|one| (one.window_name, one.stream_name))
        .unzip();
    if windows.len() == 1 {
        return Ok(streams.into_iter().zip(windows).collect());
    }
    let mut engine = guarded(|| RSPEngine::new(registered.query.clone()))?;
    guarded(|| engine.initialize())?.map_err(Refusal::rejected)?;
    let shown: Vec<_> = windows
        .iter()
        .filter_map(|name| engine.get_window(name))
        .collect();
    for (number, stream) in streams.iter().enumerate() {
        // Of two windows on one stream the first one's instant is the earlier: it stays.
        let instant = 1 + streams
            .iter()
            .position(|one| one == stream)
            .unwrap_or(number);
        let stream = engine
            .get_stream(stream)
            .ok_or_else(|| Refusal::crashed("a stream is gone"))?;
        stream
            .add_quads(vec![marker()], instant as i64)
            .map_err(Refusal::crashed)?;
    }
    drop(engine); // and with it the streams, so that the windows' threads come to their end
    wait_for_threads(&shown, 1);
    let heard = shown.iter().map(|window| lock(window).t0 as usize);
    let fed = heard.zip(windows).filter(|(instant, _)| *instant > 0);
    Ok(fed
        .map(|(instant, window)| (streams[instant - 1].clone(), window))
        .collect())
}

fn marker() -> Quad {
    let node = NamedNode::new_unchecked("urn:rsp:marker");
    Quad::new(node.clone(), node.clone(), node, GraphName::DefaultGraph)
}

/// Run a whole case in the engine's own threads: all elements at once, then all answers.
pub fn run_in_threads(
    registered: Registered,
    elements: Vec<Element>,
) -> Result<Vec<Value>, Refusal> {
    let engine = registered.engine()?;
    let windows: Vec<_> = registered
        .windows
        .iter()
        .filter_map(|one| engine.get_window(&one.window_name))
        .collect();
    let answers: Arc<Mutex<Vec<Result<Value, Refusal>>>> = Arc::default();
    for (window, definition) in windows.iter().zip(&registered.windows) {
        collect(&engine, &registered, window, definition, &answers);
    }
    for (index, element) in elements.into_iter().enumerate() {
        if registered.is_heard(&element, index)? {
            let stream = engine
                .get_stream(&element.stream)
                .ok_or_else(|| Refusal::crashed("a stream is gone"))?;
            let sent = stream.add_quads(element.quads, element.t);
            sent.map_err(|error| Refusal::crashed(error).at(index))?;
        }
    }
    drop(engine);
    // What stays: ours, and in each window one callback of the engine's for each window.
    wait_for_threads(&windows, 1 + windows.len() * windows.len());
    let mut found = Vec::new();
    for answer in lock(&answers).drain(..) {
        match answer {
            Ok(one) => found.push(one),
            Err(refusal) => return Err(refusal.after(found)),
        }
    }
    if windows.iter().any(|window| window.is_poisoned()) {
        return Err(Refusal::crashed("a window's thread panicked").after(found));
    }
    Ok(found)
}

/// Have the answers of one window's evaluations collected, each as it ends, apart from those of other
/// windows, whose threads may evaluate at the same time.
fn collect(
    engine: &RSPEngine,
    registered: &Registered,
    window: &Window,
    definition: &WindowDefinition,
    answers: &Arc<Mutex<Vec<Result<Value, Refusal>>>>,
) {
    let mut operator = R2ROperator::new(engine.parsed_query().sparql_query.clone());
    for quad in &registered.background {
        operator.add_static_data(quad.clone());
    }
    let named = registered.windows.iter().map(|one| one.window_name.clone());
    let windows = named
        .filter_map(|name| engine.get_window(&name).map(|window| (name, window)))
        .collect();
    let rows = Mutex::new(RSPEngine::register(
        windows,
        operator,
        vec![definition.clone()],
    ));
    let answers = Arc::clone(answers);
    lock(window).subscribe(StreamType::RStream, move |_| {
        let found = answer(&lock(&rows), Value::Null);
        lock(&answers).extend(found.transpose());
    });
}

/// Wait until nobody but LEFT owners holds any of the windows: their threads have done all and ended.
fn wait_for_threads(windows: &[Window], left: usize) {
    while windows
        .iter()
        .any(|window| Arc::strong_count(window) > left)
    {
        thread::yield_now();
    }
}

/// The rows that have come since the last call as one answer; none if there are none, for the engine
/// does not tell of an evaluation without rows.
fn answer(rows: &Receiver<BindingWithTimestamp>, cause: Value) -> Result<Option<Value>, Refusal> {
    let solutions: Result<Vec<_>, _> = rows
        .try_iter()
        .map(|one| row::parse(&one.bindings))
        .collect();
    let solutions = solutions.map_err(Refusal::crashed)?;
    // The engine's own timestamp is that of the content's last change, not of the evaluation.
    Ok((!solutions.is_empty()).then(|| json!({"t": null, "cause": cause, "solutions": solutions})))
}

/// The engine's code, whose panic is the case's end and not the driver's.
fn guarded<T>(code: impl FnOnce() -> T) -> Result<T, Refusal> {
    catch_unwind(AssertUnwindSafe(code))
        .map_err(|panic| Refusal::crashed(format!("rsp-rs panicked: {}", said(&*panic))))
}

fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("it did not say why")
}

/// The lock of a mutex, also after a panic, which is reported where it happened.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read of a query with windows `:w0`, `:w1`, … on STREAMS.
    fn registered(streams: &[&str], form: &str) -> Result<Registered, Refusal> {
        let mut query = format!("PREFIX : <http://ex.org/>\n{form}\n");
        for (number, stream) in streams.iter().enumerate() {
            query +=
                &format!("FROM NAMED WINDOW :w{number} ON STREAM :{stream} [RANGE 4 STEP 2]\n");
        }
        query += "WHERE {\nWINDOW :w0 { ?s ?p ?o }\n}\n";
        Registered::read(&json!({"query": query, "streams": [], "static": []}))
    }

    fn fed(streams: &[&str]) -> Vec<(String, String)> {
        let short = |name: String| name.replace("http://ex.org/", "");
        let found = routes(&registered(streams, "SELECT *").unwrap()).unwrap();
        found
            .into_iter()
            .map(|(stream, window)| (short(stream), short(window)))
            .collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected
            .iter()
            .map(|(stream, window)| (stream.to_string(), window.to_string()))
            .collect()
    }

    #[test]
    fn the_engine_is_asked_which_windows_a_stream_feeds() {
        assert_eq!(fed(&["s"]), pairs(&[("s", "w0")]));
        assert_eq!(fed(&["s", "r"]), pairs(&[("s", "w0"), ("r", "w1")]));
        assert_eq!(fed(&["s", "s"]), pairs(&[("s", "w1")]));
        assert_eq!(fed(&["s", "r", "s"]), pairs(&[("r", "w1"), ("s", "w2")]));
    }

    #[test]
    fn what_the_engine_would_drop_silently_is_refused() {
        let kind = |form| registered(&["s"], form).err().map(|refusal| refusal.kind);
        assert_eq!(kind("SELECT *"), None);
        assert_eq!(kind("SELECT"), Some("rejected"));
        assert_eq!(kind("ASK"), Some("unsupported"));
        assert_eq!(kind("CONSTRUCT { ?s ?p ?o }"), Some("unsupported"));
        assert_eq!(registered(&[], "SELECT *").err().unwrap().kind, "rejected");
    }

    #[test]
    fn a_panic_is_the_end_of_its_case_alone() {
        let refusal = guarded(|| -> () { panic!("no window") }).unwrap_err();
        assert_eq!(
            (refusal.kind, &*refusal.message),
            ("crashed", "rsp-rs panicked: no window")
        );
        assert_eq!(guarded(|| 1).unwrap(), 1);
    }
}
