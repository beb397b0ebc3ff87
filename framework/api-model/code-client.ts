// A model of an API: a call as code with the client that `fw generate` makes. Undefined where it has no method.
import { literal, quoted } from './code-fetch.js';
import type { Secret } from './credentials.js';
import type { Detail } from './detail.js';
import { type Filled, parameterKey } from './request-plan.js';
import { isObject } from './value-path.js';

/** @param origin of this server */
export function clientText(
  { target, parameters, bodies }: Detail,
  filled: Filled,
  secrets: readonly Secret[],
  origin: string,
  isShown: boolean,
): string | undefined {
  if (target.kind === 'rpc') {
    const base = origin + (target.path ?? '');
    const input = filled.body === undefined ? '' : literalWithFiles(filled.body);
    const call = `client${members(target.name)}(${input})`;
    const lines =
      target.procedure === 'subscription'
        ? [`for await (const event of ${call}) console.log(event);`]
        : [`const result = await ${call};`];
    return [...opening(base, secrets, isShown), ...lines].join('\n');
  }
  const { clientName } = target;
  if (clientName === undefined) return undefined;
  const given = parameters.filter(({ in: place }) => place === 'path' || place === 'query');
  const fields = given.map((one) => [one.name, filled.parameters[parameterKey(one)]] as const);
  const hasBody = bodies.length > 0 && filled.body !== undefined;
  const present = fields.filter(([, value]) => value !== undefined);
  const input = Object.fromEntries([...present, ...(hasBody ? [['body', filled.body] as const] : [])]);
  const call = `client${members(clientName)}(${Object.keys(input).length === 0 ? '' : literalWithFiles(input)})`;
  const head = opening(origin, secrets, isShown);
  if (target.kind === 'http') return [...head, `const result = await ${call};`].join('\n');
  const [sent] = target.sends;
  return [
    ...head,
    `const socket = ${call};`,
    ...target.receives.map(({ name }) => `socket.on(${quoted(name)}, (data) => console.log(data));`),
    ...(sent === undefined ? [] : [`socket.emit(${quoted(sent.name)}, data);`]),
  ].join('\n');
}

function opening(base: string, secrets: readonly Secret[], isShown: boolean): string[] {
  const fields = secrets.filter(({ place }) => place === 'header');
  const named = isShown ? [] : [...new Set(fields.map(({ placeholder }) => placeholder))];
  const headers = fields.map(({ name, prefix, value, placeholder }) => {
    if (isShown) return `${quoted(name)}: ${quoted(prefix + value)}`;
    return `${quoted(name)}: ${prefix === '' ? placeholder : `${quoted(prefix)} + ${placeholder}`}`;
  });
  const options = headers.length === 0 ? '' : `, {\n  headers: { ${headers.join(', ')} },\n}`;
  return [
    "import { FwRpcClient } from './client.js';",
    '',
    ...named.map((name) => `const ${name} = ''; // yours`),
    `const client = new FwRpcClient(${quoted(base)}${options});`,
  ];
}

/** `.users.list`, in brackets where a part is not an identifier. */
function members(name: string): string {
  return name
    .split('.')
    .map((part) => (/^[A-Za-z_$][\w$]*$/.test(part) ? `.${part}` : `[${quoted(part)}]`))
    .join('');
}

/** A file is a variable. */
function literalWithFiles(value: unknown): string {
  const mark = 'file-of-this-call';
  const replaced = (one: unknown): unknown => {
    if (one instanceof Blob) return mark;
    if (Array.isArray(one)) return one.map(replaced);
    return isObject(one)
      ? Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, replaced(inner)]))
      : one;
  };
  return literal(replaced(value), '').replaceAll(JSON.stringify(mark), 'file');
}
