// Recorded requests as the page about the app shows them, with the secrets masked.
import type { AppError } from '../../process/messages.js';
import type { RawLogLine, RawStep } from '../../process/records.js';
import { MASKED } from '../../process/secret-names.js';
import { maskBody, maskFields, maskTarget } from './masking.js';
import { parsePlace } from './places.js';
import type { CallSummary, LogLine, RequestDetail, RequestSummary, TraceStep } from './protocol.js';
import type { StoredRequest } from './record-store.js';
import { Secrets } from './secrets.js';
import { fieldOf, shownBody } from './shown-body.js';
import { shownError } from './shown-error.js';

/** Longer lists of procedures are cut. */
const MOST_NAMES = 5;

/** @param sentFrom the number of the request that an order was made from, by the number of the order */
export function summaryOf({ id, raw }: StoredRequest, sentFrom: ReadonlyMap<number, number>): RequestSummary {
  const { began, method, target, status, durationMs, responseBody, state, order, calls } = raw;
  const secrets = new Secrets(raw.secrets);
  const label = labelOf(raw.isWebSocket, raw.steps);
  const requestId = fieldOf(raw.responseHeaders, 'x-request-id');
  const from = order === undefined ? undefined : sentFrom.get(order);
  const isAnswered = state !== 'pending' && status !== undefined;
  return {
    id,
    began,
    method,
    target: maskTarget(target, secrets),
    ...(label !== '' && { label }),
    ...(calls !== undefined && { calls: shownCalls(calls, secrets) }),
    ...(status !== undefined && { status }),
    ...(durationMs !== undefined && { durationMs }),
    ...(isAnswered && { size: responseBody?.size ?? 0 }),
    ...(requestId !== '' && { requestId }),
    ...(state === 'aborted' && { aborted: true as const }),
    ...(raw.isOfFrontend && { isOfFrontend: true as const }),
    ...(from !== undefined && { sentFrom: from }),
  };
}

export function detailOf(
  request: StoredRequest,
  sentFrom: ReadonlyMap<number, number>,
  root: string,
): RequestDetail {
  const { raw } = request;
  const { requestBody, responseBody, error, route } = raw;
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
    ...(error && { error: shownError(withoutSecrets(error, secrets), root) }),
  };
}

/** More calls than a batch of a page has are not shown. */
const MOST_CALLS = 100;

/** A name that no procedure has may be anything, also a secret. */
function shownCalls(calls: readonly CallSummary[], secrets: Secrets): CallSummary[] {
  return calls
    .slice(0, MOST_CALLS)
    .map(({ procedure, outcome }) => ({ procedure: secrets.hide(procedure), outcome }));
}

function labelOf(isWebSocket: boolean, steps: readonly RawStep[]): string {
  if (isWebSocket) return 'WebSocket';
  const names = new Set(steps.filter(({ kind }) => kind === 'procedure').map(({ name }) => name));
  const shown = [...names].slice(0, MOST_NAMES).join(', ');
  return names.size > MOST_NAMES ? `${shown}, …` : shown;
}

function shownStep(
  { place, fields, parameters, error, ...step }: RawStep,
  root: string,
  secrets: Secrets,
): TraceStep {
  const shown = parsePlace(place, root);
  return {
    ...step,
    name: step.kind === 'outgoing' ? secrets.hide(maskTarget(step.name, secrets)) : step.name,
    ...(fields && { fields: maskValues(fields, secrets) }),
    ...(parameters && { parameters: parameters.map((one) => shownParameter(one, secrets)) }),
    ...(error !== undefined && { error: secrets.hide(error) }),
    ...(shown && { place: shown }),
  };
}

/** One may be JSON, of a column that has documents. */
function shownParameter(text: string, secrets: Secrets): string {
  return secrets.isValue(text) ? MASKED : maskBody(text, '', secrets);
}

function withoutSecrets(error: AppError, secrets: Secrets): AppError {
  const { title, details, facts, causes } = error;
  return {
    ...error,
    title: secrets.hide(title),
    details: secrets.hide(details),
    ...(facts !== undefined && { facts: secrets.hide(facts) }),
    ...(causes !== undefined && { causes: causes.map((cause) => withoutSecrets(cause, secrets)) }),
  };
}

function shownLine({ fields, message, place, ...line }: RawLogLine, root: string, secrets: Secrets): LogLine {
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
