// Recorded requests as the page about the app shows them, with the secrets masked.
import type { AppError } from '../../process/messages.js';
import type { RawCallError, RawLogLine, RawRecord, RawStep } from '../../process/records.js';
import { MASKED } from '../../process/secret-names.js';
import { likelyLoop } from './equal-statements.js';
import { adviceFor } from './error-advice.js';
import { KeptMessages } from './kept-messages.js';
import { maskBody, maskFields, maskTarget } from './masking.js';
import { parsePlace } from './places.js';
import type { CallSummary, LogLine, RequestDetail, RequestSummary, TraceStep } from './protocol.js';
import type { StoredRequest } from './record-store.js';
import { Secrets } from './secrets.js';
import { fieldOf, shownBody } from './shown-body.js';
import { shownError } from './shown-error.js';
import { shownMessages } from './shown-messages.js';

/** Longer lists of procedures are cut. */
const MOST_NAMES = 5;

/** @param sentFrom the number of the request that an order was made from, by the number of the order */
export function summaryOf(
  { id, raw, messages }: StoredRequest,
  sentFrom: ReadonlyMap<number, number>,
): RequestSummary {
  const { began, method, target, status, durationMs, responseBody, state, order, calls } = raw;
  const secrets = new Secrets(raw.secrets);
  const label = labelOf(raw.isWebSocket, raw.steps);
  const requestId = fieldOf(raw.responseHeaders, 'x-request-id');
  const from = order === undefined ? undefined : sentFrom.get(order);
  const isAnswered = state !== 'pending' && status !== undefined;
  const equalReads = likelyLoop(raw.steps);
  return {
    id,
    began,
    method,
    target: raw.isJob ? spanName(target, secrets) : maskTarget(target, secrets),
    ...(label !== '' && { label }),
    ...(calls !== undefined && { calls: shownCalls(calls, raw.callErrors, secrets) }),
    ...(status !== undefined && { status }),
    ...(durationMs !== undefined && { durationMs }),
    ...(isAnswered && { size: responseBody?.size ?? 0 }),
    ...(requestId !== '' && { requestId }),
    ...(state === 'aborted' && { aborted: true as const }),
    ...(raw.isJob && { isJob: true as const }),
    ...(((raw.isJob && raw.error) || messages?.error) && { hasFailed: true as const }),
    ...(raw.isFatal && { hasCrashed: true as const }),
    ...(raw.isOfFrontend && { isOfFrontend: true as const }),
    ...(messages !== undefined && { messages: messages.count }),
    ...(from !== undefined && { sentFrom: from }),
    ...(equalReads !== undefined && { equalReads }),
  };
}

export function detailOf(
  request: StoredRequest,
  sentFrom: ReadonlyMap<number, number>,
  root: string,
): RequestDetail {
  const { raw, messages } = request;
  const { requestBody, responseBody, callErrors = [], route } = raw;
  const error = raw.error ?? messages?.error;
  const advice = error === undefined ? [] : adviceFor(error, raw.status ?? 500);
  const secrets = new Secrets(raw.secrets);
  return {
    ...summaryOf(request, sentFrom),
    origin: raw.origin,
    requestHeaders: maskFields(raw.requestHeaders, secrets),
    responseHeaders: maskFields(raw.responseHeaders, secrets),
    steps: raw.steps.map((step) => shownStep(step, root, secrets)),
    log: raw.log.map((line) => shownLine(line, root, secrets)),
    ...(route !== undefined && { route }),
    ...(requestBody && { requestBody: shownBody(requestBody, raw.requestHeaders, secrets) }),
    ...(responseBody && { responseBody: shownBody(responseBody, raw.responseHeaders, secrets) }),
    ...(hasStream(raw) && { stream: shownMessages(messages ?? new KeptMessages(), raw, secrets) }),
    ...(error && { error: shownError(withoutSecrets(error, secrets), root) }),
    ...(advice.length > 0 && { advice }),
    ...(callErrors.length > 1 && {
      callErrors: callErrors.map(({ procedure, error }) => ({
        procedure,
        error: shownError(withoutSecrets(error, secrets), root),
      })),
    }),
  };
}

/** Whether messages of it are known, or will be: of WebSockets that are not those of an App of `fw`, none are told. */
function hasStream({ isWebSocket, status, route, responseHeaders }: RawRecord): boolean {
  if (isWebSocket) return status === 101 && route !== undefined;
  const isEvents = /^text\/event-stream\b/i.test(fieldOf(responseHeaders, 'content-type'));
  return isEvents && fieldOf(responseHeaders, 'content-encoding') === '';
}

/** More calls than a batch of a page has are not shown. */
const MOST_CALLS = 100;

/** A name that no procedure has may be anything, also a secret. */
function shownCalls(
  calls: NonNullable<RawRecord['calls']>,
  errors: RawRecord['callErrors'],
  secrets: Secrets,
): CallSummary[] {
  return calls.slice(0, MOST_CALLS).map(({ procedure, outcome }) => {
    const message = ownMessage(errors?.find((one) => one.procedure === procedure && one.outcome === outcome));
    return {
      procedure: secrets.hide(procedure),
      outcome,
      ...(message !== undefined && { message: secrets.hide(message) }),
    };
  });
}

/** Longer messages of errors are cut, in characters. */
const LONGEST_MESSAGE = 60;

/** What a `JsonRpcError` of the app says, whose code says nothing to a person, or something else than fw means by it. */
function ownMessage(thrown: RawCallError | undefined): string | undefined {
  const message = /^JsonRpcError: (.+)/.exec(thrown?.error.title ?? '')?.[1];
  // The codes of JSON-RPC 2.0 (section 5.1) mean the same everywhere.
  if (message === undefined || /^-32[67]\d\d$/.test(thrown?.outcome ?? '')) return undefined;
  return message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;
}

function labelOf(isWebSocket: boolean, steps: readonly RawStep[]): string {
  if (isWebSocket) return 'WebSocket';
  const names = new Set(steps.filter(({ kind }) => kind === 'procedure').map(({ name }) => name));
  const shown = [...names].slice(0, MOST_NAMES).join(', ');
  return names.size > MOST_NAMES ? `${shown}, …` : shown;
}

export function shownStep(
  { place, fields, parameters, error, ...step }: RawStep,
  root: string,
  secrets: Secrets,
): TraceStep {
  const shown = parsePlace(place, root);
  return {
    ...step,
    name: stepName(step, secrets),
    ...(fields && { fields: maskValues(fields, secrets) }),
    ...(parameters && { parameters: parameters.map((one) => shownParameter(one, secrets)) }),
    ...(error !== undefined && { error: secrets.hide(error) }),
    ...(shown && { place: shown }),
  };
}

function stepName({ kind, name }: Pick<RawStep, 'kind' | 'name'>, secrets: Secrets): string {
  if (kind === 'outgoing') return secrets.hide(maskTarget(name, secrets));
  return kind === 'span' ? spanName(name, secrets) : name;
}

/** It may be a field with its value. */
function spanName(name: string, secrets: Secrets): string {
  const at = name.indexOf('=');
  const [field, value] = [name.slice(0, at), name.slice(at + 1)];
  if (at > 0 && (secrets.isField(field) || secrets.isValue(value))) return `${field}=${MASKED}`;
  return secrets.hide(name);
}

/** One may be JSON, of a column that has documents. */
function shownParameter(text: string, secrets: Secrets): string {
  return secrets.isValue(text) ? MASKED : maskBody(text, '', secrets);
}

export function withoutSecrets(error: AppError, secrets: Secrets): AppError {
  const { title, details, facts, causes } = error;
  return {
    ...error,
    title: secrets.hide(title),
    details: secrets.hide(details),
    ...(facts !== undefined && { facts: secrets.hide(facts) }),
    ...(causes !== undefined && { causes: causes.map((cause) => withoutSecrets(cause, secrets)) }),
  };
}

export function shownLine(
  { fields, message, place, ...line }: RawLogLine,
  root: string,
  secrets: Secrets,
): LogLine {
  const shown = parsePlace(place, root);
  return {
    ...line,
    message: secrets.hide(message),
    fields: maskValues(fields, secrets),
    ...(shown && { place: shown }),
  };
}

function maskValues(fields: Readonly<Record<string, string>>, secrets: Secrets): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      secrets.isField(name) || secrets.isValue(value) ? MASKED : value,
    ]),
  );
}
