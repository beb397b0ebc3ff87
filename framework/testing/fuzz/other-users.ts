// Fuzzing: what belongs to one identity stays out of the reach of another: it is neither answered nor changed.
import { sample } from 'fast-check';
import { isAccepted } from './checks.js';
import type { FuzzResponse } from './fuzz-answer.js';
import { type FuzzCase, plainCasesOf } from './fuzz-case.js';
import type { FuzzOperation } from './fuzz-operation.js';
import type { FuzzRun } from './fuzz-run.js';
import { isUuid, scalarsIn, ValuePool } from './known-values.js';
import { dataOf } from './rpc-answer.js';
import type { KnownValues } from './values.js';

/** How often the other identity tries each operation. */
const TRIES = 8;
/** How much the owner adds by each operation, and in how many requests. */
const ADDED = 2;
const ADDING_TRIES = 12;
/** How many answers are watched for changes. */
const MOST_READS = 10;
/** Shorter values may be anybody's. */
const SHORTEST = 6;

interface Read {
  readonly operation: FuzzOperation;
  readonly sent: FuzzCase;
  readonly text: string;
  readonly answer: FuzzResponse;
}

/** Whose answers and ids are used, and who tries to reach them. */
interface Pair {
  readonly owner: string;
  readonly other: string;
  readonly seed: number;
}

const LESS_TRIED = 'so that its access to what is of others was tried with what was left';

/** Of two identities, the second tries to reach what is of the first. */
export async function fuzzOtherUsers(
  run: FuzzRun,
  operations: readonly FuzzOperation[],
  seed: number,
): Promise<void> {
  const [owner, other] = run.identities;
  if (owner === undefined || other === undefined) return;
  const pair = { owner, other, seed };
  // Requests may have ended their other sign-ins, or removed what they had.
  for (const name of [owner, other]) {
    const reason = await run.caller(name).signInAgain();
    if (reason !== undefined) run.notes.push(`${name} could not sign in again, ${LESS_TRIED}: ${reason}`);
  }
  const own = operations.filter((one) => !one.isOpen && !one.isShared && one.detail.target.kind !== 'socket');
  const added = await addSome(run, own, pair);
  let reads: readonly Read[] | undefined;
  for (const operation of own.toSorted((one, two) => Number(two.isSafe) - Number(one.isSafe))) {
    reads ??= await stableReads(run, own, added, pair);
    if (reads.length === 0) {
      run.notes.push(
        `${owner} was answered nothing twice in the same way, so that nothing could be tried as ${other}`,
      );
      return;
    }
    if (await tryAsOther(run, operation, reads, pair)) reads = undefined;
  }
}

/** Requests of the owner that add something, so that there is something to reach. @returns what they had */
async function addSome(
  run: FuzzRun,
  operations: readonly FuzzOperation[],
  { owner, seed }: Pair,
): Promise<ValuePool> {
  const added = new ValuePool();
  for (const operation of operations.filter(({ adds }) => adds)) {
    const { thing, detail } = operation;
    const known = withoutIds(first(added.knownFor(thing), run.pool(owner).knownFor(thing)));
    let count = 0;
    for (const one of casesFor(run, operation, known, owner, seed, ADDING_TRIES)) {
      const answer = await trySend(run, operation, one);
      if (answer === undefined || !isAccepted({ ...operation, answer })) continue;
      added.add(one.body, thing);
      added.addAnswer(dataOf(detail, answer), answer.headers, thing);
      count += 1;
      if (count === ADDED) break;
    }
  }
  return added;
}

/** What the owner is answered twice in the same way, with ids that are there now. */
async function stableReads(
  run: FuzzRun,
  operations: readonly FuzzOperation[],
  added: ValuePool,
  { owner, seed }: Pair,
): Promise<Read[]> {
  const found: Read[] = [];
  const pool = new ValuePool();
  const reading = operations.filter(({ isSafe, detail }) => isSafe && !isStream(detail));
  // Those without parameters tell the ids for the others.
  const ordered = reading.toSorted((one, two) => inputsOf(one) - inputsOf(two));
  for (const operation of ordered) {
    const { thing } = operation;
    const hasInput = inputsOf(operation) > 0;
    const known = hasInput
      ? both(added.knownFor(thing), pool.knownFor(thing))
      : run.pool(owner).knownFor(thing);
    for (const one of casesFor(run, operation, known, owner, seed, hasInput ? 4 : 1)) {
      if (found.length >= MOST_READS) return found;
      const [first, second] = [await trySend(run, operation, one), await trySend(run, operation, one)];
      if (
        first === undefined ||
        !isSame(first.text, second?.text) ||
        !isAccepted({ ...operation, answer: first })
      )
        continue;
      if (found.some(({ text }) => isSame(text, first.text))) continue;
      pool.add(dataOf(operation.detail, first), operation.thing);
      found.push({ operation, sent: one, text: first.text, answer: first });
    }
  }
  return found;
}

/** @returns whether the owner is answered something else since */
async function tryAsOther(
  run: FuzzRun,
  operation: FuzzOperation,
  reads: readonly Read[],
  pair: Pair,
): Promise<boolean> {
  const { owner, other, seed } = pair;
  const theirs = new ValuePool();
  for (const { answer, operation: read } of reads)
    theirs.addAnswer(dataOf(read.detail, answer), answer.headers, read.thing);
  // Before what these tries are answered.
  const seen = run.pool(other).texts();
  let last: FuzzCase | undefined;
  for (const one of casesFor(run, operation, theirs.knownFor(operation.thing), other, seed, TRIES)) {
    const mentioned = new Set([...scalarsIn(one.parameters), ...scalarsIn(one.body)]);
    const foreign = new Set([...mentioned].filter((value) => theirs.has(value) && !seen.has(value)));
    if (operation.isSafe && foreign.size === 0) continue;
    const answer = await trySend(run, operation, one);
    if (answer === undefined) continue;
    last = one;
    if (!isAccepted({ ...operation, answer })) continue;
    if (!operation.isSafe && (await reportChange(run, operation, reads, pair, one))) return true;
    const leaked = scalarsIn(dataOf(operation.detail, answer)).find(
      (value) =>
        theirs.isId(value) &&
        ((operation.isSafe && foreign.has(value)) ||
          (value.length >= SHORTEST && !seen.has(value) && !mentioned.has(value))),
    );
    const isRepeated = leaked !== undefined && foreign.has(leaked);
    if (leaked !== undefined && !(isRepeated && (await isAnything(run, operation, one, foreign)))) {
      const message = `answers ${other} with ${JSON.stringify(leaked)}, which only ${owner} had been answered`;
      run.reportOnce(operation, { check: 'other users', message }, one);
      return false;
    }
  }
  // Also after refusals, which may have come too late.
  return !operation.isSafe && last !== undefined && reportChange(run, operation, reads, pair, last);
}

/** Whether the owner is answered something else since. */
async function reportChange(
  run: FuzzRun,
  operation: FuzzOperation,
  reads: readonly Read[],
  { owner, other }: Pair,
  one: FuzzCase,
): Promise<boolean> {
  for (const read of reads) {
    const now = await trySend(run, read.operation, read.sent);
    if (now === undefined || isSame(now.text, read.text)) continue;
    const message = `a request of ${other} changed what ${read.operation.name} answers ${owner}`;
    run.reportOnce(operation, { check: 'other users', message }, one);
    return true;
  }
  return false;
}

/** Whether the operation accepts ids that nothing has, and only repeats them. */
async function isAnything(
  run: FuzzRun,
  operation: FuzzOperation,
  one: FuzzCase,
  foreign: ReadonlySet<string>,
): Promise<boolean> {
  const other = (value: unknown): unknown => {
    if (typeof value === 'string' && foreign.has(value))
      return isUuid(value) ? crypto.randomUUID() : `${value}0`;
    if (typeof value === 'number' && foreign.has(String(value))) return value + 1_000_000;
    if (Array.isArray(value)) return value.map(other);
    if (typeof value !== 'object' || value === null || value instanceof Blob) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, other(inner)]));
  };
  const changed = {
    ...one,
    parameters: other(one.parameters) as FuzzCase['parameters'],
    body: other(one.body),
  };
  const answer = await trySend(run, operation, changed);
  return answer !== undefined && isAccepted({ ...operation, answer });
}

/** The answer; undefined if there is none, or the request cannot be sent. */
async function trySend(
  run: FuzzRun,
  operation: FuzzOperation,
  one: FuzzCase,
): Promise<FuzzResponse | undefined> {
  const sent = await run.trySend(operation, one);
  if (sent?.finding !== undefined) run.reportOnce(operation, sent.finding, one);
  return sent?.response;
}

function casesFor(
  run: FuzzRun,
  { detail, name }: FuzzOperation,
  known: KnownValues,
  caller: string,
  seed: number,
  count: number,
): FuzzCase[] {
  return sample(plainCasesOf(detail, known, caller), {
    numRuns: count,
    seed: run.seedOf(name, seed),
  });
}

function first(one: KnownValues, other: KnownValues): KnownValues {
  return (name) => (one(name).length > 0 ? one(name) : other(name));
}

/** Whoever chooses the id of what is added chooses a new one. */
function withoutIds(known: KnownValues): KnownValues {
  return (name) => (/^_?id$/i.test(name) ? [] : known(name));
}

function both(one: KnownValues, other: KnownValues): KnownValues {
  return (name) => [...one(name), ...other(name)];
}

/** Times change by themselves, such as that of the last use of a session. */
function isSame(one: string, other: string | undefined): boolean {
  const timeless = (text: string): string => text.replace(/\d{4}-\d\d-\d\dT[\d:.]{5,15}|\b1\d{12}\b/g, '');
  return other !== undefined && timeless(one) === timeless(other);
}

function inputsOf({ detail }: FuzzOperation): number {
  return detail.parameters.filter(({ isRequired }) => isRequired).length + (detail.bodies.length > 0 ? 1 : 0);
}

function isStream({ target }: FuzzOperation['detail']): boolean {
  return target.kind === 'rpc' && target.procedure === 'subscription';
}
