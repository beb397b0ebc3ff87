// Fuzzing: what must hold for every request and its answer.

import type { Answer, Body, Detail } from '../../api-model/detail.js';
import type { RequestPlan } from '../../api-model/request-plan.js';
import { checkOf, type Lookup } from '../../api-model/type-space.js';
import { RpcErrorCode } from '../../client/runtime/error-codes.js';
import { trimBlanks } from '../../http/white-space.js';
import { NOBODY, STRANGER } from './caller.js';
import { type FuzzAnswer, type FuzzResponse, jsonOf } from './fuzz-answer.js';
import type { FuzzCase } from './fuzz-case.js';
import type { Finding } from './fuzz-check.js';
import { FOREIGN_HOST, MARKUP, POLLUTED, SPLIT_HEADER } from './hostile-values.js';
import { failuresIn, messagesOf, rpcErrors, rpcMode } from './rpc-answer.js';
import { undeclaredFields } from './undeclared-fields.js';

/** One request, with what is known about its operation. */
export interface Exchange {
  readonly detail: Detail;
  readonly sent: FuzzCase;
  readonly plan: RequestPlan;
  readonly answer: FuzzResponse;
  /** Whether anybody may call it. */
  readonly isOpen: boolean;
  /** Whether objects have only the fields that are declared, as those of an App. */
  readonly isClosed: boolean;
}

type Check = (exchange: Exchange) => Finding | undefined;

/** @returns the first that does not hold */
export function checkExchange(exchange: Exchange): Finding | undefined {
  for (const check of CHECKS) {
    const found = check(exchange);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A request that has no answer. */
export function checkArrival(answer: Exclude<FuzzAnswer, FuzzResponse>): Finding {
  return answer.kind === 'late'
    ? { check: 'no answer', message: `no complete answer within ${answer.timeoutMs} ms` }
    : { check: 'no answer', message: `the answer broke off: ${answer.reason}` };
}

/** Whether the request was accepted: a status below 400, and no error of RPC. */
export function isAccepted({ detail, answer }: Pick<Exchange, 'detail' | 'answer'>): boolean {
  if (answer.status >= 400) return false;
  if (rpcMode(detail) !== 'jsonrpc') return true;
  // In a batch, one of the others fails.
  return messagesOf(answer).every(({ id, error }) => error === undefined || (id !== 1 && id !== null));
}

/** Whether the caller is not known, or not any more. */
export function isUnauthorized({ detail, answer }: Pick<Exchange, 'detail' | 'answer'>): boolean {
  if (answer.status === 401) return true;
  const isRpc = rpcMode(detail) === 'jsonrpc';
  return isRpc && rpcErrors(answer).some(({ code }) => code === RpcErrorCode.Unauthorized);
}

const CHECKS: readonly Check[] = [
  prototype,
  serverError,
  access,
  missingToken,
  headerSplit,
  redirect,
  markup,
  internals,
  secret,
  declaredStatus,
  declaredBody,
  invalidInput,
  sharedCache,
  foreignOrigin,
];

function prototype(): Finding | undefined {
  if (!(POLLUTED in {})) return undefined;
  Reflect.deleteProperty(Object.prototype, POLLUTED);
  return {
    check: 'prototype',
    message: `Object.prototype has a field '${POLLUTED}' now, which was in the request`,
  };
}

function serverError({ detail, answer }: Exchange): Finding | undefined {
  const isDeclared = detail.answers.some(({ label }) => label === String(answer.status));
  if (answer.status >= 500 && !isDeclared)
    return { check: 'server error', message: `answered ${answer.status}` };
  if (failuresIn(answer).some(({ status }) => typeof status === 'number' && status >= 500))
    return { check: 'server error', message: 'an event says that the server failed' };
  const internal = rpcErrors(answer).find(({ code }) => code === RpcErrorCode.InternalError);
  if (rpcMode(detail) !== 'jsonrpc' || internal === undefined) return undefined;
  return { check: 'server error', message: 'answered the error -32603 (internal error)' };
}

function access(exchange: Exchange): Finding | undefined {
  const { sent, isOpen, answer } = exchange;
  if (isOpen || (sent.caller !== NOBODY && sent.caller !== STRANGER) || !isAccepted(exchange))
    return undefined;
  const who = sent.caller === NOBODY ? 'without credentials' : 'with credentials that nobody has';
  return {
    check: 'access',
    message: `answered ${answer.status} to a request ${who}; only callers who are signed in may call it`,
  };
}

/** A page of another site can send the cookies of a visitor, but not the token. */
function missingToken(exchange: Exchange): Finding | undefined {
  if (exchange.sent.extra !== 'without token' || !isAccepted(exchange)) return undefined;
  return {
    check: 'missing token',
    message: `answered ${exchange.answer.status} to a request with the cookies of ${exchange.sent.caller}, and without the token against CSRF`,
  };
}

function headerSplit({ answer }: Exchange): Finding | undefined {
  if (!answer.headers.has(SPLIT_HEADER)) return undefined;
  return {
    check: 'header split',
    message: 'a line break in the request began a header field of the response',
  };
}

function redirect({ answer, plan }: Exchange): Finding | undefined {
  const location = answer.headers.get('location');
  if (location === null || !URL.canParse(location, plan.url)) return undefined;
  if (new URL(location, plan.url).hostname !== FOREIGN_HOST) return undefined;
  return { check: 'redirect', message: `redirects to ${location}, which was in the request` };
}

function markup({ answer }: Exchange): Finding | undefined {
  if (!/html|svg/i.test(answer.headers.get('content-type') ?? '') || !answer.text.includes(MARKUP))
    return undefined;
  return { check: 'markup', message: 'HTML has markup of the request, which is not escaped' };
}

/** Lines of a stack, places in the code, texts of databases, and files of the system. */
const INTERNALS =
  /\n {2,8}at \S|\bnode_modules[\\/]|\bfile:\/\/\/|\b(?:SQLITE_[A-Z]+|ER_[A-Z]+_[A-Z]+|SqliteError|PostgresError)\b|syntax error at or near|root:[^:\n]{0,50}:0:0:/;

function internals({ answer }: Exchange): Finding | undefined {
  const isText = /html|json|text/i.test(answer.headers.get('content-type') ?? '');
  const shown = isText && answer.status >= 400 ? INTERNALS.exec(answer.text) : null;
  const file = /^root:[^:\n]{0,50}:0:0:/m.exec(answer.text);
  const found = shown ?? file;
  if (found === null) return undefined;
  return {
    check: 'internals',
    message: `the answer shows what is inside of the server: ${JSON.stringify(found[0].slice(0, 100))}`,
  };
}

/** Names of fields that no answer should have, whatever it declares. */
const SECRET_NAME = /^(?:password|passwd|pwd|(?:password|key|token|secret)_?hash|hashed_?password)$/i;

function secret({ answer }: Exchange): Finding | undefined {
  const name = secretName(jsonOf(answer), 0);
  if (name === undefined) return undefined;
  return { check: 'secret', message: `the answer has a field '${name}'` };
}

function secretName(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null || depth > 8) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && inner !== '' && SECRET_NAME.test(name)) return name;
    const found = secretName(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function declaredStatus({ detail, answer, sent, isClosed }: Exchange): Finding | undefined {
  const { answers, target } = detail;
  if (target.kind !== 'http' || answer.status >= 400) return undefined;
  // Conditions and ranges have statuses of their own (RFC 9110, sections 13 and 14).
  if (sent.extra === 'odd headers' && (answer.status === 304 || answer.status === 206)) return undefined;
  const hasDefault = answers.some(({ label }) => label === 'default');
  if (answerFor(answers, answer.status) !== undefined || (hasDefault && !isClosed)) return undefined;
  // The document does not say everything.
  if (!answers.some(({ label }) => /^[123]\d\d$/.test(label))) return undefined;
  const declared = answers.map(({ label }) => label).join(', ');
  return { check: 'undeclared status', message: `answered ${answer.status}; declared are ${declared}` };
}

function declaredBody(exchange: Exchange): Finding | undefined {
  const { detail, answer } = exchange;
  if (!answer.isComplete || answer.status === 204 || answer.status >= 300) return undefined;
  if (rpcMode(detail) === 'jsonrpc') return declaredResult(exchange);
  const label = rpcMode(detail) === 'rest' && answer.status < 400 ? 'Result' : undefined;
  const declared =
    label === undefined
      ? answerFor(detail.answers, answer.status)
      : detail.answers.find((one) => one.label === label);
  // A refusal of another part of the app has another body.
  if (declared === undefined || declared.bodies.length === 0 || answer.status >= 400) return undefined;
  const type = mediaType(answer.headers);
  const body = declared.bodies.find((one) => matches(one.mediaType, type));
  if (body === undefined) {
    const known = declared.bodies.map((one) => one.mediaType).join(' or ');
    return {
      check: 'undeclared body',
      message: `answered ${answer.status} with ${type || 'no media type'}; declared is ${known}`,
    };
  }
  if (!/[/+]json$/.test(type)) return undefined;
  const value = jsonOf(answer);
  if (value === undefined)
    return { check: 'undeclared body', message: `the body is of ${type}, but not JSON` };
  return checkValue(value, body, detail.outputs, exchange.isClosed, `the body of ${answer.status}`);
}

function declaredResult({ detail, answer, sent, isClosed }: Exchange): Finding | undefined {
  if (answer.status !== 200 || sent.broken !== undefined) return undefined;
  const body = detail.answers.find(({ label }) => label === 'Result')?.bodies[0];
  for (const message of messagesOf(answer)) {
    if (message.jsonrpc !== '2.0' || 'result' in message === 'error' in message)
      return { check: 'undeclared body', message: 'the answer is not a response of JSON-RPC 2.0' };
    if (body === undefined || message.id !== 1 || !('result' in message)) continue;
    const found = checkValue(message.result, body, detail.outputs, isClosed, 'the result');
    if (found !== undefined) return found;
  }
  return undefined;
}

function checkValue(
  value: unknown,
  { type }: Body,
  lookup: Lookup,
  isClosed: boolean,
  what: string,
): Finding | undefined {
  const [issue] = checkOf(type, lookup)(value);
  if (issue !== undefined) {
    const at = issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
    return { check: 'undeclared body', message: `${what} is not what is declared${at}: ${issue.message}` };
  }
  const [extra] = isClosed ? undeclaredFields(type, lookup, value) : [];
  if (extra === undefined) return undefined;
  return {
    check: 'undeclared field',
    message: `${what} has a field ${JSON.stringify(extra)}, which is not declared`,
  };
}

/** Only what no conversion could make right: another kind of value, or a required field that is missing. */
function invalidInput(exchange: Exchange): Finding | undefined {
  const { sent, detail, answer } = exchange;
  if (sent.isValid || sent.broken !== undefined || sent.extra === 'batch' || !isAccepted(exchange))
    return undefined;
  const [body] = detail.bodies;
  const reads = body !== undefined && /[/+]json/.test(body.mediaType) && answer.status < 300;
  if (!reads || detail.target.kind === 'socket' || isQueryOfRest(detail)) return undefined;
  const [issue] = checkOf(withoutRules(body), detail.inputs)(sent.body ?? null);
  if (issue === undefined) return undefined;
  const at = issue.path.length === 0 ? 'the input' : issue.path.join('.');
  return {
    check: 'invalid input',
    message: `accepted an input that is not of its type: ${at}: ${issue.message}`,
  };
}

/** Its input is the text of a query. */
function isQueryOfRest({ target }: Detail): boolean {
  return target.kind === 'rpc' && target.mode === 'rest' && target.procedure !== 'mutation';
}

function withoutRules({ type }: Body): Body['type'] {
  return JSON.parse(
    JSON.stringify(type, (key, value) => (key === 'rules' ? undefined : value)),
  ) as Body['type'];
}

function sharedCache(exchange: Exchange): Finding | undefined {
  const { isOpen, answer, sent } = exchange;
  const control = answer.headers.get('cache-control') ?? '';
  if (isOpen || sent.caller === NOBODY || !isAccepted(exchange) || !/\bpublic\b|s-maxage/i.test(control))
    return undefined;
  return {
    check: 'shared cache',
    message: `a cache may give the answer to others: Cache-Control is '${control}', and callers must be signed in`,
  };
}

function foreignOrigin({ answer, sent }: Exchange): Finding | undefined {
  if (sent.extra !== 'foreign origin') return undefined;
  const origin = answer.headers.get('access-control-allow-origin');
  const isWithCookies = answer.headers.get('access-control-allow-credentials') === 'true';
  if (!isWithCookies || origin === null || !/fuzz\.example$|^null$/.test(origin)) return undefined;
  return {
    check: 'foreign origin',
    message: `every page may read the answer with the cookies of its visitor: Access-Control-Allow-Origin is '${origin}'`,
  };
}

/** Undefined if the status is not declared. */
function answerFor(answers: readonly Answer[], status: number): Answer | undefined {
  // In the document of an App, the default response is that of errors.
  const labels = [String(status), `${String(status)[0]}XX`, ...(status >= 400 ? ['default'] : [])];
  return labels.map((label) => answers.find((one) => one.label === label)).find((one) => one !== undefined);
}

function mediaType(headers: Headers): string {
  return trimBlanks((headers.get('content-type') ?? '').split(';', 1)[0] ?? '').toLowerCase();
}

function matches(declared: string, type: string): boolean {
  const [name = ''] = declared.toLowerCase().split(';', 1);
  return name === type || name === '*/*' || (name.endsWith('/*') && type.startsWith(name.slice(0, -1)));
}

/** RFC 9110, section 9.3.2. */
export function headFinding(get: FuzzResponse, head: FuzzResponse): Finding | undefined {
  if (head.status !== get.status)
    return { check: 'HEAD', message: `GET is answered ${get.status}, HEAD ${head.status}` };
  if (head.text !== '') return { check: 'HEAD', message: 'HEAD is answered with a body' };
  const [type, other] = [mediaType(get.headers), mediaType(head.headers)];
  if (type === other) return undefined;
  return {
    check: 'HEAD',
    message: `GET is answered with ${type || 'no media type'}, HEAD with ${other || 'none'}`,
  };
}
