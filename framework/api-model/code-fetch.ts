// A model of an API: a call as JavaScript with `fetch`.
import type { Secret } from './credentials.js';
import { type RequestPlan, searchOf } from './request-plan.js';

/** @param isShown whether secrets are written; otherwise constants stand for them */
export function fetchText(plan: RequestPlan, isShown: boolean): string {
  const { method, headers, secrets, body, cookies } = plan;
  const named = isShown ? [] : [...new Set(secrets.map(({ placeholder }) => placeholder))];
  const lines = named.map((name) => `const ${name} = ''; // yours`);
  const fields = [
    ...headers.map(([name, value]) => `${key(name)}: ${quoted(value)}`),
    ...secrets
      .filter(({ place }) => place === 'header')
      .map((one) => `${key(one.name)}: ${secretText(one.prefix, one, isShown)}`),
  ];
  if (body?.kind === 'form') {
    lines.push('const body = new FormData();');
    for (const [name, value] of body.parts) {
      const shown = typeof value === 'string' ? quoted(value) : `file /* ${commented(value.name)} */`;
      lines.push(`body.append(${quoted(name)}, ${shown});`);
    }
  }
  const options = [
    ...(method === 'GET' ? [] : [`method: ${quoted(method)}`]),
    ...(fields.length === 0 ? [] : [`headers: {\n    ${fields.join(',\n    ')},\n  }`]),
    ...(cookies.length > 0 || secrets.some(({ place }) => place === 'cookie')
      ? ["credentials: 'include'"]
      : []),
    ...bodyOption(body),
  ];
  const init = options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`;
  lines.push(`const response = await fetch(${urlText(plan, isShown)}${init});`, readLine(headers));
  return lines.join('\n');
}

function bodyOption(body: RequestPlan['body']): string[] {
  if (body === undefined) return [];
  if (body.kind === 'form') return ['body'];
  if (body.kind === 'file') return [`body: file /* ${commented(body.file.name)} */`];
  return [`body: ${jsonCall(body.text)}`];
}

/** JSON reads better as a value than as a string with escapes. */
function jsonCall(text: string): string {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value !== 'object' || value === null) return quoted(text);
    return `JSON.stringify(${literal(value, '  ')})`;
  } catch {
    // A body that is not JSON is a text.
    return quoted(text);
  }
}

/** A value of JSON as JavaScript, where `__proto__` would not be a field like others. */
export function literal(value: unknown, indent: string): string {
  return (JSON.stringify(value, undefined, 2) ?? 'undefined')
    .replaceAll('\n', `\n${indent}`)
    .replace(/^(\s*)"__proto__":/gm, '$1["__proto__"]:')
    .replace(/[\u2028\u2029]/g, escaped);
}

function urlText({ url, secrets }: RequestPlan, isShown: boolean): string {
  const found = secrets.filter(({ place }) => place === 'query');
  if (found.length === 0) return quoted(url);
  const search = searchOf(found.map(({ name, value }) => [name, value]));
  if (isShown) return quoted(url + (url.includes('?') ? search.replace('?', '&') : search));
  const [first] = found as [Secret];
  const before = `${url}${url.includes('?') ? '&' : '?'}${encodeURIComponent(first.name)}=`;
  return `${quoted(before)} + encodeURIComponent(${first.placeholder})`;
}

function readLine(headers: RequestPlan['headers']): string {
  const isStream = headers.some(([, value]) => value === 'text/event-stream');
  return isStream
    ? 'for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) console.log(chunk);'
    : 'console.log(response.status, await response.text());';
}

function secretText(prefix: string, { value, placeholder }: Secret, isShown: boolean): string {
  if (isShown) return quoted(prefix + value);
  return prefix === '' ? placeholder : `${quoted(prefix)} + ${placeholder}`;
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : quoted(name);
}

/** In single quotes, with the escapes of JSON. */
export function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replace(/[\u2028\u2029]/g, escaped)}'`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}`;
}

function commented(text: string): string {
  return text.replaceAll('*/', '* /').replace(/[\r\n\u2028\u2029]/g, ' ');
}
