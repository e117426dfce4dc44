'use strict';
/*
 * A driver for rsp-conformance: start here, then connect your engine in `Engine`.
 *
 * Check it:  rsp-conformance engines check "stdio:node driver.js"
 */
const readline = require('node:readline');

const HELLO = {
  protocol: 1,
  engine: 'my-engine',
  version: '0.1', // the engine's version, not the driver's
  language: 'rsp-ql',
  dialect: { duration: 'instants' },
  profile: 'rsp-ql', // a bundled profile, or an object of dials
  features: ['select'], // begin with one, add the others later
  advances: 'elements', // 'clock' if time passes without elements
};

/** Ends a case with an error: `unsupported`, `rejected` or `crashed`. */
class Refused extends Error {
  constructor(kind, message, element) {
    super(message);
    this.error = { kind, message, element }; // the index of the element that was refused, if any
  }
}

/**
 * One case in your engine. Call emit(t, solutions) for each answer that it gives: t is the instant
 * that the engine reports, in instants, or null; a solution is an object such as
 * { who: { type: 'uri', value: 'http://ex.org/bob' } }.
 */
class Engine {
  /** Start with a fresh state: create request.streams, load static, register query. */
  static async open(request, emit) {
    throw new Refused('unsupported', 'no engine is connected to this driver yet');
  }

  /** Put element.graph (N-Triples) into element.stream at the instant element.t. */
  push(element) {}

  /** Resolve when the engine is quiet: all answers to what was pushed have come. */
  async untilQuiet() {}

  /** Let the time pass to the instant `until`; nothing to do if elements make it pass. */
  async advance(until) {}

  /** Leave nothing behind for the next case. */
  async close() {}
}

async function run(request) {
  const { query, elements, pacing, until } = request;
  if (query.split('{').length !== query.split('}').length) { // better: ask your engine's parser
    throw new Refused('rejected', 'the braces of the query do not match');
  }
  const answers = [];
  let cause = null;
  const emit = (t, solutions) => answers.push({ t, cause, solutions });
  const engine = await Engine.open(request, emit);
  try {
    for (const [index, element] of elements.entries()) {
      cause = index;
      engine.push(element);
      if (pacing === 'settled') await engine.untilQuiet();
    }
    await engine.untilQuiet();
    cause = 'end';
    await engine.advance(until);
    await engine.untilQuiet();
  } finally {
    await engine.close();
  }
  return { answers };
}

function hello(request) {
  if (request.protocol >= HELLO.protocol) return HELLO;
  return { error: { kind: 'version', message: 'this driver speaks version 1' } };
}

async function reply(request) {
  try {
    if (request.op === 'hello') return hello(request);
    if (request.op === 'run') return await run(request);
    throw new Refused('unsupported', 'only hello and run');
  } catch (error) {
    if (error instanceof Refused) return { error: error.error };
    console.error(error); // standard error is shown with the failure
    return { error: { kind: 'crashed', message: String(error) } };
  }
}

// Standard output is for replies alone: whatever else prints goes to standard error.
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

let last = Promise.resolve(); // one request after another
const lines = readline.createInterface({ input: process.stdin });
lines.on('line', (line) => {
  last = last.then(async () => {
    const request = JSON.parse(line);
    const about = { op: request.op, id: request.id };
    write(`${JSON.stringify({ ...about, ...(await reply(request)) })}\n`);
  });
});
lines.on('close', () => last.then(() => process.exit(0))); // the end of input ends the driver
