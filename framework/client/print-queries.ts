// The client: a second file with the options of TanStack Query for each of its methods, which imports only types.
import { ConfigError } from '../config-error.js';
import type { ClientRoute, ClientTypes, ProcedureTypes } from '../wire/wire-type.js';
import { type ClientMember, clientMembers, type NamedCall } from './client-members.js';
import { isOptionalInput, routeInput, routeOutput } from './client-routes.js';
import { memberName } from './member-name.js';
import { headLine, joined } from './print-client.js';

export interface PrintQueriesOptions {
  /** What the file imports the client as, such as `./client.js`. */
  readonly client: string;
  readonly version: string;
}

/** @throws ConfigError if a member of a group has the name of the group's own method */
export function printQueries(types: ClientTypes, { client, version }: PrintQueriesOptions): string {
  const members = queryMembers(clientMembers(types), '');
  const calls = callsOf(members).map(([, call]) => call);
  const hasQueries = calls.some(isQuery);
  const hasMutations = calls.some((call) => !isQuery(call));
  const imported = [
    'FwRpcClient',
    ...(calls.some((call) => !isRoute(call)) ? ['FwRpcProcedures'] : []),
    ...(hasQueries ? ['FwRpcSignal'] : []),
    ...(calls.some(isRoute) ? ['FwRoutes'] : []),
  ];
  const unused = calls.length === 0 ? '_client' : 'client';
  return joined([
    headLine(version),
    `import type { ${imported.join(', ')} } from ${JSON.stringify(client)};`,
    hasQueries ? QUERY_TYPES : '',
    hasMutations ? MUTATION_TYPES : '',
    `/** The queries and mutations of the client, in its groups. */\nexport interface FwRpcQueries {\n${printTypes(members, '', '  ')}}`,
    `/** Options of TanStack Query for each query and mutation of the client. */
export function queriesOf(${unused}: FwRpcClient): FwRpcQueries {
  return {
${printCalls(members, '', '    ')}  };
}`,
    hasQueries ? QUERY_FUNCTION : '',
    hasMutations ? MUTATION_FUNCTION : '',
  ]);
}

/** A method that makes a request, or a group of them. */
type CallMember =
  | { readonly member: string; readonly call: NamedCall }
  | { readonly member: string; readonly group: readonly CallMember[] };

/** Without subscriptions and sockets, and without groups that have nothing else. */
function queryMembers(members: readonly ClientMember[], path: string): readonly CallMember[] {
  return members.flatMap((one): CallMember[] => {
    if ('socket' in one) return [];
    if ('call' in one) {
      if (path !== '' && one.member === 'queryKey') {
        throw new ConfigError(
          'FW_CLIENT_QUERIES',
          `'${one.call[0]}' cannot be in the file of queries, because 'queryKey' returns the key of the group '${path}' there; rename it`,
        );
      }
      const [, call] = one.call;
      return !isRoute(call) && call.kind === 'subscription' ? [] : [one];
    }
    const group = queryMembers(one.group, joinedName(path, one.member));
    return group.length === 0 ? [] : [{ member: one.member, group }];
  });
}

function callsOf(members: readonly CallMember[]): NamedCall[] {
  return members.flatMap((one) => ('call' in one ? [one.call] : callsOf(one.group)));
}

function isRoute(call: ProcedureTypes | ClientRoute): call is ClientRoute {
  return 'path' in call;
}

function isQuery(call: ProcedureTypes | ClientRoute): boolean {
  return isRoute(call) ? call.method === 'GET' : call.kind === 'query';
}

function joinedName(path: string, member: string): string {
  return path === '' ? member : `${path}.${member}`;
}

/** The key of a member: its groups and its name. */
function keyOf(path: string, member: string): string {
  const parts = [...(path === '' ? [] : path.split('.')), member];
  return `[${parts.map((part) => JSON.stringify(part)).join(', ')}]`;
}

function printTypes(members: readonly CallMember[], path: string, indent: string): string {
  return members
    .map((one) => {
      const key = keyOf(path, one.member);
      const name = `${indent}readonly ${memberName(one.member)}`;
      if ('call' in one) return `${name}: ${typeOf(one.call, key)};\n`;
      const inside = printTypes(one.group, joinedName(path, one.member), `${indent}  `);
      const own = `${indent}  /** The beginning of all keys of the group. */\n${indent}  readonly queryKey: () => readonly ${key};\n`;
      return `${name}: {\n${own}${inside}${indent}};\n`;
    })
    .join('');
}

function typeOf([name, call]: NamedCall, key: string): string {
  const types = `${isRoute(call) ? 'FwRoutes' : 'FwRpcProcedures'}[${JSON.stringify(name)}]`;
  const isOptional = isRoute(call) && isOptionalInput(routeInput(name, call));
  const given = `${types}['input']${isOptional ? ' | undefined' : ''}`;
  // A query of TanStack Query cannot have the result undefined.
  if (isQuery(call))
    return `FwRpcQuery<readonly ${key}, ${given}, ${isNothing(call) ? 'null' : `${types}['output']`}>`;
  const input = isRoute(call) ? routeInput(name, call) : call.input;
  const variables = input.kind === 'void' ? 'void' : given;
  return `FwRpcMutation<readonly ${key}, ${variables}, ${isNothing(call) ? 'void' : `${types}['output']`}>`;
}

function isNothing(call: ProcedureTypes | ClientRoute): boolean {
  return (isRoute(call) ? routeOutput(call) : call.output).kind === 'void';
}

function printCalls(members: readonly CallMember[], path: string, indent: string): string {
  return members
    .map((one) => {
      const key = keyOf(path, one.member);
      const name = `${indent}${memberName(one.member)}`;
      if ('call' in one) return `${name}: ${printCall(one.call, path, one.member, key)},\n`;
      const inside = printCalls(one.group, joinedName(path, one.member), `${indent}  `);
      return `${name}: {\n${indent}  queryKey: () => ${key},\n${inside}${indent}},\n`;
    })
    .join('');
}

function printCall([name, call]: NamedCall, path: string, member: string, key: string): string {
  const at = path === '' ? 'client' : `client.${path}`;
  const dotted = memberName(member);
  const method = dotted === member ? `${at}.${member}` : `${at}[${dotted}]`;
  const hasInput = (isRoute(call) ? routeInput(name, call) : call.input).kind !== 'void';
  if (!isQuery(call)) {
    const input = hasInput ? 'input' : '';
    return isNothing(call)
      ? `mutation(${key}, async (${input}) => {\n      await ${method}(${input});\n    })`
      : `mutation(${key}, async (${input}) => await ${method}(${input}))`;
  }
  const parameters = hasInput ? '(input, options)' : '(_input, options)';
  const called = `${method}(${hasInput ? 'input, options' : 'options'})`;
  return isNothing(call)
    ? `query(${key}, async ${parameters} => {\n      await ${called};\n      return null;\n    })`
    : `query(${key}, async ${parameters} => await ${called})`;
}

const QUERY_TYPES = `/** The input of a query, as an argument and as the end of its key. */
export type FwRpcInput<Input> = [Input] extends [undefined] ? [] : undefined extends Input ? [input?: Input] : [input: Input];

/** What \`useQuery\`, \`fetchQuery\` and the like take. */
export interface FwRpcQueryOptions<Key extends readonly unknown[], Output> {
  queryKey: Key;
  queryFn: (context: { readonly signal: FwRpcSignal }) => Promise<Output>;
}

export interface FwRpcQuery<Path extends readonly string[], Input, Output> {
  /** The key of this query with the input; without one the beginning of its keys with every input. */
  readonly queryKey: (...input: [] | FwRpcInput<Input>) => readonly [...Path, ...([] | FwRpcInput<Input>)];
  readonly queryOptions: (
    ...input: FwRpcInput<Input>
  ) => FwRpcQueryOptions<readonly [...Path, ...FwRpcInput<Input>], Output>;
}
`;

const MUTATION_TYPES = `/** What \`useMutation\` takes. */
export interface FwRpcMutationOptions<Key extends readonly string[], Input, Output> {
  mutationKey: Key;
  mutationFn: (input: Input) => Promise<Output>;
}

export interface FwRpcMutation<Path extends readonly string[], Input, Output> {
  readonly mutationOptions: () => FwRpcMutationOptions<Path, Input, Output>;
}
`;

const QUERY_FUNCTION = `function query<const Path extends readonly string[], Input, Output>(
  path: Path,
  call: (input: Input, options: { readonly signal: FwRpcSignal }) => Promise<Output>,
): FwRpcQuery<Path, Input, Output> {
  const queryKey = <Given extends readonly unknown[]>(...given: Given): readonly [...Path, ...Given] =>
    (given[0] === undefined ? path : [...path, ...given]) as readonly unknown[] as readonly [...Path, ...Given];
  return {
    queryKey,
    queryOptions: (...given) => ({
      queryKey: queryKey(...given),
      queryFn: async ({ signal }) => await call(given[0] as Input, { signal }),
    }),
  };
}
`;

const MUTATION_FUNCTION = `function mutation<const Path extends readonly string[], Input, Output>(
  path: Path,
  call: (input: Input) => Promise<Output>,
): FwRpcMutation<Path, Input, Output> {
  return { mutationOptions: () => ({ mutationKey: path, mutationFn: call }) };
}
`;
