'use strict';
/*
 * rsp-js as the driver sees it: loading and patching the package, and watching one case from
 * its first evaluation to its last. Speaks nothing of the protocol but the shape of an answer.
 */
const { createRequire } = require('node:module');
const path = require('node:path');

const silent = () => {};

// --- the engine, loaded once ---------------------------------------------------------------

/** Load the engine from DIR/node_modules and patch it; null if it is not there. */
function loadEngine(directory) {
  const from = createRequire(`${path.resolve(directory)}/`);
  let entry;
  try {
    entry = from.resolve('rsp-js');
  } catch {
    return null;
  }
  const inside = createRequire(entry);
  // The engine's logger appends to a file for every push.
  inside('./util/Logger').Logger.prototype.log = silent;
  const { RSPEngine, R2ROperator } = from('rsp-js');
  const { QueryEngine } = inside('@comunica/query-sparql');
  observeEvaluations(R2ROperator);
  return {
    RSPEngine,
    version: from('rsp-js/package.json').version,
    Parser: from('n3').Parser,
    sparql: new QueryEngine(),
  };
}

/**
 * Wrap the operator that evaluates the query, so that a case knows when each evaluation has
 * begun, which rows are its own, and when it has ended. The engine calls it synchronously
 * from the push that closes a window.
 */
function observeEvaluations(R2ROperator) {
  const execute = R2ROperator.prototype.execute;
  R2ROperator.prototype.execute = async function observed(container) {
    const running = this.conformanceCase;
    if (!running) return execute.call(this, container);
    const evaluation = running.begin();
    let rows;
    try {
      rows = await execute.call(this, container);
    } catch (error) {
      running.fail(error);
      running.end();
      return { on: silent };
    }
    // The engine's own listener is told whose rows it hears; the stream itself stays as it is,
    // so that rows come when they would come without the driver.
    const on = rows.on;
    rows.on = function told(event, listener) {
      if (event !== 'data') return on.call(this, event, listener);
      return on.call(this, event, (row) => {
        running.speaking = evaluation;
        listener(row);
        running.speaking = null;
      });
    };
    if (rows.done) {
      // Without a row it may have ended before anybody could listen; it does not say so again.
      setImmediate(() => running.end());
      return rows;
    }
    // setImmediate: after the engine's own listener has had the last row.
    rows.on('error', (error) => {
      running.fail(error);
      setImmediate(() => running.end());
    });
    rows.on('end', () => setImmediate(() => running.end()));
    return rows;
  };
}

// --- one case ------------------------------------------------------------------------------

/** What is known of the case that runs: its evaluations, its rows, its first error. */
class Case {
  constructor(order) {
    this.order = order; // of the answers: 'emission' or 'evaluation'
    this.begun = 0;
    this.element = null; // index of the element pushed last
    this.pending = 0; // evaluations that have begun and not ended
    this.speaking = null; // the evaluation whose row is being handed out
    this.answers = []; // evaluations with rows, in the order of their first row
    this.error = null;
    this.wake = null;
  }

  begin() {
    this.pending += 1;
    this.begun += 1;
    return { number: this.begun, cause: this.element, solutions: [] };
  }

  end() {
    this.pending -= 1;
    this.stir();
  }

  fail(error) {
    this.error ??= error || new Error('unknown error');
    this.stir();
  }

  row(bindings) {
    const evaluation = this.speaking;
    if (!evaluation) throw new Error('a row that belongs to no evaluation');
    let row;
    try {
      row = solution(bindings);
    } catch (error) {
      this.fail(error); // the engine's own code called this, and must not be hit by it
      return;
    }
    if (evaluation.solutions.length === 0) this.answers.push(evaluation);
    evaluation.solutions.push(row);
  }

  stir() {
    if (this.wake && (this.pending === 0 || this.error)) {
      const wake = this.wake;
      this.wake = null;
      wake();
    }
  }

  /** Until every evaluation that has begun has ended, or one has failed. */
  async quiet() {
    if (this.pending > 0 && !this.error) {
      await new Promise((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /**
   * The answers since the last call, as the protocol has them. rsp-js has no instants of its own: t
   * is null.
   */
  reported() {
    const answers = this.answers.splice(0);
    if (this.order === 'evaluation') answers.sort((one, other) => one.number - other.number);
    return answers.map(({ cause, solutions }) => ({ t: null, cause, solutions }));
  }
}

/** One row as SPARQL 1.1 Query Results JSON. */
function solution(bindings) {
  const row = {};
  for (const [variable, value] of bindings) row[variable.value] = jsonTerm(value);
  return row;
}

function jsonTerm(term) {
  switch (term.termType) {
    case 'NamedNode':
      return { type: 'uri', value: term.value };
    case 'BlankNode':
      return { type: 'bnode', value: term.value };
    case 'Quad':
      checkQuoted(term);
      return {
        type: 'triple',
        value: {
          subject: jsonTerm(term.subject),
          predicate: jsonTerm(term.predicate),
          object: jsonTerm(term.object),
        },
      };
    default:
      return term.language
        ? { type: 'literal', value: term.value, 'xml:lang': term.language }
        : { type: 'literal', value: term.value, datatype: term.datatype.value };
  }
}

/** Comunica's TRIPLE makes quoted triples of any terms; the protocol has only RDF-star's. */
function checkQuoted({ subject, predicate }) {
  if (subject.termType === 'Literal' || predicate.termType !== 'NamedNode') throw notQuotable();
}

function notQuotable() {
  // Which term it is the message does not say: failures are grouped by it, and this is one bug.
  const error = new Error('the answer has a quoted triple that is not RDF-star');
  error.stack = error.message; // where the driver noticed it tells nobody anything
  return error;
}

module.exports = { loadEngine, Case };
