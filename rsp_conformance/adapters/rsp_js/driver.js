#!/usr/bin/env node
'use strict';
/*
 * Driver for the npm package rsp-js: the engine protocol, version 1.
 *
 *   node driver.js [--modules DIR] [--order evaluation]
 *
 * DIR holds the node_modules with rsp-js in it (default: this folder). --order evaluation
 * puts the answers of a burst in the order in which their evaluations began instead of the
 * order in which the engine handed out their first rows.
 *
 * One request line is one case: a fresh engine, all elements, one reply line; or a case comes in
 * pieces (open, push, close), each of which ends when the engine is quiet. engine.js loads and
 * watches the engine; README.md says what of it is patched and why.
 */
const readline = require('node:readline');
const { loadEngine, Case } = require('./engine');

const PROTOCOL = 1;
const FEATURES = [
  'select', 'rstream',
  'filter', 'optional', 'union', 'bind', 'minus', 'values', 'exists', 'paths', 'subqueries', 'functions',
  'aggregates', 'having', 'distinct', 'order', 'limit',
  'multi-window', 'window-variable', 'gap-windows',
  'static-data', 'named-graphs', 'without-datasets',
  'rdf-star', 'multi-triple-elements', 'blank-nodes', 'typed-literals', 'language-tags',
  // The engine reads a query line by line.
  'without-layouts',
];
const NOT_INSTALLED = 'rsp-js is not installed: run rsp-conformance engines install rsp-js';

// --- standard output is the protocol's alone -----------------------------------------------

const writeLine = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
process.stdout.on('error', () => process.exit(1)); // nobody reads the answers any more
console.log = console.debug = console.info = () => {};

/** Write one message as one line. */
function send(message) {
  writeLine(`${JSON.stringify(message)}\n`);
}

/** An error that becomes an error answer of this kind. */
class Refusal extends Error {
  constructor(kind, message, element) {
    super(message);
    this.kind = kind;
    this.element = element;
  }
}

/** What an error says, on one line. */
function said(error) {
  const text = String((error && error.message) || error).replace(/\s+/g, ' ').trim();
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}

// --- requests ------------------------------------------------------------------------------

/** The query's lines that declare a window; the engine drops silently those it cannot read. */
function declaredWindows(query) {
  return query.split(/\r?\n/).filter((line) => line.trim().startsWith('FROM NAMED WINDOW'));
}

/** What the SPARQL part is, 'project' say; a Refusal if the engine's parser does not take it. */
async function formOf(engine, query) {
  // The engine parses it at its first evaluation only; its parser is asked before, once a query.
  if (!forms.has(query)) {
    if (forms.size >= MOST_FORMS) forms.clear();
    try {
      forms.set(query, (await engine.sparql.explain(query, { sources: [] }, 'parsed')).data.type);
    } catch (error) {
      throw new Refusal('rejected', `rsp-js refuses the SPARQL part of the query: ${said(error)}`);
    }
  }
  return forms.get(query);
}

const forms = new Map(); // of the queries of late
const MOST_FORMS = 1000;

/** A fresh engine with the query in it; throws a Refusal if the engine does not take it. */
async function register(engine, query) {
  let instance;
  try {
    instance = new engine.RSPEngine(query);
  } catch (error) {
    throw new Refusal('rejected', `rsp-js refuses the query: ${said(error)}`);
  }
  const { windows } = instance;
  if (windows.length === 0) {
    throw new Refusal('rejected', 'rsp-js finds no window in the query; it wants a line '
      + '"FROM NAMED WINDOW <w> ON STREAM <s> [RANGE 5 STEP 2]"');
  }
  const declared = declaredWindows(query);
  if (windows.length < declared.length) {
    throw new Refusal('rejected', `rsp-js reads ${windows.length} of the query's `
      + `${declared.length} windows: ${declared.map((line) => line.trim()).join(' ; ')}`);
  }
  for (const { name, width, slide } of windows) {
    if (!(width > 0) || !(slide > 0)) {
      throw new Refusal('rejected', `rsp-js reads the window ${name} as RANGE ${width} STEP ${slide}; `
        + 'it takes plain positive numbers only');
    }
  }
  const form = await formOf(engine, instance.r2r.query);
  if (form === 'ask' || form === 'construct' || form === 'describe') {
    throw new Refusal('unsupported', `rsp-js evaluates SELECT only, not ${form.toUpperCase()}`);
  }
  return instance;
}

/** The type of a field, or a Refusal that names it. */
function field(request, name, type) {
  const value = request[name];
  const found = Array.isArray(value) ? 'array' : typeof value;
  if (found !== type) throw new Refusal('rejected', `malformed request: ${name} is not of type ${type}`);
  return value;
}

/** The request's static quads, without bounds in time. */
function staticQuads(engine, request) {
  const quads = [];
  for (const entry of request.static ?? []) {
    if ((entry.from ?? null) !== null || (entry.until ?? null) !== null) {
      throw new Refusal('unsupported', 'rsp-js has no background data that changes in time');
    }
    try {
      quads.push(...new engine.Parser({ format: 'N-Quads-star', blankNodePrefix: '' }).parse(entry.quads));
    } catch (error) {
      throw new Refusal('rejected', `static data: ${said(error)}`);
    }
  }
  return quads;
}

/**
 * The elements with their graphs parsed, of which so many came before; nothing is pushed before all
 * of them are read.
 */
function readElements(engine, request, before) {
  return field(request, 'elements', 'array').map((element, number) => {
    const index = before + number;
    if (element === null || typeof element !== 'object') {
      throw new Refusal('rejected', 'malformed request: an element is not an object', index);
    }
    if (element.name !== undefined && element.name !== null) {
      throw new Refusal('unsupported', 'rsp-js has no named stream elements');
    }
    if (!Number.isInteger(element.t) || typeof element.stream !== 'string' || typeof element.graph !== 'string') {
      throw new Refusal('rejected', 'malformed request: an element needs stream, t and graph', index);
    }
    let quads;
    try {
      quads = new engine.Parser({ format: 'N-Triples-star', blankNodePrefix: '' }).parse(element.graph);
    } catch (error) {
      throw new Refusal('rejected', `element ${index}: ${said(error)}`, index);
    }
    return { stream: element.stream, t: element.t, quads };
  });
}

let current = null; // the case that runs: errors outside any promise of ours are its own
process.on('unhandledRejection', (error) => {
  if (current) current.fail(error);
  else console.error(error);
});
process.on('uncaughtException', (error) => {
  if (current) current.fail(error);
  else console.error(error);
});

/** A case at work: the engine with its query in it, and what has come out. */
class Feed {
  constructor(engine, request, instance) {
    this.engine = engine;
    this.id = request.id;
    this.streams = request.streams ?? [];
    this.settled = request.pacing === 'settled';
    this.instance = instance;
    this.running = new Case(option('--order', 'emission'));
    this.pushed = 0; // elements since the case's start
  }

  /** Register a request's query; nothing reaches the engine before all static data is read. */
  static async open(engine, request) {
    const quads = staticQuads(engine, request);
    const instance = await register(engine, field(request, 'query', 'string'));
    const feed = new Feed(engine, request, instance);
    for (const quad of quads) instance.addStaticData(quad);
    instance.r2r.conformanceCase = feed.running;
    instance.register().on('RStream', ({ bindings }) => feed.running.row(bindings));
    return feed;
  }

  /** Push elements and wait until the engine is quiet; the answers since the last call. */
  async push(elements) {
    const { running } = this;
    current = running;
    try {
      for (const { stream, t, quads: triples } of elements) {
        const index = this.pushed;
        this.pushed += 1;
        const target = this.instance.getStream(stream);
        if (!target) {
          // rsp-js has the streams that its query reads; of others it never hears.
          if (this.streams.includes(stream)) continue;
          throw new Refusal('rejected', `element ${index}: no stream ${stream} in the request`, index);
        }
        running.element = index;
        for (const triple of triples) target.add(triple, t);
        if (this.settled) await running.quiet();
        if (running.error) break;
      }
      await running.quiet();
      // One turn of the event loop, so that a rejection nobody handles is reported in its case.
      if (running.error === null) await new Promise(setImmediate);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      running.fail(error);
    } finally {
      current = null;
    }
    if (running.error) {
      const cause = { kind: 'crashed', message: said(running.error) };
      console.error(running.error);
      return { error: cause, answers: running.reported() };
    }
    return { answers: running.reported() };
  }
}

/** Run one case from registration to quiescence. */
async function runCase(engine, request) {
  const elements = readElements(engine, request, 0);
  const feed = await Feed.open(engine, request);
  return feed.push(elements);
}

let fed = null; // the case that is open, if one is

/** One operation on a case that comes in pieces; any error drops the case. */
async function feedCase(engine, request) {
  if (request.op === 'open') {
    fed = null;
    fed = await Feed.open(engine, request);
    return {};
  }
  const feed = fed;
  fed = null;
  if (feed === null || feed.id !== request.id) throw new Refusal('rejected', 'no such case is open');
  if (request.op === 'close') return { answers: [] }; // time passes with elements only
  const found = await feed.push(readElements(engine, request, feed.pushed));
  if (!found.error) fed = feed;
  return found;
}

/** The answer to a hello. */
function hello(engine, request) {
  if (!Number.isInteger(request.protocol) || request.protocol < PROTOCOL) {
    throw new Refusal('version', `this driver speaks protocol ${PROTOCOL}, not ${request.protocol}`);
  }
  if (!engine) throw new Refusal('unavailable', NOT_INSTALLED);
  return {
    protocol: PROTOCOL,
    engine: 'rsp-js',
    version: engine.version,
    language: 'rsp-ql',
    dialect: { duration: 'instants', explicit_step: true },
    profile: 'rsp-js',
    features: FEATURES,
    answers: 'evaluations',
    advances: 'elements',
    parallel: 1,
    pieces: true,
  };
}

/** One line in, one message out. Never throws. */
async function answer(engine, line) {
  let request = {};
  try {
    try {
      request = JSON.parse(line);
    } catch (error) {
      throw new Refusal('rejected', `not a line of JSON: ${said(error)}`);
    }
    if (request === null || typeof request !== 'object' || Array.isArray(request)) {
      request = {};
      throw new Refusal('rejected', 'a request is a JSON object');
    }
    const echo = { op: request.op, id: request.id };
    if (request.op === 'hello') return { ...echo, ...hello(engine, request) };
    if (!['run', 'open', 'push', 'close'].includes(request.op)) {
      throw new Refusal('unsupported', `this driver has no operation ${JSON.stringify(request.op)}`);
    }
    field(request, 'id', 'string');
    if (!engine) throw new Refusal('unsupported', NOT_INSTALLED);
    const carryOut = request.op === 'run' ? runCase : feedCase;
    return { ...echo, ...await carryOut(engine, request) };
  } catch (error) {
    const kind = error instanceof Refusal ? error.kind : 'crashed';
    const found = { kind, message: said(error) };
    if (error.element !== undefined) found.element = error.element;
    return { op: request.op ?? null, id: request.id, error: found };
  }
}

/** The value that follows an option on the command line. */
function option(name, otherwise) {
  const at = process.argv.indexOf(name);
  return at > 0 && at + 1 < process.argv.length ? process.argv[at + 1] : otherwise;
}

async function main() {
  let engine = null;
  try {
    engine = loadEngine(option('--modules', __dirname));
  } catch (error) {
    console.error(error); // there, but broken: installing it again helps
  }
  // Events and a queue, not `for await`: lines that arrive before it starts would be lost.
  const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
  let last = Promise.resolve();
  lines.on('line', (line) => {
    if (!line.trim()) return;
    last = last.then(async () => send(await answer(engine, line)));
  });
  lines.on('close', () => last.then(() => process.exit(0)));
}

main();
