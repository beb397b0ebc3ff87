// MCP of `fw dev`: texts for models: short lines, each with the place in the source.
import type {
  CodeFrame,
  CycleEntry,
  ErrorGroup,
  LiveState,
  Problem,
  RequestDetail,
  RequestSummary,
  ShownBody,
  ShownError,
  SourcePlace,
} from './protocol.js';

/** `src/app.ts:12`; empty without a place. */
export function at(place: SourcePlace | undefined): string {
  return place === undefined ? '' : `${place.file}:${place.line}`;
}

/** One text of those parts that are not empty, apart by two spaces. */
export function row(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('  ');
}

/** Lines; what is cut off is counted. */
export function list(lines: readonly string[], most: number, more: string): string {
  if (lines.length <= most) return lines.join('\n');
  return [...lines.slice(0, most), `… ${lines.length - most} more; ${more}`].join('\n');
}

export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`;
}

export function who(guards: readonly string[]): string {
  return guards.length === 0 ? 'anyone' : guards.join(', ');
}

/** `#12  POST /rpc  listTasks  200  3.1 ms`. */
export function requestLine(one: RequestSummary): string {
  const failed = (one.calls ?? []).filter(({ outcome }) => outcome !== 'ok');
  const state = one.status === undefined ? (one.isJob ? 'job' : 'not answered') : String(one.status);
  return row(
    `#${one.id}`,
    `${one.method} ${cut(one.target, 120)}`,
    one.label,
    state,
    one.durationMs === undefined ? undefined : `${one.durationMs.toFixed(1)} ms`,
    ...failed.map(({ procedure, outcome, message }) => `failed: ${row(procedure, outcome, message)}`),
    one.hasFailed ? 'failed' : undefined,
    one.hasCrashed ? 'ended the process' : undefined,
    one.aborted ? 'aborted' : undefined,
    one.equalReads === undefined ? undefined : `N+1: ${one.equalReads} equal statements`,
  );
}

export function hasFailed(one: RequestSummary): boolean {
  const calls = one.calls ?? [];
  return (one.status ?? 0) >= 400 || one.hasFailed === true || calls.some(({ outcome }) => outcome !== 'ok');
}

/** The error with its place, the lines around it, the frames of the app, and what to do. */
export function errorText(error: ShownError, advice: readonly string[] = []): string {
  const frames = error.frames.filter(({ place }) => place !== undefined);
  return [
    error.title,
    ...frames.slice(0, 8).map(({ text, place }) => `  at ${at(place)}  ${text}`),
    ...(error.code === undefined ? [] : [frameText(error.code)]),
    ...(error.details === '' ? [] : [cut(error.details, 1000)]),
    ...(error.causes ?? []).map((cause) => `caused by: ${cut(errorText(cause), 1500)}`),
    ...advice.map((what) => `fix: ${what}`),
    ...(error.docs === undefined ? [] : [`documentation: read_doc ${error.docs}`]),
  ].join('\n');
}

function frameText({ place, first, lines }: CodeFrame): string {
  const shown = lines.map((line, index) => {
    const number = first + index;
    return `${number === place.line ? '>' : ' '} ${String(number).padStart(4)} | ${line}`;
  });
  return `${at(place)}\n${shown.join('\n')}`;
}

function problemText({ text, code }: Problem): string {
  return code === undefined ? text : `${text}\n${frameText(code)}`;
}

/** What the app does now. */
export function stateText({ phase, failure, types = [] }: LiveState): string {
  const lines = [`state: ${phase}`];
  if (failure !== undefined) {
    lines.push(`failed: ${failure.title}${failure.keepsServing ? ' (the last good version answers)' : ''}`);
    lines.push(...failure.problems.slice(0, 5).map(problemText));
    if (failure.error !== undefined) lines.push(errorText(failure.error));
  }
  if (types.length > 0) {
    lines.push(`type errors: ${types.length}`);
    lines.push(list(types.map(problemText), 3, 'npm run typecheck prints all of them'));
  }
  return lines.join('\n');
}

export function cycleLine({ time, kind, what, times, lines = [], problems = [], error }: CycleEntry): string {
  const more = [...lines, ...problems.map(({ text }) => text), ...(error === undefined ? [] : [error.title])];
  const total = times === undefined ? undefined : `${times.total} ms`;
  return [
    row(clock(time), kind, what, total),
    ...more.slice(0, 5).map((line) => `    ${cut(line, 300)}`),
  ].join('\n');
}

export function groupLine({ title, place, count, last, ended, requests }: ErrorGroup): string {
  const [newest] = requests;
  return row(
    clock(last),
    cut(title, 300),
    at(place),
    `${count} times`,
    ended === undefined ? undefined : `ended ${ended} processes`,
    newest === undefined ? undefined : `newest: #${newest.id} ${newest.method} ${cut(newest.target, 80)}`,
  );
}

function clock(time: number): string {
  return new Date(time).toISOString().slice(11, 19);
}

const MOST_LOG = 20;
const MOST_STEPS = 25;

/** @param isWhole with header fields and bodies */
export function detailText(one: RequestDetail, isWhole: boolean): string {
  const { error, advice = [], callErrors = [], route, requestId } = one;
  const errors = callErrors.map((call) => `${call.procedure}: ${errorText(call.error)}`);
  const parts: (readonly [title: string, text: string])[] = [
    ['', row(requestLine(one), route && `route ${route}`, requestId && `request id ${requestId}`)],
    ['error', error === undefined ? advice.join('\n') : errorText(error, advice)],
    ['other errors of the batch', errors.join('\n')],
    ['log', logText(one)],
    ['statements', statementsText(one, isWhole)],
    ['steps', stepsText(one, isWhole)],
    ['response body', bodyText(one.responseBody, isWhole ? 8000 : 500)],
  ];
  if (isWhole) {
    parts.push(['request headers', headersText(one.requestHeaders)]);
    parts.push(['request body', bodyText(one.requestBody, 8000)]);
    parts.push(['response headers', headersText(one.responseHeaders)]);
  }
  return parts
    .filter(([, text]) => text !== '')
    .map(([title, text]) => (title === '' ? text : `${title}:\n${text}`))
    .join('\n\n');
}

function logText({ log }: RequestDetail): string {
  const lines = log.map(({ level, message, fields, place }) =>
    row(level, cut(message, 500), fieldsText(fields), at(place)),
  );
  return list(lines, MOST_LOG, 'list_requests searches in logs by text');
}

function statementsText({ steps }: RequestDetail, isWhole: boolean): string {
  const lines = steps
    .filter(({ kind }) => kind === 'database')
    .map(({ name, start, end, place, error, parameters = [] }) =>
      row(took(start, end), cut(name, 500), isWhole ? parameters.join(', ') : '', at(place), error),
    );
  return list(lines, isWhole ? 200 : MOST_STEPS, 'give full: true');
}

function stepsText({ steps }: RequestDetail, isWhole: boolean): string {
  const lines = steps
    .filter(({ kind }) => kind !== 'database' && (isWhole || kind !== 'extractor'))
    .map(({ kind, name, depth, start, end, error }) => {
      const indent = '  '.repeat(Math.min(depth, 10));
      return `${indent}${row(kind, cut(name, 200), took(start, end), error)}`;
    });
  return list(lines, isWhole ? 200 : MOST_STEPS, 'give full: true');
}

function took(start: number, end: number | undefined): string {
  return end === undefined ? 'not ended' : `${(end - start).toFixed(1)} ms`;
}

function headersText(fields: RequestDetail['requestHeaders']): string {
  return fields.map(([name, value]) => `${name}: ${cut(value, 300)}`).join('\n');
}

function fieldsText(fields: Readonly<Record<string, string>>): string {
  return cut(
    Object.entries(fields)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
    300,
  );
}

function bodyText(body: ShownBody | undefined, most: number): string {
  if (body === undefined || body.size === 0) return '';
  return body.text === undefined ? `${body.size} bytes of ${body.type}` : cut(body.text, most);
}
