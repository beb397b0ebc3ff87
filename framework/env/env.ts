// Settings: reads environment variables and `.env`, and checks all of them at once.
import { ConfigError } from '../config-error.js';
import { checkOptions } from '../options/check.js';
import { either, filled, listOf, matching, object, oneOf, type Rules, record } from '../options/rules.js';
import { isPromise, markHandled } from '../promises.js';
import { assertSchema, type Issues } from '../schema/check.js';
import { keyOf } from '../schema/rejection.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import { isTraced, publishEvent } from '../tracing/event.js';
import { log } from '../tracing/log.js';
import { hideNames } from '../tracing/redaction.js';
import { markSecrets } from '../tracing/secrets.js';

/** Variables by name. */
type Variables = Readonly<Record<string, string | undefined>>;

/** A schema of an object, whose members are variables: texts, or absent. */
export type EnvSchema<Output extends object = object> =
  | StandardSchemaV1<unknown, Output>
  | StandardSchemaV1<never, Output>;

/** The names of a schema's variables. */
type NameOf<Schema extends EnvSchema> = keyof StandardSchemaV1.InferInput<Schema> & string;

/** Options of `env` and `envOrExit`. */
export interface EnvOptions<Name extends string = string> {
  /** The variables whose values are secrets: `subscribe` with `redact` and the workbench of `fw dev` hide them. */
  secrets?: readonly Name[];
  /**
   * Values for variables that are not set, where NODE_ENV is `development` or `test`. In production, such a value of a
   * secret is refused.
   */
  development?: Readonly<Partial<Record<Name, string>>>;
  /** The file that is read; `.env` by default, if it is there. */
  file?: string | false;
  /** Read instead of the process's own and the file, as in tests. */
  variables?: Variables;
}

const NAME = matching(/^[^=\0]{1,200}$/, 'the name of a variable');

const RULES: Rules<EnvOptions> = {
  secrets: listOf(NAME),
  development: record("values by name, such as { CSRF_SECRET: '…' }"),
  file: either(filled, oneOf(false)),
  variables: object('variables by name, such as process.env'),
};

/**
 * The settings of the app: environment variables as the schema makes them. Those of `.env` count where the process has
 * none of that name. An empty variable is one that is not set.
 *
 * ```ts
 * export const settings = env(
 *   z.object({ PORT: z.coerce.number().default(3000), CSRF_SECRET: z.string().min(32) }),
 *   { secrets: ['CSRF_SECRET'] },
 * );
 * ```
 *
 * @throws ConfigError that names every variable which is missing or wrong, without values: they may be secrets.
 */
export function env<Schema extends EnvSchema>(
  schema: Schema,
  options: EnvOptions<NameOf<Schema>> = {},
): StandardSchemaV1.InferOutput<Schema> {
  assertSchema('env', schema);
  const {
    secrets = [],
    development = {},
    file = '.env',
    variables,
  } = checkOptions<EnvOptions>('env', options, RULES);
  hideNames(secrets);
  markSecrets(
    ...secrets.flatMap(
      (name) =>
        [
          { in: 'variable', name },
          { in: 'field', name },
        ] as const,
    ),
  );
  if (variables === undefined && file !== false) loadFile(file);
  const source = variables ?? globalThis.process.env;
  const set = withoutEmpty(source);
  const isDevelopment = set.NODE_ENV === 'development' || set.NODE_ENV === 'test';
  const given = isDevelopment ? { ...withoutEmpty(development), ...set } : set;
  const result = schema['~standard'].validate(given as never);
  if (isPromise(result)) {
    // Its rejection would end the process with another error than the one that says what to do.
    markHandled(Promise.resolve(result));
    throw new ConfigError('FW_SCHEMA', 'env: the schema has asynchronous checks; give one without');
  }
  const faults = [
    ...faultsOf(result.issues ?? [], given, secrets),
    ...(isDevelopment ? [] : copiedSecrets(set, development, secrets)),
  ];
  if (faults.length > 0) throw new ConfigError('FW_ENV', messageOf(faults, file));
  const { value } = result as StandardSchemaV1.SuccessResult<StandardSchemaV1.InferOutput<Schema>>;
  for (const name of Object.keys(value)) noteRead(source, name);
  return value;
}

/**
 * The settings of the app, like `env`. If a variable is missing or wrong, it logs why, a line for each, and ends the
 * process with the status 1; without a subscriber, the lines are on the standard error output.
 *
 * ```ts
 * const settings = envOrExit(z.object({ PORT: z.coerce.number().default(3000) }));
 * ```
 *
 * @throws ConfigError if the schema or an option is malformed.
 */
export function envOrExit<Schema extends EnvSchema>(
  schema: Schema,
  options: EnvOptions<NameOf<Schema>> = {},
): StandardSchemaV1.InferOutput<Schema> {
  try {
    return env(schema, options);
  } catch (error) {
    if (!(error instanceof ConfigError) || error.code !== 'FW_ENV') throw error;
    if (isTraced()) for (const line of error.message.split('\n')) log.fatal(line.trim());
    else console.error(`error: ${error.message}`);
    return globalThis.process.exit(1);
  }
}

/** Variables that are set keep their values. */
function loadFile(path: string): void {
  try {
    globalThis.process.loadEnvFile(path);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return;
    throw error;
  }
  if (globalThis.process.env.NODE_ENV !== 'development') publishEvent('info', `read ${path}`, { file: path });
}

function withoutEmpty(variables: Variables): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== '' && value !== undefined),
  );
}

/** The value of a secret for development is known to everybody who has the code. */
function copiedSecrets(set: Variables, development: Variables, secrets: readonly string[]): string[] {
  return secrets
    .filter((name) => set[name] !== undefined && set[name] === development[name])
    .map((name) => `${name} is the value for development, which others know; set another one`);
}

/** `fw dev` shows which variables the app reads, and where, by the reads of single ones. */
function noteRead(variables: Variables, name: string): void {
  void variables[name];
}

function messageOf(faults: readonly string[], file: string | false): string {
  const where = file === false ? '' : `in ${file}${exampleOf(file)}, or `;
  return [
    'the app cannot start with this environment:',
    ...faults.map((fault) => `  ${fault}`),
    `set this ${where}in the environment of the process`,
  ].join('\n');
}

function exampleOf(file: string): string {
  const isThere = globalThis.process.getBuiltinModule?.('node:fs')?.existsSync(`${file}.example`);
  return isThere === true ? ` (${file}.example has all variables)` : '';
}

/** A shorter value could be said of anything, and so could a shorter one that is a plain word or a number. */
const TELLING = 4;
const TELLING_WORD = 8;
const WORD = /^(?:[A-Za-z]?[a-z]*|[A-Z]*|\d*)$/;
/** A value of this length stands in a message for itself, also beside other letters. */
const UNIQUE = 16;

/** A line for each issue, in their order. */
function faultsOf(issues: Issues, given: Variables, secrets: readonly string[]): string[] {
  const lines = issues.map(({ message, path = [] }) => {
    const [first] = path;
    const name = first === undefined ? '' : String(keyOf(first));
    const hidden = [...(name === '' ? Object.keys(given) : [name]), ...secrets];
    const text = withoutValues(
      message,
      hidden.flatMap((one) => given[one] ?? []),
    );
    const isMissing = name !== '' && given[name] === undefined && MISSING.test(text);
    return lineOf(name, isMissing ? 'is missing' : text);
  });
  return [...new Set(lines)];
}

/** What libraries say of their own accord of a value that is not there. */
const MISSING = /\bundefined\b|\(was missing\)|^Required$/;

/** Some libraries begin their messages with the name, and some with a capital letter. */
function lineOf(name: string, text: string): string {
  if (name === '' || text.startsWith(`${name} `)) return text;
  return /^[a-z]/.test(text) ? `${name} ${text}` : `${name}: ${text}`;
}

/** Some libraries put the value into the message, in quotes or without, and as a part of a list. */
function withoutValues(message: string, values: readonly string[]): string {
  const parts = values.flatMap((value) => [value, ...value.split(/[\s,;]+/)]);
  const texts = parts.flatMap((part) => [part, JSON.stringify(part).slice(1, -1)]);
  const sorted = [...new Set(texts)].filter((text) => text !== '').sort((a, b) => b.length - a.length);
  const hidden = sorted.reduce((text, value) => {
    const quoted = text.replaceAll(`"${value}"`, '…').replaceAll(`'${value}'`, '…');
    if (value.length < (WORD.test(value) ? TELLING_WORD : TELLING)) return quoted;
    return quoted.replaceAll(value, (found, start: number, whole: string) => {
      const isInWord = [whole[start - 1], whole[start + value.length]].some((one = '') => LETTER.test(one));
      return isInWord && value.length < UNIQUE ? found : '…';
    });
  }, message);
  return hidden.replace(/[\r\n]+/g, ' ');
}

const LETTER = /[\p{L}\p{N}]/u;
