// The texts of a recorded request that a search looks into: those that the page shows, with the secrets masked.
import { shorten } from '../../process/app-error-lines.js';
import type { AppError } from '../../process/messages.js';
import type { RawField, RawRecord } from '../../process/records.js';
import { maskFields } from './masking.js';
import type { FoundPlace } from './protocol.js';
import { Secrets } from './secrets.js';
import { shownBody } from './shown-body.js';
import { shownLine, shownStep, withoutSecrets } from './shown-request.js';

export interface RecordText {
  readonly where: FoundPlace;
  readonly text: string;
}

/** One after the other, because making all of them may take long. */
export function* textsOf(raw: RawRecord, root: string): Generator<RecordText> {
  const { requestBody, responseBody, requestHeaders, responseHeaders, steps, log } = raw;
  const secrets = new Secrets(raw.secrets);
  for (const error of errorsIn(raw)) yield* textsOfError(withoutSecrets(error, secrets), root);
  for (const { place: _, ...step } of steps) {
    const { kind, name, fields, error: thrown } = shownStep(step, root, secrets);
    if (kind === 'database') yield { where: 'statement', text: name };
    // Those of middleware are in nearly all requests.
    if (kind === 'outgoing' || kind === 'procedure') yield { where: 'step', text: name };
    if (fields !== undefined) yield { where: 'step', text: pairs(Object.entries(fields)) };
    if (thrown !== undefined) yield { where: 'error', text: thrown };
  }
  for (const { place: _, ...line } of log) {
    const { message, fields } = shownLine(line, root, secrets);
    yield { where: 'log', text: message };
    const more = pairs(Object.entries(fields));
    if (more !== '') yield { where: 'log', text: more };
  }
  const response = responseBody && shownBody(responseBody, responseHeaders, secrets).text;
  if (response !== undefined) yield { where: 'response body', text: response };
  const request = requestBody && shownBody(requestBody, requestHeaders, secrets).text;
  if (request !== undefined) yield { where: 'request body', text: request };
  yield* fieldsOf('response header', maskFields(responseHeaders, secrets));
  yield* fieldsOf('request header', maskFields(requestHeaders, secrets));
}

/** That of the request, and those of other calls of a batch. */
function errorsIn({ error, callErrors = [] }: RawRecord): readonly AppError[] {
  const others = callErrors.map((one) => one.error).filter(({ title }) => title !== error?.title);
  return error === undefined ? others : [error, ...others];
}

function* textsOfError({ title, frames, details }: AppError, root: string): Generator<RecordText> {
  yield { where: 'error', text: title };
  if (details !== '') yield { where: 'error', text: shorten(details, root) };
  if (frames.length > 0) yield { where: 'stack', text: shorten(frames.join('\n'), root) };
}

function* fieldsOf(where: FoundPlace, fields: readonly RawField[]): Generator<RecordText> {
  for (const [name, value] of fields) yield { where, text: `${name}: ${value}` };
}

function pairs(entries: readonly (readonly [string, string])[]): string {
  return entries.map(([name, value]) => `${name}=${value}`).join(' ');
}
