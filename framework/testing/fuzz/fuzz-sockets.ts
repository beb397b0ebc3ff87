// Fuzzing: WebSockets: the handshake, events as they are declared and others, and what the server sends and closes with.
import {
  type Arbitrary,
  array,
  asyncProperty,
  check,
  constantFrom,
  oneof,
  record,
  string,
  tuple,
} from 'fast-check';
import { type RawData, WebSocket } from 'ws';
import type { Detail } from '../../api-model/detail.js';
import { checkOf } from '../../api-model/type-space.js';
import type { WireField } from '../../wire/wire-type.js';
import { NOBODY, STRANGER } from './caller.js';
import { casesOf, type FuzzCase } from './fuzz-case.js';
import type { Finding } from './fuzz-check.js';
import type { FuzzOperation } from './fuzz-operation.js';
import type { FuzzRun } from './fuzz-run.js';
import { HOSTILE_TEXTS } from './hostile-values.js';
import { anything, Values } from './values.js';

/** How long messages of the server are awaited after its last answer, in milliseconds. */
const SETTLE_MS = 10;
/** Section 7.4.1 of RFC 6455: the server met a condition that it did not expect. */
const INTERNAL_ERROR = 1011;

interface SocketCase {
  readonly handshake: FuzzCase;
  readonly messages: readonly string[];
}

/** What came of a connection. */
interface Connection {
  /** Of the response if the handshake was refused. */
  readonly status: number | undefined;
  /** Undefined while it is open. */
  readonly code: number | undefined;
  readonly received: readonly string[];
  /** Why it failed. */
  readonly problem: string | undefined;
}

/** @param url of the server, with `http` */
export async function fuzzSocket(
  run: FuzzRun,
  operation: FuzzOperation,
  settings: {
    readonly url: string;
    readonly runs: number;
    readonly round: number;
    readonly timeoutMs: number;
  },
): Promise<void> {
  const { detail } = operation;
  const [first = NOBODY] = run.identities;
  const known = run.pool(first).knownFor(operation.thing);
  const values = new Values(detail.inputs, known);
  const handshakes = casesOf(detail, known, {
    identities: run.identities,
    extras: ['nothing'],
  });
  const all = record({
    handshake: handshakes,
    messages: array(messagesOf(detail, values), { maxLength: 6 }),
  });
  let failing: Finding | undefined;
  let smallest: SocketCase | undefined;
  const property = asyncProperty(all, async (one) => {
    const finding = await attempt(run, operation, one, settings);
    if (finding === undefined || (failing !== undefined && finding.check !== failing.check)) return;
    failing = finding;
    smallest = one;
    throw new Error(finding.message);
  });
  const result = await check(property, {
    numRuns: settings.runs,
    seed: run.seedOf(operation.name, settings.round),
    interruptAfterTimeLimit: 3000 + settings.runs * 100,
    markInterruptAsFailure: false,
  });
  if (failing !== undefined && smallest !== undefined) {
    const texts = smallest.messages.map((text) => `\n   ${text.slice(0, 500)}`).join('');
    const message = `${failing.message}; it had been sent${texts === '' ? ' nothing' : `:${texts}`}`;
    run.reportOnce(operation, { ...failing, message }, smallest.handshake);
  } else if (result.failed && result.errorInstance instanceof Error) throw result.errorInstance;
}

function messagesOf({ target }: Detail, values: Values): Arbitrary<string> {
  const sends = target.kind === 'socket' ? target.sends : [];
  const json = (value: unknown): string => JSON.stringify(value) ?? 'null';
  const raw = oneof(
    constantFrom(...HOSTILE_TEXTS, '{', '{}', '[]', 'null', '['.repeat(2000), '{"event":1}'),
    string(),
    anything().map(json),
  );
  if (sends.length === 0) return raw;
  const event = ({ name, type }: WireField, data: Arbitrary<unknown>) => {
    return data.map((value) => json({ event: name, ...(type.kind !== 'void' && { data: value }) }));
  };
  const valid = sends.map((one) => event(one, values.valid(one.type, one.name)));
  const nearly = sends.map((one) => event(one, values.nearlyValid(one.type, one.name)));
  const unknown = tuple(constantFrom('', 'fuzz', '__proto__', 'constructor', 'toString'), anything()).map(
    ([name, data]) => json({ event: name, data }),
  );
  return oneof(
    { weight: 4, arbitrary: oneof(...valid) },
    { weight: 3, arbitrary: oneof(...nearly) },
    { weight: 1, arbitrary: unknown },
    { weight: 1, arbitrary: raw },
  );
}

async function attempt(
  run: FuzzRun,
  operation: FuzzOperation,
  { handshake, messages }: SocketCase,
  { url, timeoutMs }: { readonly url: string; readonly timeoutMs: number },
): Promise<Finding | undefined> {
  const plan = run.tryPlan(operation, handshake);
  const { target } = operation.detail;
  if (plan === undefined || target.kind !== 'socket') return undefined;
  const path = plan.url.slice(new URL(plan.url).origin.length);
  const headers = await run.caller(handshake.caller).handshakeHeaders(path);
  const ws = new WebSocket(url.replace(/^http/, 'ws') + path, [...target.protocols], {
    headers: { origin: url, ...headers, ...Object.fromEntries(plan.headers) },
    handshakeTimeout: timeoutMs,
  });
  const connection = await talk(ws, messages, timeoutMs);
  run.count(
    operation.name,
    String(connection.status ?? connection.code ?? 101),
    connection.status === undefined,
  );
  return findingOf(operation, handshake, connection);
}

/** Sends the messages, and waits until the server has read them, refused the handshake or closed the connection. */
async function talk(ws: WebSocket, messages: readonly string[], timeoutMs: number): Promise<Connection> {
  const received: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const end = await new Promise<Partial<Connection>>((resolve) => {
    ws.on('message', (data: RawData, isBinary: boolean) => {
      if (!isBinary) received.push(data.toString());
    });
    ws.once('unexpected-response', (request, response) => {
      resolve({ status: response.statusCode });
      response.resume();
      request.destroy();
    });
    ws.once('close', (code) => resolve({ code }));
    ws.on('error', (error) => resolve({ problem: error.message }));
    ws.once('open', () => {
      for (const text of messages) ws.send(text);
      ws.ping();
    });
    // A server answers a ping when it has read what came before.
    ws.once('pong', () => setTimeout(() => resolve({}), SETTLE_MS));
    timer = setTimeout(() => resolve({ problem: `no answer within ${timeoutMs} ms` }), timeoutMs);
  });
  clearTimeout(timer);
  ws.terminate();
  return { status: undefined, code: undefined, problem: undefined, ...end, received };
}

function findingOf(
  { detail, isOpen }: FuzzOperation,
  { caller, isValid }: FuzzCase,
  { status, code, received, problem }: Connection,
): Finding | undefined {
  if (status !== undefined)
    return status >= 500
      ? { check: 'server error', message: `answered ${status} to the handshake` }
      : undefined;
  if (problem !== undefined)
    return { check: 'no answer', message: `the connection failed: ${problem.slice(0, 200)}` };
  if (!isOpen && isValid && (caller === NOBODY || caller === STRANGER)) {
    const who = caller === NOBODY ? 'without credentials' : 'with credentials that nobody has';
    return {
      check: 'access',
      message: `accepted a WebSocket ${who}; only callers who are signed in may have one`,
    };
  }
  if (code === INTERNAL_ERROR)
    return {
      check: 'server error',
      message: `closed the connection with ${INTERNAL_ERROR} (internal error)`,
    };
  return undeclaredEvent(detail, received);
}

function undeclaredEvent({ target, outputs }: Detail, received: readonly string[]): Finding | undefined {
  if (target.kind !== 'socket') return undefined;
  for (const text of received) {
    const message = parsed(text);
    const declared = target.receives.find(({ name }) => name === message?.event);
    if (message === undefined || declared === undefined || declared.type.kind === 'void') continue;
    const [issue] = checkOf(declared.type, outputs)(message.data);
    if (issue === undefined) continue;
    const at = issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
    return {
      check: 'undeclared body',
      message: `the event '${declared.name}' is not what is declared${at}: ${issue.message}`,
    };
  }
  return undefined;
}

function parsed(text: string): { readonly event?: unknown; readonly data?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // A server may send any text besides events.
    return undefined;
  }
}
