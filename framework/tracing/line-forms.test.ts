// The forms of lines: JSON as pino has it, through pino itself and from a minified bundle, and columns for people.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import pino from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FwError } from '../http/errors.js';
import { consoleSubscriber, pinoSubscriber, type TracingEvent } from './index.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

const time = new Date(2026, 0, 2, 15, 4, 5, 6).getTime();
const event = (given: Partial<TracingEvent>): TracingEvent => ({
  time,
  level: 'info',
  message: 'paid',
  fields: {},
  span: {},
  ...given,
});

function lines(
  make: (write: (text: string) => void) => (one: TracingEvent) => void,
  ...events: TracingEvent[]
) {
  let text = '';
  const subscriber = make((more) => (text += more));
  for (const one of events) subscriber(one);
  return text.trimEnd().split('\n');
}

const json = (write: (text: string) => void) => consoleSubscriber({ format: 'json', output: { write } });
const pretty = (write: (text: string) => void) => consoleSubscriber({ format: 'pretty', output: { write } });
const throughPino = (write: (text: string) => void) => pinoSubscriber(pino({}, { write }));

describe('JSON', () => {
  it('is the line that pino writes', () => {
    const fields = {
      id: 7,
      note: 'a "b"\n',
      on: true,
      none: null,
      left: undefined,
      big: 1e21,
      not: Number.NaN,
      deep: { a: [1] },
    };
    const one = event({ fields, span: { request_id: 'r1' } });
    const ofPino = JSON.parse(lines(throughPino, one)[0] ?? '');
    const text = lines(json, one)[0] ?? '';
    expect({ ...JSON.parse(text), time: 0 }).toEqual({ ...ofPino, time: 0 });
    expect(text).toMatch(
      `{"level":30,"time":${time},"pid":${process.pid},"hostname":"${hostname()}","request_id":"r1","id":7,`,
    );
    expect(text).toMatch(/,"msg":"paid"\}$/);
  });

  it.each([
    ['trace', 10],
    ['debug', 20],
    ['info', 30],
    ['warn', 40],
    ['error', 50],
    ['fatal', 60],
  ] as const)('has %s as %i', (level, number) => {
    expect(JSON.parse(lines(json, event({ level }))[0] ?? '').level).toBe(number);
  });

  it('has each member once, whatever the fields are called', () => {
    const fields = {
      level: 'x',
      time: 1,
      pid: 2,
      hostname: 'x',
      msg: 'x',
      err: 'x',
      error: new Error('e'),
      tenant: 'own',
    };
    const [text = ''] = lines(json, event({ fields, span: { tenant: 'of the span' } }));
    const members = [...text.matchAll(/[{,]"([a-z_]+)":/g)].map(([, name]) => name);
    expect(new Set(members).size).toBe(members.length);
    expect(JSON.parse(text)).toMatchObject({
      ...{ level: 30, time, pid: process.pid, hostname: hostname(), msg: 'paid', tenant: 'own' },
      ...{ level_: 'x', time_: 1, pid_: 2, hostname_: 'x', msg_: 'x', err_: 'x', err: { message: 'e' } },
    });
  });

  it('has no message if there is none', () => {
    expect(JSON.parse(lines(json, event({ message: '' }))[0] ?? '')).not.toHaveProperty('msg');
  });

  it('has members of an error, but opens no objects of classes', () => {
    const error = Object.assign(new Error('refused'), {
      ...{
        code: 'E',
        port: 1,
        options: { tries: 3 },
        socket: new URL('http://x'),
        type: 'own',
        source: new TypeError('b'),
      },
    });
    const { err } = JSON.parse(lines(json, event({ fields: { error } }))[0] ?? '');
    expect(err).toMatchObject({ type: 'Error', code: 'E', port: 1, options: { tries: 3 } });
    expect(err.socket).toMatch(/^URL \{/);
    expect(err.source).toMatchObject({ type: 'TypeError', message: 'b' });
  });
});

describe.each([
  ['consoleSubscriber', json],
  ['pinoSubscriber', throughPino],
])('an error by %s', (_, make) => {
  const errOf = (status: number, error: unknown) =>
    JSON.parse(lines(make, event({ fields: { error, status } }))[0] ?? '').err;

  it('has type, message, stack and causes', () => {
    const cause = new TypeError('below');
    const error = FwError.internal('broken', { cause });
    const err = errOf(500, error);
    expect(err).toMatchObject({ type: 'FwError', message: expect.stringContaining('broken') });
    expect(err.stack).toMatch(/\n {4}at /);
    expect(JSON.stringify(err)).toContain('below');
  });

  it('has no stack if a client has caused it, nor have its causes', () => {
    const error = FwError.badRequest('not so', { cause: new SyntaxError('bad JSON') });
    const err = errOf(400, error);
    expect(err).toMatchObject({ type: 'FwError', message: expect.stringContaining('not so') });
    expect(JSON.stringify(err)).not.toMatch(/ {4}at |\.ts:/);
  });

  it('has its type from a minified bundle too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fw-log-'));
    try {
      const outfile = join(folder, 'bundle.mjs');
      const name =
        make === json
          ? "consoleSubscriber({ format: 'json' })"
          : 'pinoSubscriber(pino({}, pino.destination({ sync: true })))';
      await build({
        stdin: {
          contents: `
            import pino from 'pino';
            import { FwError } from './framework/http/errors.ts';
            import { consoleSubscriber, log, pinoSubscriber, subscribe } from './framework/tracing/index.ts';
            subscribe(${name});
            const error = FwError.internal('broken');
            if (error.constructor.name === 'FwError') throw new Error('the bundle has kept the name');
            log.error({ error, status: 500 });`,
          resolveDir: process.cwd(),
        },
        ...{ outfile, bundle: true, minify: true, platform: 'node', format: 'esm', logLevel: 'error' },
        banner: {
          js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
        },
      });
      const run = spawnSync(process.execPath, [outfile], { encoding: 'utf8' });
      expect(run.stderr).toBe('');
      const { err } = JSON.parse(run.stdout);
      expect(err).toMatchObject({
        type: 'FwError',
        message: 'broken',
        stack: expect.stringMatching(/ {4}at /),
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('lines for people', () => {
  it('are columns: local clock, level, request, message, fields', () => {
    const span = { request_id: '4f9c2a1b-0000-4000-8000-000000000000', tenant: 'acme' };
    expect(
      lines(
        pretty,
        event({ message: 'started' }),
        event({ span, from: 'app', fields: { id: 7 } }),
        event({ level: 'warn', message: 'no request' }),
        event({ span: { request_id: '0190d3c2-1111-7000-8000-0123456789ab' } }),
        event({ span: { request_id: 'short' } }),
        event({ from: 'app', fields: { request_id: 'of-the-line-1' } }),
      ),
    ).toEqual([
      '15:04:05.006 INFO  started',
      '15:04:05.006 INFO  4f9c2a1b paid tenant=acme id=7',
      '15:04:05.006 WARN           no request',
      '15:04:05.006 INFO  456789ab paid',
      '15:04:05.006 INFO  short    paid',
      '15:04:05.006 INFO  e-line-1 paid',
    ]);
  });

  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ TERM: 'dumb' }, true, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  ])('with %j and a terminal %j have colours: %j', (env, isTTY, expected) => {
    for (const name of ['NO_COLOR', 'FORCE_COLOR', 'TERM'])
      vi.stubEnv(name, (env as Record<string, string>)[name]);
    const coloured = (write: (text: string) => void) =>
      consoleSubscriber({ format: 'pretty', output: { write, isTTY } });
    expect(lines(coloured, event({}))[0]?.includes('\u001b[')).toBe(expected);
  });
});
