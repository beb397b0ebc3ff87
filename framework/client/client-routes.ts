// The client: the routes of an App, their types and the methods that call them.
import { ConfigError } from '../config-error.js';
import { urlPattern } from '../router/url-pattern.js';
import { printType } from '../wire/print/print-typescript.js';
import type { ClientRoute, ClientRoutes, ObjectType, WireField, WireType } from '../wire/wire-type.js';
import { FORM_TYPE } from './client-kind.js';
import { memberName } from './member-name.js';

const JSON_TYPE = 'application/json';

/** The types of the routes. */
export function printRoutes(routes: ClientRoutes): string {
  const types = sorted(routes).map(([name, route]) => {
    const fields = [
      ['input', printValue(routeInput(name, route))],
      ['output', printValue(routeOutput(route))],
      ['errors', printType(errorsOf(route), '    ')],
    ] as const;
    const lines = fields.map(([field, type]) => `    ${field}: ${type};\n`).join('');
    return `  ${memberName(name)}: {\n${lines}  };\n`;
  });
  return `/** The types of every route, by its name; \`errors\` are those that it declares. */
export interface FwRoutes {
${types.join('')}}
`;
}

/** How the routes are called. */
export function printRouteCalls(routes: ClientRoutes): string {
  const calls = sorted(routes).map(
    ([name, route]) => `  ${memberName(name)}: ${JSON.stringify(callOf(route))},\n`,
  );
  return `${routeCall}
const routes: Readonly<Record<keyof FwRoutes, FwRouteCall>> = {
${calls.join('')}};
`;
}

function sorted(routes: ClientRoutes): [name: string, route: ClientRoute][] {
  return Object.entries(routes).sort(([a], [b]) => (a < b ? -1 : 1));
}

const routeCall = `interface FwRouteCall {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  /** The media type of the body. */
  readonly body?: string;
  /** Whether there are several answers, so that the result has the status. */
  readonly isTagged?: boolean;
  /** The statuses whose bodies are text. */
  readonly text?: readonly number[];
  /** The statuses of declared errors. */
  readonly errors: readonly number[];
}
`;

function callOf(route: ClientRoute): object {
  const { method, path, query, body, text, errors } = route;
  return {
    method,
    path: urlPattern(path),
    query: query.map(({ name }) => name),
    ...(body !== undefined && { body: body.contentType }),
    ...(isTagged(route) && { isTagged: true }),
    ...(text.length > 0 && { text }),
    errors: entries(errors).map(([status]) => status),
  };
}

function entries(types: Readonly<Record<number, WireType>>): [status: number, type: WireType][] {
  return Object.entries(types).map(([status, type]) => [Number(status), type]);
}

function isTagged({ answers = {} }: ClientRoute): boolean {
  return Object.keys(answers).length > 1;
}

/** The parameters and the query, and the field `body`; void if there are none. */
export function routeInput(name: string, { method, path, params, query, body }: ClientRoute): WireType {
  const bodies: WireField[] =
    body === undefined ? [] : [{ name: 'body', type: body.type, isOptional: false }];
  const fields = [...params, ...query, ...bodies];
  const twice = fields.find((field, index) => fields.findIndex((one) => one.name === field.name) < index);
  if (twice !== undefined) {
    throw new ConfigError(
      'FW_CLIENT_FIELDS',
      `the input of '${name}' (${method} ${path}) in the client would have two fields '${twice.name}', of path, query and body; rename one of them`,
    );
  }
  return fields.length === 0 ? { kind: 'void' } : { kind: 'object', fields };
}

/** The body of the only answer; the status and the body of several. */
export function routeOutput(route: ClientRoute): WireType {
  if (route.answers === undefined) return { kind: 'unknown' };
  const answers = entries(route.answers);
  const [only] = answers;
  if (only === undefined) return { kind: 'void' };
  return answers.length === 1 ? only[1] : { kind: 'union', members: answers.map(answerOf) };
}

function errorsOf({ errors }: ClientRoute): WireType {
  return { kind: 'union', members: entries(errors).map(answerOf) };
}

function answerOf([status, type]: [number, WireType]): ObjectType {
  const field = (key: string, one: WireType): WireField => ({ name: key, type: one, isOptional: false });
  return {
    kind: 'object',
    fields: [field('status', { kind: 'literal', value: status }), field('body', type)],
  };
}

/** The type of a field, where no value is `undefined`; `void` is only for return types. */
function printValue(type: WireType): string {
  return type.kind === 'void' ? 'undefined' : printType(type, '    ');
}

/** Whether the input may be left out. */
export function isOptionalInput(input: WireType): boolean {
  return input.kind === 'object' && input.fields.every(({ isOptional }) => isOptional);
}

/** Inside the class. @param url the expression of what stands before the paths */
export function routeMethod(url: string, hasForms: boolean): string {
  const form = hasForms ? ` || type === '${FORM_TYPE}'` : '';
  const text = hasForms ? `type === '${FORM_TYPE}' ? formOf(given) : String(given)` : 'String(given)';
  return `
  async #route(name: keyof FwRoutes, input: object, options: FwRpcCallOptions = {}): Promise<unknown> {
    const isGet = routes[name].method === 'GET';
    return await this.#run(
      { name, kind: 'route', input, options },
      isGet,
      async (given, own) => await this.#fetchRoute(name, given, own),
    );
  }

  async #fetchRoute(name: keyof FwRoutes, input: unknown, options: FwRpcCallOptions): Promise<unknown> {
    const { method, path, query, body: type, isTagged, text: texts } = routes[name];
    const values = (input ?? {}) as Readonly<Record<string, unknown>>;
    const { body: given } = values;
    const url = ${url} + pathOf(path, values) + queryOf(query, values);
    const isJson = type === '${JSON_TYPE}';
    const body = type === undefined ? undefined : isJson ? JSON.stringify(given) : ${text};
    const headers = type === undefined || isJson${form} ? options.headers : { 'Content-Type': type, ...options.headers };
    const { ok, status, statusText, text } = await this.#send(url, method, body, [], { ...options, headers });
    if (!ok) throw new FwRouteError(status, statusText, parsed(text), name);
    const result = texts?.includes(status) === true ? text : readJson(text, url);
    return isTagged === true ? { status, body: result } : result;
  }
`;
}

const guardComment = `/**
 * Whether a call of the route was answered with one of the errors that it declares: \`error.status\` says which, and
 * narrows \`error.body\`.
 */
`;

/** After the class of a client with routes or sockets: the path of an input, and its query. */
export const urlFunctions: string = `/** The path with its parameters; servers and URLs give \`.\`, \`..\` and nothing another meaning. */
function pathOf(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replace(/\\/([:*])([^/]+)/g, (_match, kind: string, name: string) => {
    const value = String(values[name]);
    const parts = kind === '*' ? value.split('/') : [value];
    const odd = parts.find((part) => part === '' || part === '.' || part === '..');
    if (odd !== undefined || values[name] === undefined || values[name] === null) {
      throw new TypeError(\`the parameter '\${name}' of \${path} cannot be '\${value}'\`);
    }
    return \`/\${parts.map((part) => encodeURIComponent(part)).join('/')}\`;
  });
}

function queryOf(names: readonly string[], values: Readonly<Record<string, unknown>>): string {
  const pairs = names
    .flatMap((name) => {
      const value = values[name];
      return (Array.isArray(value) ? value : [value]).map((one): [string, unknown] => [name, one]);
    })
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => \`\${encodeURIComponent(name)}=\${encodeURIComponent(String(value))}\`);
  return pairs.length === 0 ? '' : \`?\${pairs.join('&')}\`;
}
`;

/** After the class. */
export const routeEnd: string = `
/** A route answered with a status that is not a success. */
export class FwRouteError extends FwRpcHttpError {
  override readonly name: string = 'FwRouteError';
  readonly route: keyof FwRoutes;

  constructor(status: number, statusText: string, body: unknown, route: keyof FwRoutes) {
    super(status, statusText, body);
    this.route = route;
  }
}

${guardComment}export function isRouteError<Route extends keyof FwRoutes>(
  error: unknown,
  route: Route,
): error is FwRouteError & FwRoutes[Route]['errors'] {
  return error instanceof FwRouteError && error.route === route && routes[route].errors.includes(error.status);
}

${urlFunctions}`;

/** In the declarations of a client: what stands after the class. */
export const declaredRouteEnd: string = `/** A route answered with a status that is not a success. */
export declare class FwRouteError extends FwRpcHttpError {
  readonly name: string;
  readonly route: keyof FwRoutes;
  constructor(status: number, statusText: string, body: unknown, route: keyof FwRoutes);
}

${guardComment}export declare function isRouteError<Route extends keyof FwRoutes>(
  error: unknown,
  route: Route,
): error is FwRouteError & FwRoutes[Route]['errors'];
`;
