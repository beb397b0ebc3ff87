// Settings of environment variables: what is read, what is said, and what is hidden.
import diagnostics from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type } from 'arktype';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ConfigError } from '../config-error.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import { log } from '../tracing/log.js';
import { subscribe } from '../tracing/subscribe.js';
import { type EnvSchema, env, envOrExit } from './index.js';

const Schema = z.object({
  SECRET: z.string().min(8, 'is shorter than 8 characters'),
  PORT: z.coerce.number('must be a number').default(3000),
  LIST: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter(Boolean)),
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error('nothing was thrown');
}

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fw-env-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

describe('env', () => {
  it('gives what the schema makes of the variables; an empty one is not set', () => {
    const variables = { SECRET: 'correct horse', PORT: '', LIST: 'a,b', OTHER: 'x' };
    expect(env(Schema, { variables })).toEqual({ SECRET: 'correct horse', PORT: 3000, LIST: ['a', 'b'] });
  });

  it('reads the file for variables that the process has not', () => {
    const file = join(directory, '.env');
    writeFileSync(file, 'FW_TEST_A=file\nFW_TEST_B="file #1"\n');
    vi.stubEnv('FW_TEST_A', 'process');
    vi.stubEnv('FW_TEST_B', undefined);
    const Names = z.object({ FW_TEST_A: z.string(), FW_TEST_B: z.string() });
    expect(env(Names, { file })).toEqual({ FW_TEST_A: 'process', FW_TEST_B: 'file #1' });
    vi.stubEnv('FW_TEST_B', undefined);
    const message = messageOf(() => env(Names, { file: false }));
    expect(message).toContain('FW_TEST_B is missing');
    expect(message).toContain('\nset this in the environment of the process');
    expect(messageOf(() => env(Names, { file: join(directory, 'none') }))).toContain('FW_TEST_B is missing');
  });

  it('says that it has read the file, but not under fw dev, which has read it before', () => {
    const file = join(directory, '.env');
    writeFileSync(file, 'FW_TEST_A=1\n');
    const seen: unknown[] = [];
    const end = subscribe(({ message, fields }) => void seen.push([process.env.NODE_ENV, message, fields]));
    try {
      vi.stubEnv('NODE_ENV', 'production');
      env(z.object({}), { file });
      vi.stubEnv('NODE_ENV', 'development');
      env(z.object({}), { file });
    } finally {
      end();
    }
    expect(seen).toEqual([['production', `read ${file}`, { file }]]);
    vi.stubEnv('FW_TEST_A', undefined);
  });

  it('reads no file where the variables are given, and says why it cannot read one', () => {
    const file = join(directory, '.env');
    writeFileSync(file, 'FW_TEST_A=1\n');
    vi.stubEnv('FW_TEST_A', undefined);
    env(z.object({}), { file, variables: {} });
    expect(process.env.FW_TEST_A).toBeUndefined();
    expect(() => env(z.object({}), { file: directory })).toThrow(directory);
  });

  it('reads the variables of the schema by their names, which fw dev shows, and no others', () => {
    const names: string[] = [];
    const read = (target: object, name: string): unknown => {
      names.push(name);
      return Reflect.get(target, name);
    };
    const variables = new Proxy({ FW_TEST_A: '1', OTHER: 'x' }, { get: read as never });
    env(z.object({ FW_TEST_A: z.string() }), { variables });
    expect(names.slice(-1)).toEqual(['FW_TEST_A']);
  });

  it('names no example where there is none, or no file system', () => {
    const file = join(directory, '.env');
    const lastOf = (): string | undefined =>
      messageOf(() => env(Schema, { file, variables: {} }))
        .split('\n')
        .at(-1);
    const plain = `set this in ${file}, or in the environment of the process`;
    expect(lastOf()).toBe(plain);
    writeFileSync(`${file}.example`, '');
    expect(lastOf()).not.toBe(plain);
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
    expect(lastOf()).toBe(plain);
    vi.restoreAllMocks();
    const { getBuiltinModule } = process;
    Object.assign(process, { getBuiltinModule: undefined });
    try {
      expect(lastOf()).toBe(plain);
    } finally {
      Object.assign(process, { getBuiltinModule });
    }
  });

  it('names every fault at once, with the example', () => {
    const file = join(directory, '.env');
    writeFileSync(`${file}.example`, '');
    const message = messageOf(() => env(Schema, { file, variables: { PORT: 'http' } }));
    expect(message.split('\n')).toEqual([
      'the app cannot start with this environment:',
      '  SECRET is missing',
      '  PORT must be a number',
      `set this in ${file} (${file}.example has all variables), or in the environment of the process`,
    ]);
  });

  it('keeps what the schema says of a variable that is not set', () => {
    const message = messageOf(() =>
      env(z.object({ A: z.string('is missing; make one') }), { variables: {} }),
    );
    expect(message).toContain('\n  A is missing; make one\n');
  });

  it.each([
    ['zod', z.object({ A: z.coerce.number(), B: z.literal('x'), C: z.string() })],
    ['valibot', v.object({ A: v.pipe(v.string(), v.decimal()), B: v.literal('x'), C: v.string() })],
    ['arktype', type({ A: 'string.numeric.parse', B: "'x'", C: 'string' })],
  ])('shows no value in messages of %s', (_, schema) => {
    const variables = { A: 'hunter2', B: 'tiger"s' };
    const message = messageOf(() => env(schema, { variables }));
    expect(message).toMatch(/^ {2}A\b.+$/m);
    expect(message).toMatch(/^ {2}B\b.+$/m);
    expect(message).toMatch(/^ {2}C is missing$/m);
    expect(message).not.toMatch(/hunter2|tiger/);
  });

  it('shows no value in messages of the schema, whole, as a part or of another variable', () => {
    const tells = z.object({
      LIST: z.string().refine(() => false, { error: ({ input }) => `has ${String(input).split(',')[1]}` }),
      A: z.string().refine(() => false, 'is not hunter2, or\n  B is missing'),
    });
    const whole = tells.refine(() => false, { error: 'one, tiger1 and hunter2', when: () => true });
    const variables = { LIST: 'lion1,tiger1', A: 'x', SECRET: 'hunter2' };
    const message = messageOf(() => env(whole, { variables, secrets: ['SECRET' as never] }));
    expect(message).toContain('  LIST has …\n');
    expect(message).toContain('  A is not …, or   B is missing\n');
    expect(message).toContain('  one, … and …\n');
  });

  /** The lines about what such a schema finds. */
  const linesFor = (
    variables: Record<string, string | undefined>,
    issues: readonly StandardSchemaV1.Issue[],
  ): string[] => {
    const validate = () => ({ issues });
    const schema = { '~standard': { version: 1, vendor: 'test', validate } } as EnvSchema;
    const lines = messageOf(() => env(schema, { variables, file: false })).split('\n');
    return lines.slice(1, -1).map((line) => line.slice(2));
  };

  it('keeps what a schema says of all variables, and of one that is set', () => {
    const issues = [
      { message: 'Required' },
      { message: 'A must not be undefined', path: ['A'] },
      { message: 'must not be undefined', path: ['B'] },
    ];
    expect(linesFor({ A: 'set' }, issues)).toEqual(['Required', 'A must not be undefined', 'B is missing']);
  });

  it('names the variable once, whatever the message begins with', () => {
    const issues = ['A is wrong', 'is wrong', 'Is wrong', '7 is wrong', 'is not A '].map((message) => ({
      message,
      path: ['A'],
    }));
    // The first two have become the same line.
    expect(linesFor({ A: 'set' }, issues)).toEqual([
      'A is wrong',
      'A: Is wrong',
      'A: 7 is wrong',
      'A is not A ',
    ]);
  });

  it('hides the own value and secrets in a message, and no more than that', () => {
    const about = (value: string, message: string): string | undefined =>
      linesFor({ A: value, B: 'public one' }, [{ message, path: ['A'] }])[0];
    expect(about('hunter2', 'is not "public one" but hunter2')).toBe('A is not "public one" but …');
    expect(about('li"on99', `is ${JSON.stringify('li"on99')}, li"on99`)).toBe('A is …, …');
    expect(about('ab-1,ab-1ef', 'is ab-1ef or ab-1')).toBe('A is … or …');
    expect(about('ab-1', 'is ab-1')).toBe('A is …');
    expect(about('abc', 'is abc, \'abc\', "abc"')).toBe('A is abc, …, …');
    expect(about('hunter2', 'has\r\n\nlines')).toBe('A has lines');
  });

  it.each([
    [
      'short',
      'is too short: at least 32 characters, not "short"',
      'is too short: at least 32 characters, not …',
    ],
    ['Short', 'Short values are refused', 'Short values are refused'],
    ['3000', 'is 3000, and must be above 3000', 'is 3000, and must be above 3000'],
    ['TRUE', 'is TRUE', 'is TRUE'],
    ['password', 'is password', 'is …'],
    ['12345678', 'is 12345678', 'is …'],
    ['hunter2', 'hunter21 and hunter2, postgres://a:hunter2@b', 'hunter21 and …, postgres://a:…@b'],
    ['quite-a-long-one', 'isquite-a-long-one2', 'is…2'],
  ])('with the value %j, shows no value but all words of %j', (value, message, shown) => {
    const line = linesFor({ LEVEL: 'x', SECRET: value }, [
      { message: `LEVEL ${message}`, path: ['SECRET'] },
    ])[0];
    expect(line).toBe(`SECRET: LEVEL ${shown}`);
  });

  it('has values for development and tests alone', () => {
    const development = { SECRET: 'for development' };
    for (const NODE_ENV of ['development', 'test']) {
      expect(env(Schema, { development, variables: { NODE_ENV } }).SECRET).toBe('for development');
      const variables = { NODE_ENV, SECRET: 'of the shell' };
      expect(env(Schema, { development, variables }).SECRET).toBe('of the shell');
    }
    const unset = { NODE_ENV: 'test', SECRET: undefined };
    expect(env(Schema, { development, variables: unset }).SECRET).toBe('for development');
    for (const NODE_ENV of ['production', 'staging', undefined]) {
      expect(messageOf(() => env(Schema, { development, variables: { NODE_ENV } }))).toContain(
        'SECRET is missing',
      );
    }
  });

  it('refuses in production the value of a secret that is for development', () => {
    const options = {
      secrets: ['SECRET'],
      development: { SECRET: 'for development', PORT: '3001' },
      variables: { SECRET: 'for development', PORT: '3001' },
    } as const;
    const message = messageOf(() => env(Schema, options));
    expect(message).toContain('  SECRET is the value for development, which others know; set another one\n');
    expect(message).not.toContain('PORT');
    const optional = z.object({ SECRET: z.string().optional() });
    expect(env(optional, { secrets: ['SECRET'], variables: {} })).toEqual({});
  });

  it('says which of its variables are secrets, so that the workbench shows none of them', () => {
    const seen: unknown[] = [];
    const see = (place: unknown): void => void seen.push(place);
    diagnostics.subscribe('fw:secret', see);
    env(z.object({}), { secrets: ['A', 'B'] as never, variables: {} });
    diagnostics.unsubscribe('fw:secret', see);
    expect(seen).toEqual(
      ['A', 'B'].flatMap((name) => [
        { in: 'variable', name },
        { in: 'field', name },
      ]),
    );
  });

  it('has secrets hidden in what is logged under their names, by every subscriber that hides', () => {
    const fields: unknown[] = [];
    const end = subscribe((event) => void fields.push(event.fields), { redact: ['other'] });
    try {
      log.info('before', { FW_TEST_SIGNING: 'hunter2' });
      env(z.object({ FW_TEST_SIGNING: z.string() }), {
        secrets: ['FW_TEST_SIGNING'],
        variables: { FW_TEST_SIGNING: 'hunter2' },
      });
      log.info('after', { env: { FW_TEST_SIGNING: 'hunter2', PORT: 1 } });
    } finally {
      end();
    }
    expect(fields).toEqual([
      { FW_TEST_SIGNING: 'hunter2' },
      { env: { FW_TEST_SIGNING: '[redacted]', PORT: 1 } },
    ]);
  });

  it.each([
    [() => env({} as never), 'env takes a Standard Schema'],
    [
      () => env(z.object({}), { secret: ['A'] } as never),
      "env has no option 'secret'; did you mean 'secrets'",
    ],
    [() => env(z.object({ A: z.string() }), { secrets: 'A' as never }), "env: secrets is 'A'"],
    [
      () =>
        env(
          z.object({}).refine(async () => true),
          { variables: {} },
        ),
      'the schema has asynchronous checks',
    ],
  ])('refuses %#', (call, message) => expect(call).toThrow(message));
});

describe('envOrExit', () => {
  const exit = () =>
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exited with ${code}`);
    });

  it('logs a line for each fault, and ends the process', () => {
    exit();
    const lines: string[] = [];
    const end = subscribe(({ level, message }) => void lines.push(`${level} ${message}`));
    try {
      expect(() => envOrExit(Schema, { variables: {} })).toThrow('exited with 1');
    } finally {
      end();
    }
    expect(lines[0]).toBe('fatal the app cannot start with this environment:');
    expect(lines[1]).toBe('fatal SECRET is missing');
    expect(lines[2]).toMatch(/^fatal set this in \.env/);
  });

  it('prints them if nobody has subscribed', () => {
    exit();
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    expect(() => envOrExit(Schema, { variables: {} })).toThrow('exited with 1');
    expect(printed.mock.calls[0]?.[0]).toMatch(/^error: the app cannot start .+\n {2}SECRET is missing\n/);
  });

  it('gives the settings, and passes mistakes of the code on', () => {
    expect(envOrExit(Schema, { variables: { SECRET: 'correct horse' } }).PORT).toBe(3000);
    expect(() => envOrExit({} as never)).toThrow('env takes a Standard Schema');
  });
});

it('a schema that rejects is refused, and its rejection does not end the process', () => {
  const validate = () => Promise.reject(new Error('late'));
  const schema = { '~standard': { version: 1, vendor: 'x', validate } } as const;
  expect(() => env(schema)).toThrow('the schema has asynchronous checks');
});
