// Fuzzing: sends the requests of a run, checks their answers, and shrinks what does not hold.
import { asyncProperty, check, pre } from 'fast-check';
import { type Filled, planOf, type RequestPlan } from '../../api-model/request-plan.js';
import { Caller, type CallerSettings, type FuzzIdentity, NOBODY, STRANGER } from './caller.js';
import { CaseChecks } from './case-checks.js';
import { checkArrival, checkExchange, isAccepted, isUnauthorized } from './checks.js';
import { coveringCasesOf } from './covering-cases.js';
import { extrasOf, sendOptions } from './extras.js';
import type { FuzzResponse } from './fuzz-answer.js';
import { brokenCasesOf, casesOf, type FuzzCase } from './fuzz-case.js';
import type { Finding, FuzzCheck } from './fuzz-check.js';
import type { FuzzedOperation, FuzzFailure } from './fuzz-error.js';
import type { FuzzOperation } from './fuzz-operation.js';
import { copiesOf } from './fuzz-report.js';
import { ValuePool } from './known-values.js';
import { MadeIds } from './made-ids.js';
import { dataOf } from './rpc-answer.js';
import { secondFinding } from './second-request.js';
import { smallerCase } from './smaller-case.js';

/** The request that comes after those to each operation. */
const PROBE: RequestPlan = {
  method: 'GET',
  url: '/',
  headers: [],
  cookies: [],
  secrets: [],
  body: undefined,
  problems: [],
};
/** How long a failure is shrunk, in milliseconds. */
const SHRINK_MS = 3000;

export interface RunSettings extends CallerSettings {
  readonly identities: Readonly<Record<string, FuzzIdentity>>;
  readonly madeUp: Readonly<Record<string, string>>;
  readonly seed: number;
  /** Until when requests are made by chance, as a time of `performance.now()`. */
  readonly chanceEnds: number;
  /** Whether the fields of answers are known, as those of an App. */
  readonly isClosed: boolean;
  /** The origin of the target; that of copies for an App. */
  readonly origin: string;
}

/** What was sent and answered. */
export interface Sent {
  readonly plan: RequestPlan;
  readonly response: FuzzResponse | undefined;
  readonly finding: Finding | undefined;
}

/** A request that cannot be sent as it is, such as one with an empty segment in its path. */
class NotSendable extends Error {}

class Found extends Error {
  readonly finding: Finding;
  readonly plan: RequestPlan;
  readonly sent: FuzzCase;

  constructor(finding: Finding, plan: RequestPlan, sent: FuzzCase) {
    super(finding.message);
    this.finding = finding;
    this.plan = plan;
    this.sent = sent;
  }
}

export class FuzzRun {
  readonly failures: FuzzFailure[] = [];
  readonly notes: string[] = [];
  readonly #settings: RunSettings;
  readonly #callers = new Map<string, Caller>();
  readonly #pools = new Map<string, ValuePool>();
  readonly #counts = new Map<
    string,
    { requests: number; accepted: number; statuses: Record<string, number> }
  >();
  readonly #made = new MadeIds();
  /** Where the server was found to be gone. */
  #end: { readonly operation: FuzzOperation; readonly reason: string } | undefined;
  /** What is known not to hold, by the operation and the check. */
  readonly #known = new Set<string>();

  constructor(settings: RunSettings) {
    this.#settings = settings;
    for (const [name, identity] of Object.entries(settings.identities))
      this.#callers.set(name, new Caller(name, settings, identity));
    this.#callers.set(NOBODY, new Caller(NOBODY, settings));
    this.#callers.set(STRANGER, new Caller(STRANGER, settings, undefined, settings.madeUp));
  }

  /** Whether the server at the address does not take connections any more. */
  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  get identities(): readonly string[] {
    return Object.keys(this.#settings.identities);
  }

  caller(name: string): Caller {
    const caller = this.#callers.get(name);
    if (caller === undefined) throw new Error(`fuzz: there is no caller '${name}'`);
    return caller;
  }

  /** What this caller has been answered, or sent with success. */
  pool(name: string): ValuePool {
    const pool = this.#pools.get(name) ?? new ValuePool();
    this.#pools.set(name, pool);
    return pool;
  }

  /** The requests so far, of operations in the order of their first one. */
  operations(): FuzzedOperation[] {
    return [...this.#counts].map(([name, counts]) => ({ name, ...counts }));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#callers.values()].map((caller) => caller.close()));
  }

  /** Sends requests to one operation until one of its checks fails, which is shrunk. */
  async fuzz(operation: FuzzOperation, runs: number, round: number): Promise<void> {
    const { detail } = operation;
    const [first = NOBODY] = this.identities;
    const callers = {
      identities: this.identities,
      extras: extrasOf(operation, this.#settings.csrf, this.identities.length > 0),
    };
    const known = this.pool(first).knownFor(operation.thing);
    const seed = this.seedOf(operation.name, round);
    const examples =
      round === 0
        ? [...coveringCasesOf(detail, known, callers, seed), ...brokenCasesOf(detail, known, first, seed)]
        : [];
    let failing: FuzzCheck | undefined;
    let smallest: Found | undefined;
    const property = asyncProperty(casesOf(detail, known, callers), async (one) => {
      // What is not sent any more shows nothing.
      if (this.hasEnded) return;
      const { finding, plan } = await this.#attempt(operation, one);
      if (finding === undefined || this.#isKnown(operation, finding)) return;
      // Another failure on the way to a smaller request is not this one.
      failing ??= finding.check;
      if (finding.check !== failing) return;
      smallest = new Found(finding, plan, one);
      throw smallest;
    });
    // On a busy machine, chance gives way.
    const isLate = performance.now() > this.#settings.chanceEnds;
    const result = await check(property, {
      numRuns: Math.max(1, (isLate ? 0 : runs) + examples.length),
      examples: examples.map((one) => [one]),
      seed,
      interruptAfterTimeLimit: SHRINK_MS + runs * 50,
      markInterruptAsFailure: false,
    });
    await this.#probe(operation);
    if (smallest !== undefined) {
      await this.#reportSmaller(operation, smallest);
    } else if (result.failed && result.errorInstance !== null && result.errorInstance !== undefined) {
      throw result.errorInstance;
    }
  }

  /** Requests that were not made by chance are not shrunk yet. */
  async #reportSmaller(operation: FuzzOperation, found: Found): Promise<void> {
    const checks = new CaseChecks(operation.detail);
    const end = performance.now() + SHRINK_MS;
    let smallest = found;
    await smallerCase(found.sent, async (smaller) => {
      const one = { ...smaller, isValid: smaller.broken === undefined && checks.isValid(smaller) };
      const isOver = performance.now() > end || this.hasEnded;
      if (isOver || this.tryPlan(operation, one) === undefined) return false;
      const { finding, plan } = await this.#attempt(operation, one);
      if (finding?.check !== found.finding.check) return false;
      smallest = new Found(finding, plan, one);
      return true;
    });
    this.report(operation, smallest.finding, smallest.plan, smallest.sent);
  }

  /** Sends one request, and checks what it is answered. @throws NotSendable */
  async send(operation: FuzzOperation, one: FuzzCase): Promise<Sent> {
    const { detail, isOpen, name } = operation;
    const caller = this.caller(one.caller);
    const plan = this.#planOf(operation, one);
    if (this.hasEnded) return { plan, response: undefined, finding: undefined };
    const options = sendOptions(one.extra, plan);
    let answer = await caller.send(plan, options);
    if (answer.kind === 'response' && caller.isIdentity && !isOpen && isUnauthorized({ detail, answer })) {
      // An earlier request has ended its session, or removed the account with all that it had.
      this.#pools.delete(one.caller);
      this.#made.forget(one.caller);
      await caller.signIn();
      answer = await caller.send(plan, options);
    }
    this.count(name, answer.kind === 'response' ? String(answer.status) : answer.kind);
    if (answer.kind === 'refused') {
      this.#end = { operation, reason: answer.reason };
      return { plan, response: undefined, finding: undefined };
    }
    if (answer.kind !== 'response') return { plan, response: undefined, finding: checkArrival(answer) };
    const exchange = { detail, sent: one, plan, answer, isOpen, isClosed: this.#settings.isClosed };
    const accepted = isAccepted(exchange);
    const finding =
      checkExchange(exchange) ?? (accepted ? this.#foreignFinding(operation, one, answer) : undefined);
    if (accepted) this.#remember(operation, one, answer);
    return { plan, response: answer, finding };
  }

  /** The same for a request that may not be sendable; undefined then. */
  async trySend(operation: FuzzOperation, one: FuzzCase): Promise<Sent | undefined> {
    return this.tryPlan(operation, one) === undefined ? undefined : this.send(operation, one);
  }

  /** Undefined for what cannot be sent, such as an empty segment of a path. */
  tryPlan(operation: FuzzOperation, one: FuzzCase): RequestPlan | undefined {
    try {
      return this.#planOf(operation, one);
    } catch (error) {
      if (error instanceof NotSendable) return undefined;
      throw error;
    }
  }

  /** Unless the operation is known to fail this check. */
  reportOnce(operation: FuzzOperation, finding: Finding, one: FuzzCase): void {
    if (!this.#isKnown(operation, finding))
      this.report(operation, finding, this.#planOf(operation, one), one);
  }

  /** What no single request has caused. */
  reportUnsent({ name }: FuzzOperation, finding: Finding): void {
    this.#known.add(`${name}\n${finding.check}`);
    this.failures.push({ operation: name, ...finding, caller: NOBODY, curl: '', test: '' });
  }

  report(operation: FuzzOperation, finding: Finding, plan: RequestPlan, one: FuzzCase): void {
    this.#known.add(`${operation.name}\n${finding.check}`);
    const headers = sendOptions(one.extra, plan).headers ?? {};
    this.failures.push({
      operation: operation.name,
      ...finding,
      caller: one.caller,
      ...copiesOf(plan, one.caller, finding, headers),
    });
  }

  #isKnown(operation: FuzzOperation, { check: name }: Finding): boolean {
    return this.#known.has(`${operation.name}\n${name}`);
  }

  /** The App answers after the requests to an operation, as it did before them. */
  async #probe(operation: FuzzOperation): Promise<void> {
    if (this.hasEnded) return;
    const answer = await this.caller(NOBODY).send({ ...PROBE, url: `${this.#settings.origin}/` });
    if (answer.kind === 'response' && answer.status < 500) return;
    if (answer.kind === 'refused') {
      this.#end = { operation, reason: answer.reason };
      return;
    }
    const message =
      answer.kind === 'response'
        ? `GET / is answered ${answer.status} afterwards`
        : 'GET / has no answer afterwards';
    const finding = { check: 'not alive', message } as const;
    if (!this.#isKnown(operation, finding)) this.reportUnsent(operation, finding);
  }

  /** After what has ended it. */
  reportEnd(): void {
    if (this.#end === undefined) return;
    const { operation, reason } = this.#end;
    const message = `the server does not take connections any more, and nothing else was called: ${reason}`;
    this.reportUnsent(operation, { check: 'not alive', message });
  }

  async #attempt(operation: FuzzOperation, one: FuzzCase): Promise<Sent> {
    try {
      const sent = await this.send(operation, one);
      if (sent.finding !== undefined || sent.response === undefined) return sent;
      const caller = this.caller(one.caller);
      return {
        ...sent,
        finding: await secondFinding(operation.detail, one, sent.plan, sent.response, caller),
      };
    } catch (error) {
      if (!(error instanceof NotSendable)) throw error;
      pre(false);
      throw error;
    }
  }

  #planOf({ detail }: FuzzOperation, one: FuzzCase): RequestPlan {
    const filled: Filled = { parameters: one.parameters, body: one.body, mediaType: one.mediaType };
    const planned = planOf(detail, filled, [], `${this.#settings.origin}/`);
    const isPath = planned.problems.some((problem) => /path|part of a path/.test(problem));
    if (isPath) throw new NotSendable(planned.problems.join(' '));
    const { pathname, search } = new URL(planned.url, this.#settings.origin);
    const plan = { ...planned, url: this.#settings.origin + pathname + search };
    if (one.broken !== undefined) {
      const [type, text] = one.broken;
      const headers = plan.headers.filter(([name]) => name.toLowerCase() !== 'content-type');
      return { ...plan, headers: [...headers, ['Content-Type', type]], body: { kind: 'text', text } };
    }
    if (one.extra === 'batch' && plan.body?.kind === 'text') {
      const text = `[${plan.body.text},{"jsonrpc":"2.0","id":2,"method":"fuzz.nothing"},${plan.body.text.replace('"id":1', '"id":3')}]`;
      return { ...plan, body: { kind: 'text', text } };
    }
    return plan;
  }

  /** An identity is answered with an id of what another one has made, and which it did not name. */
  #foreignFinding(operation: FuzzOperation, one: FuzzCase, answer: FuzzResponse): Finding | undefined {
    if (operation.isOpen || operation.isShared) return undefined;
    const found = this.#made.foreignIn(dataOf(operation.detail, answer), one);
    if (found === undefined) return undefined;
    const message = `answers ${one.caller} with ${JSON.stringify(found.id)}, which ${found.maker} has made`;
    return { check: 'other users', message };
  }

  #remember(operation: FuzzOperation, one: FuzzCase, answer: FuzzResponse): void {
    const { name, thing, detail } = operation;
    const data = dataOf(detail, answer);
    if (!operation.isSafe && this.caller(one.caller).isIdentity) this.#made.note(data, one);
    const counts = this.#counts.get(name);
    if (counts !== undefined) counts.accepted++;
    if (!this.caller(one.caller).isIdentity && this.identities.length > 0) return;
    const pool = this.pool(one.caller);
    pool.addAnswer(data, answer.headers, thing);
    if (one.isValid) pool.add(one.body, thing);
  }

  count(name: string, status: string, isAccepted = false): void {
    const counts = this.#counts.get(name) ?? { requests: 0, accepted: 0, statuses: {} };
    counts.requests++;
    if (isAccepted) counts.accepted++;
    counts.statuses[status] = (counts.statuses[status] ?? 0) + 1;
    this.#counts.set(name, counts);
  }

  /** Another one for each operation, whichever others there are. */
  seedOf(name: string, round: number): number {
    let hash = this.#settings.seed | 0;
    for (const char of `${round} ${name}`) hash = (Math.imul(hash, 31) + char.charCodeAt(0)) | 0;
    return hash;
  }
}
