// The script of the page that answers an error to a browser: asks `fw dev` for what happened, and shows it in place of the
// standard body. What it shows is text, never markup.
import { isFailedCall, statusOfCall } from '../failed-calls.js';
import { element, errorParts, openPlace } from '../live/failure-parts.js';
import { STYLES } from '../live/styles.js';
import type { ErrorPage, LogLine, RequestDetail, ShownError } from '../protocol.js';
import { migrationsPart } from './migrations-part.js';
import { PAGE_STYLES } from './styles.js';

const here = import.meta.url;
const base = new URL('.', here);

async function show(): Promise<void> {
  const { request = '' } = document.body.dataset;
  const answer = await fetch(new URL(`error?page=${encodeURIComponent(request)}`, base));
  const body: unknown = await answer.json();
  const panel = answer.ok ? panelOf(body as ErrorPage) : refusal((body as { message: string }).message);
  const host = document.createElement('fw-error-page');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES + PAGE_STYLES);
  root.adoptedStyleSheets = [sheet];
  root.append(panel);
  document.body.style.margin = '0';
  if (answer.ok) document.body.replaceChildren(host);
  else document.body.append(host);
}

/** The page is for the developer: others see why, below the standard body. */
function refusal(message: string): HTMLElement {
  return element('main', 'panel', element('p', 'brand', 'fw dev'), element('p', 'note', message));
}

function panelOf({ request, advice, routes, migrations }: ErrorPage): HTMLElement {
  const { error, status = 500, method, target, route } = request;
  const where = route === undefined ? `${method} ${target}` : `${method} ${target} · route ${route}`;
  document.title = `${status} ${error?.title ?? ''} · fw dev`;
  const parts = [
    ...(advice.length === 0
      ? []
      : [part('What to do', element('div', 'advice', ...advice.map((one) => element('p', '', one))))]),
    ...(migrations === undefined ? [] : [part('Migrations to run', ...migrationsPart(migrations, base))]),
    ...(routes === undefined ? [] : [routesPart(routes)]),
    ...failedCalls(request),
    ...causeParts(error),
    ...(request.log.length === 0 ? [] : [part('Log of this request', logList(request.log))]),
    requestPart(request),
  ];
  return element(
    'main',
    'panel',
    element(
      'header',
      'head',
      element('p', 'brand', 'fw dev', element('span', 'status', String(status))),
      actions(request),
    ),
    element('h1', 'title', titleOf(error, migrations === undefined ? status : 0)),
    element('p', 'asked', where),
    // Nothing of the app's code is wrong where a migration has not run.
    ...(error === undefined || migrations !== undefined ? [] : problem(error, status)),
    ...parts,
    element('p', 'hint', hint(method)),
  );
}

function titleOf(error: ShownError | undefined, status: number): string {
  if (error === undefined) return `The app answered ${status}`;
  return status < 500 ? error.title.replace(/^FwError: /, '') : error.title;
}

/** An error of the client is thrown by the framework, mostly: frames tell something only if they are the app's. */
function problem(error: ShownError, status: number): HTMLElement[] {
  const isOwn = error.frames.some(({ place }) => place !== undefined);
  if (status < 500 && !isOwn) return [];
  return errorParts({ ...error, title: '' }, openHere);
}

/** The code of a cause shows unless it is the same as that of what it caused. */
function causeParts(error: ShownError | undefined): HTMLElement[] {
  return (error?.causes ?? []).flatMap((cause) => {
    const { code, ...rest } = cause;
    const isSame = JSON.stringify(code) === JSON.stringify(error?.code);
    return [part('Caused by', ...errorParts(isSame ? rest : cause, openHere)), ...causeParts(cause)];
  });
}

function routesPart(routes: NonNullable<ErrorPage['routes']>): HTMLElement {
  const lines = routes.map(({ method, path }) => element('li', '', `${method.padEnd(6)} ${path}`));
  return part(
    'Routes of the app',
    lines.length === 0 ? element('p', 'note', 'The app has no routes.') : list(lines, 'Routes of the app'),
  );
}

/** Calls to other servers that failed before: with `404` or the like, or without a response. */
function failedCalls({ steps }: RequestDetail): HTMLElement[] {
  const lines = steps.filter(isFailedCall).map((step) => {
    const { name, place, error } = step;
    return element(
      'li',
      '',
      element('span', 'level-error', String(statusOfCall(step) ?? 'no response')),
      ` ${name}`,
      element('span', 'soft', place === undefined ? '' : ` at ${place.file}:${place.line}`),
      element('span', 'soft', error === undefined ? '' : ` ${error}`),
    );
  });
  const title = 'Calls to other servers that failed before';
  return lines.length === 0 ? [] : [part(title, list(lines, title))];
}

function logList(log: readonly LogLine[]): HTMLElement {
  const lines = log.map(({ at, level, message, fields }) => {
    const pairs = Object.entries(fields)
      .filter(([name]) => name !== 'error' && name !== 'request_id')
      .map(([name, value]) => ` ${name}=${value}`);
    return element(
      'li',
      '',
      element('span', 'soft', `${at.toFixed(1).padStart(7)} ms `),
      element('span', `level-${level}`, level.toUpperCase().padEnd(5)),
      ` ${message}`,
      element('span', 'soft', pairs.join('')),
    );
  });
  return list(lines, 'Log of this request');
}

function requestPart({ method, target, requestHeaders, requestBody, requestId }: RequestDetail): HTMLElement {
  const at = target.indexOf('?');
  const query = at === -1 ? [] : [...new URLSearchParams(target.slice(at + 1))];
  const facts: [string, string][] = [
    ['Method', method],
    ['Path', at === -1 ? target : target.slice(0, at)],
  ];
  if (requestId !== undefined) facts.push(['Request id', requestId]);
  return part(
    'Request',
    fields('Request', facts),
    ...(query.length === 0 ? [] : [element('h3', 'more', 'Query'), fields('Query', query)]),
    details('Headers', fields('Headers', requestHeaders)),
    ...(requestBody?.text === undefined
      ? []
      : [details('Body', element('pre', 'details', requestBody.text))]),
  );
}

function fields(label: string, pairs: Iterable<readonly [string, string]>): HTMLElement {
  const rows = Array.from(pairs, ([name, value]) => {
    const head = element('th', '', name);
    head.scope = 'row';
    return element('tr', '', head, element('td', '', value));
  });
  const table = element('table', 'fields', element('tbody', '', ...rows));
  table.setAttribute('aria-label', label);
  return table;
}

function details(title: string, content: HTMLElement): HTMLElement {
  return element('details', '', element('summary', 'more', title), content);
}

function list(lines: HTMLElement[], label: string): HTMLElement {
  const made = element('ul', 'list-box', ...lines);
  made.setAttribute('aria-label', label);
  return made;
}

function part(title: string, ...content: HTMLElement[]): HTMLElement {
  return element('section', 'part', element('h2', 'heading', title), ...content);
}

function actions({ id, method }: RequestDetail): HTMLElement {
  const link = element('a', 'action', 'Open in the workbench');
  link.href = new URL(`#/requests/${id}`, base).href;
  const again = element('button', 'action', method === 'GET' ? 'Try again' : 'Send again');
  again.type = 'button';
  again.addEventListener('click', () => location.reload());
  return element('div', 'actions', again, link);
}

function hint(method: string): string {
  const what =
    method === 'GET'
      ? 'This page loads again by itself when the next version of the app is up.'
      : 'This page does not send the form again by itself after a change.';
  return `${what} It is shown by fw dev only, to browsers; other clients get JSON.`;
}

const openHere = (place: Parameters<typeof openPlace>[1], said: HTMLElement): Promise<void> =>
  openPlace(base, place, said);

void show();
