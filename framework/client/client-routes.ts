// The client: the routes of an App, and their types.
import { ConfigError } from '../config-error.js';
import { printType } from '../wire/print/print-typescript.js';
import type { ClientRoute, ClientRoutes, ObjectType, WireField, WireType } from '../wire/wire-type.js';
import { memberName } from './member-name.js';

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

function sorted(routes: ClientRoutes): [name: string, route: ClientRoute][] {
  return Object.entries(routes).sort(([a], [b]) => (a < b ? -1 : 1));
}

function entries(types: Readonly<Record<number, WireType>>): [status: number, type: WireType][] {
  return Object.entries(types).map(([status, type]) => [Number(status), type]);
}

/** Whether there are several answers, so that the result has the status. */
export function isTagged({ answers = {} }: ClientRoute): boolean {
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

const GUARD_HEAD = `/**
 * Whether a call of the route was answered with one of the errors that it declares: \`error.status\` says which, and
 * narrows \`error.body\`.
 */
export `;

const GUARD_TYPES = `function isRouteError<Route extends keyof FwRoutes>(
  error: unknown,
  route: Route,
): error is FwRouteError & FwRoutes[Route]['errors']`;

export const routeGuard: string = `${GUARD_HEAD}${GUARD_TYPES} {
  return isErrorOfRoute(error, route, routes[route]);
}`;

export const declaredRouteGuard: string = `${GUARD_HEAD}declare ${GUARD_TYPES};`;
