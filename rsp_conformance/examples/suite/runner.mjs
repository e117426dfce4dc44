// Runs this suite on rsp-js, by the suite's files alone: node runner.mjs [--modules DIR] [--json]
// DIR is where `npm install rsp-js` was run. What concerns rsp-js comes first, the comparison after it.
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname;
const text = (file) => fs.readFileSync(path.join(here, file), 'utf8');
const json = (file) => JSON.parse(text(file));
const { log: say } = console;
console.log = console.error = console.debug = console.info = () => {}; // the engine's

// --- the engine: its reading of RSP-QL, and what it has not --------------------------------------
const DIALS = {
  bounds: '[o,c)', window: 'active', t0: 'first-aligned-close', report: 'WC & NC', report_windows: 'any',
  content_change: 'insertions', tick: 'time', stream_operators: 'R', r2s: 'bag', window_content: 'set',
  windows_in: 'named', empty_answers: 'no', literals: 'term', empty_group: 'row', blank_nodes: 'any', unit: '1000',
  graph_variable: 'windows', answer_time: 'arrival', trigger: '>', clock: 'own', numbers: 'value', ties: 'arrival',
  time_tolerance: '0', answers: 'evaluations', advances: 'elements', count_slide: 'one', n0: '0', now: 'instant',
};
const LACKS = ['ask', 'construct', 'istream', 'dstream', 'same-stream-windows', 'time-varying-data',
  'named-elements', 'uncertainty', 'count-windows', 'now-window', 'unbounded-window', 'past-windows'];

const at = process.argv.indexOf('--modules');
const from = createRequire(`${path.resolve(at < 0 ? here : process.argv[at + 1])}/`);
createRequire(from.resolve('rsp-js'))('./util/Logger').Logger.prototype.log = () => {};
const { RSPEngine, R2ROperator } = from('rsp-js');
const { Parser } = from('n3');
const parse = (text, format) => new Parser({ format, blankNodePrefix: '' }).parse(text);
let run = null; // the case that runs: its answers, and which evaluation speaks
const { execute } = R2ROperator.prototype;
R2ROperator.prototype.execute = async function observed(container) {
  const running = run;
  const evaluation = { cause: running.element, solutions: [] };
  running.pending += 1;
  const end = () => void setImmediate(() => { running.pending -= 1; });
  try {
    const rows = await execute.call(this, container);
    const { on } = rows;
    rows.on = (event, listener) => on.call(rows, event, event !== 'data' ? listener : (row) => {
      running.speaking = evaluation;
      listener(row);
    });
    on.call(rows, 'end', end);
    on.call(rows, 'error', (error) => { running.error = error; end(); });
    return rows;
  } catch (error) {
    running.error = error;
    return end() ?? { on() {} };
  }
};
for (const kind of ['unhandledRejection', 'uncaughtException']) process.on(kind, (error) => { run.error = error; });

const PARTS = ['subject', 'predicate', 'object'];
const term = (t) => {
  if (t.termType === 'Quad') return { type: 'triple', value: Object.fromEntries(PARTS.map((p) => [p, term(t[p])])) };
  const type = { NamedNode: 'uri', BlankNode: 'bnode', Literal: 'literal' }[t.termType];
  return { type, value: t.value, datatype: t.datatype?.value, 'xml:lang': t.language || undefined };
};

const quiet = async () => { do await new Promise(setImmediate); while (run.pending > 0 && !run.error && Date.now() < run.end); };
async function ask(test, elements, { query: form, dials: { unit = 1 } }, settled) {
  run = { pending: 0, element: null, answers: [], error: null, speaking: null, end: Date.now() + 10_000 };
  const query = text(path.join(path.dirname(test.query), form)).replace(/PT([\d.]+)S/g, (_, n) => Math.round((n * 1000) / unit));
  const engine = new RSPEngine(query);
  for (const file of test.background) parse(text(file.path), 'N-Quads-star').forEach((q) => engine.addStaticData(q));
  engine.register().on('RStream', ({ bindings }) => {
    if (run.speaking.solutions.length === 0) run.answers.push(run.speaking);
    run.speaking.solutions.push(Object.fromEntries([...bindings].map(([name, value]) => [name.value, term(value)])));
  });
  const graph = '<urn:rsp:end> <urn:rsp:end> <urn:rsp:end> .';
  const last = test.streams.map((stream) => ({ stream, t: test.until + 1, graph }));
  for (const [index, element] of [...elements, ...last].entries()) {
    run.element = index;
    const target = engine.getStream(element.stream);
    if (target) parse(element.graph, 'N-Triples-star').forEach((quad) => target.add(quad, element.t));
    if (settled) await quiet();
  }
  await quiet();
  if (run.error || run.pending > 0) throw run.error ?? new Error('the engine hangs');
  return run.answers;
}

// --- the comparison, as README.md says it --------------------------------------------------------
const NUMBER = /#(integer|decimal|double|float|long|int|short|byte|unsigned\w+|(non)?(positive|negative)integer)$/i;
const digits = (t) => Number(t.value).toPrecision(15);
function same(expected, found, blanks) { // two terms; BLANKS pairs blank nodes
  if (!expected || !found || expected.type !== found.type) return !expected && !found;
  if (expected.type === 'bnode') {
    const pair = blanks.find(([one, other]) => one === expected.value || other === found.value);
    if (!pair) blanks.push([expected.value, found.value]);
    return !pair || (pair[0] === expected.value && pair[1] === found.value);
  }
  if (expected.type === 'triple') return PARTS.every((p) => same(expected.value[p], found.value[p], blanks));
  const [one, other] = [expected, found].map((t) => t.datatype ?? '');
  if (NUMBER.test(one) && NUMBER.test(other)) {
    return expected.value === found.value || digits(expected) === digits(found);
  }
  const kind = (t) => t['xml:lang']?.toLowerCase() ?? (t.datatype ?? '').replace(/.*#string$/, '');
  return expected.value === found.value && kind(expected) === kind(found);
}
function rowsAgree(expected, rows, blanks = [], at = 0, used = new Set()) { // a one-to-one pairing
  if (expected.solutions.length !== rows.length) return false;
  if (at === rows.length) return true;
  const row = expected.solutions[at];
  return rows.some((found, place) => {
    if (used.has(place) || (expected.ties && expected.ties[at] !== expected.ties[place])) return false;
    const tried = [...blanks];
    const names = new Set([...Object.keys(row), ...Object.keys(found)]);
    return [...names].every((name) => same(row[name], found[name], tried))
      && rowsAgree(expected, rows, tried, at + 1, new Set([...used, place]));
  });
}
function agrees(legal, given) { // pairs both in order; what is not required may be left out
  const after = legal.findLastIndex((due) => due.compared) + 1;
  const met = {};
  const reach = (i, j, due = legal[i], got = given[j]) => (met[[i, j]] ??= Boolean((!due && !got)
    || (due && !due.compared && reach(i + 1, j))
    || (got && (!got.required || (got.late && i >= after)) && reach(i, j + 1))
    || (due && got && due.stamp === got.stamp && rowsAgree(due, got.solutions) && reach(i + 1, j + 1))));
  return reach(0, 0);
}
function judge({ until }, elements, { from: first, early, legal }, answers) {
  let spare = early.most;
  const given = answers.map(({ cause, solutions }) => {
    const stamp = cause < elements.length ? Math.min(elements[cause].t, until) : until;
    const late = cause >= elements.length || elements[cause].t > until;
    const isEarly = stamp >= first && stamp <= (early['own >'] ?? first - 1) && spare-- > 0;
    return { stamp, solutions, late, required: stamp >= first && !isEarly && !late };
  }).sort((one, other) => one.stamp - other.stamp);
  const order = (due) => due.arrival['own >'];
  return legal.some((answer) => agrees(answer.map((due) => ({ ...due, stamp: order(due)[0] }))
    .sort((one, other) => order(one)[0] - order(other)[0] || order(one)[1] - order(other)[1]), given));
}

const verdicts = {};
for (const test of json('manifest.json').tests) {
  const fits = (own) => own.requires.some((one) => Object.keys(one).every((dial) => one[dial].includes(DIALS[dial])));
  const strictest = (one, other) => one.from - other.from || one.legal.length - other.legal.length;
  const able = (own) => !(own.features ?? test.features).some((feature) => LACKS.includes(feature));
  const own = json(test.result).under.filter(fits).sort(strictest).find(able);
  const elements = text(test.jsonl).split('\n').filter(Boolean).map(JSON.parse);
  const asked = (settled) => ask(test, elements, own, settled)
    .then((found) => judge(test, elements, own, found), () => false);
  const right = own && await asked(false) && await asked(true);
  verdicts[test.name] = own ? { true: 'passed', false: 'failed' }[right] : 'inapplicable';
}
if (process.argv.includes('--json')) say(JSON.stringify(verdicts));
else Object.entries(verdicts).forEach(([name, verdict]) => say(verdict.padEnd(12), name));
process.exit(Object.values(verdicts).includes('failed') ? 1 : 0);
