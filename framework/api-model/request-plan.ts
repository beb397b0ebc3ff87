// A model of an API: the request of a call, before it is sent or printed as code.

import type { Secret } from './credentials.js';
import type { Body, Detail, Parameter } from './detail.js';
import { encodedPart, fieldText, pathText, plain, queryPairs } from './parameter-text.js';
import { isOwn } from './servers.js';
import { holdsFile, isObject } from './value-path.js';

type PlanBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'form'; readonly parts: readonly (readonly [name: string, value: string | File])[] }
  | { readonly kind: 'file'; readonly file: File };

export interface RequestPlan {
  readonly method: string;
  /** Without what authenticates. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly cookies: readonly (readonly [name: string, value: string])[];
  readonly secrets: readonly Secret[];
  readonly body: PlanBody | undefined;
  /** Why it cannot be sent as it is. */
  readonly problems: readonly string[];
}

/** What the user has filled in. */
export interface Filled {
  /** By place and name: `query page`. Undefined for what is left out. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly mediaType: string;
}

export function parameterKey({ in: place, name }: Pick<Parameter, 'in' | 'name'>): string {
  return `${place} ${name}`;
}

/** @param pageUrl of this page: paths belong to its origin */
export function planOf(
  detail: Detail,
  filled: Filled,
  secrets: readonly Secret[],
  pageUrl: string,
): RequestPlan {
  const { target } = detail;
  if (target.kind === 'rpc') return { ...procedurePlan(target, filled.body, pageUrl), secrets };
  const draft = new Draft();
  const path = draft.path(target.path, detail.parameters, filled);
  const base = target.kind === 'socket' ? new URL(pageUrl).origin : target.base;
  for (const one of detail.parameters) draft.add(one, filled.parameters[parameterKey(one)]);
  if (!isOwn(base, pageUrl))
    draft.problems.push(`The policy of this page lets it call only its own server, not ${base}.`);
  const body = detail.bodies.find(({ mediaType }) => mediaType === filled.mediaType) ?? detail.bodies[0];
  const sent = body === undefined || filled.body === undefined ? undefined : bodyOf(body, filled.body);
  if (sent !== undefined && sent.kind !== 'form' && body !== undefined)
    draft.headers.unshift(['Content-Type', body.mediaType]);
  return {
    method: target.kind === 'socket' ? 'GET' : target.method,
    url: base + path + searchOf(draft.query),
    headers: draft.headers,
    cookies: draft.cookies,
    secrets,
    body: sent,
    problems: draft.problems,
  };
}

type Pair = readonly [name: string, value: string];

class Draft {
  readonly query: Pair[] = [];
  readonly headers: Pair[] = [];
  readonly cookies: Pair[] = [];
  readonly problems: string[] = [];

  path(template: string, parameters: readonly Parameter[], { parameters: values }: Filled): string {
    return template.replace(/\{([^{}]*)\}/g, (_, name: string) => {
      const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
      const value = values[`path ${name}`];
      const text = parameter === undefined || value === undefined ? '' : pathText(parameter, value);
      // These would lead to another path.
      if (text === '' || text === '.' || text === '..') {
        this.problems.push(
          text === '' ? `Fill in the path parameter '${name}'.` : `'${text}' cannot be a part of a path.`,
        );
      }
      return text;
    });
  }

  add(parameter: Parameter, value: unknown): void {
    if (value === undefined || parameter.in === 'path') return;
    if (parameter.in === 'query') {
      this.query.push(...queryPairs(parameter, value));
      return;
    }
    const { name } = parameter;
    const text = fieldText(parameter, value);
    if (!isToken(name) || !isFieldText(text)) {
      this.problems.push(
        `The ${parameter.in} '${name}' cannot be sent: its name or value has characters that HTTP forbids.`,
      );
    } else if (parameter.in === 'header') this.headers.push([name, text]);
    else this.cookies.push([name, encodedPart(text)]);
  }
}

/** RFC 9110, section 5.6.2. */
export function isToken(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

/** What browsers take: no control characters, and only those of Latin-1. */
export function isFieldText(text: string): boolean {
  return /^[\t\u0020-\u007e\u00a0-\u00ff]*$/.test(text);
}

export function searchOf(pairs: readonly Pair[]): string {
  if (pairs.length === 0) return '';
  return `?${pairs.map(([name, value]) => `${encodedPart(name)}=${encodedPart(value)}`).join('&')}`;
}

function bodyOf({ mediaType, type }: Body, value: unknown): PlanBody {
  if (value instanceof File) return { kind: 'file', file: value };
  if (mediaType.startsWith('multipart/form-data')) return { kind: 'form', parts: formParts(value) };
  if (mediaType.startsWith('application/x-www-form-urlencoded')) {
    const pairs = formParts(value).flatMap(([name, one]): Pair[] =>
      typeof one === 'string' ? [[name, one]] : [],
    );
    return { kind: 'text', text: searchOf(pairs).slice(1) };
  }
  const isJson = /[/+]json/i.test(mediaType) || type.kind === 'object';
  return { kind: 'text', text: typeof value === 'string' && !isJson ? value : JSON.stringify(value) };
}

function procedurePlan(
  target: Extract<Detail['target'], { kind: 'rpc' }>,
  input: unknown,
  pageUrl: string,
): Omit<RequestPlan, 'secrets'> {
  const { mode, path, name, procedure } = target;
  const { origin } = new URL(pageUrl);
  const problems =
    path === null
      ? ['The registry is mounted nowhere, so that its procedures cannot be called from here.']
      : [];
  const isStream = procedure === 'subscription';
  const accept: Pair[] = isStream ? [['Accept', 'text/event-stream']] : [];
  const common = { cookies: [], problems };
  const base = origin + (path ?? '');
  if (mode === 'rest' && procedure !== 'mutation') {
    const url = `${base}/${encodedPart(name)}${searchOf(inputPairs(input))}`;
    return { ...common, method: 'GET', url, headers: accept, body: undefined };
  }
  const message =
    mode === 'rest'
      ? (input ?? {})
      : { jsonrpc: '2.0', id: 1, method: name, ...(input !== undefined && { params: input }) };
  const url = mode === 'rest' ? `${base}/${encodedPart(name)}` : base;
  if (holdsFile(message)) {
    return {
      ...common,
      method: 'POST',
      url,
      headers: [['X-Fw-Upload', '1'], ...accept],
      body: { kind: 'form', parts: uploadParts(message) },
    };
  }
  const headers: Pair[] = [['Content-Type', 'application/json'], ...accept];
  return { ...common, method: 'POST', url, headers, body: { kind: 'text', text: JSON.stringify(message) } };
}

/** The fields of an input in a query; an array is a repeated key. */
function inputPairs(input: unknown): Pair[] {
  if (!isObject(input)) return [];
  return Object.entries(input).flatMap(([name, value]): Pair[] => {
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    return all.flatMap((one): Pair[] => (one === undefined || one === null ? [] : [[name, plain(one)]]));
  });
}

type Part = readonly [name: string, value: string | File];

/** An array repeats its name; an object inside is JSON. */
function formParts(value: unknown): Part[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]): Part[] => {
    if (one === undefined) return [];
    const all: readonly unknown[] = Array.isArray(one) ? one : [one];
    return all.map((item) => [name, item instanceof File ? item : plain(item)]);
  });
}

/** A call of a procedure with files: its JSON, the places of the files in it, and the files. */
function uploadParts(message: unknown): Part[] {
  const files: [pointer: string, file: File][] = [];
  const json = JSON.stringify(withoutFiles(message, '', files));
  return [
    ['json', json],
    ['files', JSON.stringify(files.map(([pointer]) => pointer))],
    ...files.map(([, file], index): Part => [String(index), file]),
  ];
}

function withoutFiles(value: unknown, pointer: string, files: [string, File][]): unknown {
  if (value instanceof File) {
    files.push([pointer, value]);
    return null;
  }
  if (Array.isArray(value)) return value.map((one, index) => withoutFiles(one, `${pointer}/${index}`, files));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const step = key.replaceAll('~', '~0').replaceAll('/', '~1');
      return [key, withoutFiles(one, `${pointer}/${step}`, files)];
    }),
  );
}
