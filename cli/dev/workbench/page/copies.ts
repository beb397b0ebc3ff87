// The page about the app: a recorded request as a command of curl or PowerShell, and as a test of `fw/testing`.
import { powerShellCall, powerShellText } from '../../../../framework/docs-page/parts/powershell.js';
import { shellWord } from '../../../../framework/docs-page/parts/shell-word.js';
import type { HeaderField, RequestDetail } from '../protocol.js';

/** What stands for a secret in what the page gets. */
const MASK = '••••••';

/** Set by every client by itself. */
const ownOfClients: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'upgrade',
]);

/** Set by browsers: they say nothing about the call. */
const OWN_OF_BROWSERS =
  /^(?:sec-|accept-language$|cache-control$|pragma$|user-agent$|dnt$|priority$|referer$|origin$|upgrade-insecure-requests$|if-none-match$|if-modified-since$|accept$)/;

/** The call as a command for a POSIX shell. Secrets are left out: `••••••` marks where they belong. */
export function asCurl(request: RequestDetail): string {
  const { method, origin, target } = request;
  // Without `-g`, curl takes brackets and braces in a URL for ranges and lists.
  const parts = [`curl ${/[[\]{}]/.test(origin + target) ? '-g ' : ''}${shellWord(`${origin}${target}`)}`];
  if (method !== 'GET') parts.push(`-X ${shellWord(method)}`);
  for (const [name, value] of fieldsOf(request, ownOfClients))
    parts.push(`-H ${shellWord(value === '' ? `${name};` : `${name}: ${value}`)}`);
  const { requestBody: body } = request;
  if (body?.text !== undefined && !body.isCut && body.size > 0)
    parts.push(`--data-raw ${shellWord(body.text)}`);
  return parts.join(' \\\n  ');
}

/** The same for PowerShell, which is the shell of most people on Windows. */
export function asPowerShell(request: RequestDetail): string {
  const { method, origin, target, requestBody: body } = request;
  const isWhole = body?.text !== undefined && !body.isCut && body.size > 0;
  return powerShellCall({
    method,
    url: powerShellText(`${origin}${target}`),
    headers: fieldsOf(request, ownOfClients)
      .filter(([name]) => name.toLowerCase() !== 'cookie')
      .map(([name, value]) => [name, powerShellText(value)] as const),
    cookies: cookiesOf(request).map(([name, value]) => [name, powerShellText(value)] as const),
    body: isWhole ? { text: powerShellText(body.text) } : undefined,
  });
}

function cookiesOf({ requestHeaders }: RequestDetail): (readonly [name: string, value: string])[] {
  const fields = requestHeaders.filter(([name]) => name.toLowerCase() === 'cookie');
  return fields.flatMap(([, text]) =>
    text.split(';').flatMap((pair) => {
      const at = pair.indexOf('=');
      return at <= 0 ? [] : [[trimmed(pair.slice(0, at)), trimmed(pair.slice(at + 1))] as const];
    }),
  );
}

/** Without the whitespace of header fields (RFC 9110, section 5.6.3). */
function trimmed(text: string): string {
  return text.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '');
}

/** The call and what it answered as a test for Vitest, with the client of `fw/testing`. */
export function asTest(request: RequestDetail): string {
  const { method, target, status } = request;
  const call = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method)
    ? `client.${method.toLowerCase()}(${[literal(target), ...options(request)].join(', ')})`
    : `client.request(${[literal(method), literal(target), ...options(request)].join(', ')})`;
  const lines = [
    "import { TestClient } from 'fw/testing';",
    "import { test } from 'vitest';",
    "import { app } from './app.ts';",
    '',
    `test(${literal(`${method} ${target.split('?')[0]} answers ${status ?? 'nothing'}`)}, async () => {`,
    ...secretNames(request).map((name) => `  // The field ${name} was secret: add it if the call needs it.`),
    '  const client = new TestClient(app);',
    `  const answer = await ${call};`,
    ...assertions(request).map((line) => `  ${line}`),
    '});',
  ];
  return `${lines.join('\n')}\n`;
}

function options(request: RequestDetail): string[] {
  const parts: string[] = [];
  const headers = fieldsOf(request, ownOfClients).filter(
    ([name, value]) => !OWN_OF_BROWSERS.test(name.toLowerCase()) && !value.includes(MASK),
  );
  const body = bodyOption(request);
  // The client sets the media type itself for `json`.
  const shown = body?.startsWith('json:')
    ? headers.filter(
        ([name, value]) =>
          name.toLowerCase() !== 'content-type' || value.split(';')[0] !== 'application/json',
      )
    : headers;
  if (shown.length > 0) {
    const fields = shown.map(([name, value]) => `${literal(name)}: ${literal(value)}`);
    parts.push(`headers: { ${fields.join(', ')} }`);
  }
  if (body !== undefined) parts.push(body);
  return parts.length === 0 ? [] : [`{\n    ${parts.join(',\n    ')},\n  }`];
}

function secretNames(request: RequestDetail): string[] {
  return fieldsOf(request, ownOfClients).flatMap(([name, value]) => (value.includes(MASK) ? [name] : []));
}

function bodyOption({ requestBody: body }: RequestDetail): string | undefined {
  if (body === undefined || body.size === 0) return undefined;
  if (body.text === undefined || body.isCut)
    return `body: '' /* ${body.size} bytes of ${commentText(body.type)} */`;
  const value = body.type.includes('json') ? parsed(body.text) : undefined;
  return value === undefined ? `body: ${literal(body.text)}` : `json: ${source(value.json, '    ')}`;
}

function assertions({ status, responseBody: body, responseHeaders }: RequestDetail): string[] {
  const lines = status === undefined ? [] : [`answer.assertStatus(${status});`];
  if (body === undefined || body.size === 0 || body.text === undefined || body.isCut) {
    const type = responseHeaders.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
    return type === undefined ? lines : [...lines, `answer.assertHeader('content-type', ${literal(type)});`];
  }
  const value = body.type.includes('json') ? parsed(body.text) : undefined;
  const check =
    value === undefined
      ? `answer.assertText(${literal(body.text)});`
      : `answer.assertJson(${source(value.json, '  ')});`;
  return [...lines, check];
}

function fieldsOf({ requestHeaders }: RequestDetail, without: ReadonlySet<string>): HeaderField[] {
  return requestHeaders.filter(([name]) => !without.has(name.toLowerCase()));
}

function parsed(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** A value of JSON as TypeScript. */
function source(value: unknown, indent: string): string {
  if (typeof value === 'string') return literal(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((one) => source(one, inner))
    : Object.entries(value).map(([key, one]) => `${keySource(key)}: ${source(one, inner)}`);
  const [left, right] = Array.isArray(value) ? '[]' : '{}';
  if (parts.length === 0) return `${left}${right}`;
  const space = Array.isArray(value) ? '' : ' ';
  const line = `${left}${space}${parts.join(', ')}${space}${right}`;
  if (line.length <= 80 && !line.includes('\n')) return line;
  return `${left}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${right}`;
}

function keySource(key: string): string {
  // In a literal, `__proto__:` sets the prototype.
  if (key === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key);
}

/** A string literal with single quotes; what could end a line or a script is escaped. */
export function literal(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replace(UNPRINTABLE, escapeOf);
  return `'${escaped}'`;
}

/** Of what JSON leaves as it is: what ends a line, moves a cursor or turns the direction of text. */
const UNPRINTABLE = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

function escapeOf(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function commentText(text: string): string {
  return literal(text).slice(1, -1).replaceAll('*/', '* /');
}
