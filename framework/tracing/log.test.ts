// The lines that an application logs: their levels, their fields, and that nothing is made of them for nobody.
import { spawnSync } from 'node:child_process';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import type { Context } from '../context/context.js';
import { requestId } from '../middleware/index.js';
import { RpcRegistry } from '../rpc/index.js';
import { TestClient } from '../testing/index.js';
import {
  consoleSubscriber,
  type Logger,
  log,
  pinoSubscriber,
  setLogLevel,
  subscribe,
  type TracingEvent,
  withSpan,
} from './index.js';

let end = () => {};
afterEach(() => {
  end();
  end = () => {};
  setLogLevel('info');
  vi.restoreAllMocks();
});

function collect(): TracingEvent[] {
  const events: TracingEvent[] = [];
  end = subscribe((event) => void events.push(event));
  return events;
}

const methods = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

describe('log', () => {
  it('has the fields as they were, whatever the application changes later', () => {
    const events = collect();
    const given = { id: 7 };
    for (const logger of [log, log.child({ part: 'a' })]) {
      given.id = 7;
      logger.info('a line', given);
      given.id = 8;
    }
    expect(events.map(({ fields }) => fields)).toEqual([{ id: 7 }, { id: 7, part: 'a' }]);
  });

  it.each(methods)('publishes an event of the level %s', (level) => {
    setLogLevel('trace');
    const events = collect();
    log[level]('a line', { id: 7 });
    expect(events).toEqual([
      { time: expect.any(Number), level, message: 'a line', fields: { id: 7 }, span: {}, from: 'app' },
    ]);
  });

  it.each<[string, (to: Logger) => void, string, object]>([
    ['a message', (to) => to.info('paid'), 'paid', {}],
    ['a message and fields', (to) => to.info('paid', { id: 7 }), 'paid', { id: 7 }],
    ['fields and a message', (to) => to.info({ id: 7 }, 'paid'), 'paid', { id: 7 }],
    ['fields alone', (to) => to.info({ id: 7 }), '', { id: 7 }],
    ['fields that are made', (to) => to.info('paid', () => ({ id: 7 })), 'paid', { id: 7 }],
    ['made fields first', (to) => to.info(() => ({ id: 7 }), 'paid'), 'paid', { id: 7 }],
    ['an empty message', (to) => to.info({ id: 7 }, ''), '', { id: 7 }],
    ['what has no fields', (to) => to.info('paid', 7 as never), 'paid', { value: 7 }],
    ['null', (to) => to.info(null as never), '', { value: null }],
    ['nothing', (to) => (to.info as () => void)(), '', {}],
  ])('takes %s', (_, write, message, fields) => {
    const events = collect();
    write(log);
    expect(events).toMatchObject([{ message, fields }]);
    expect(events[0]?.fields).toEqual(fields);
  });

  it('takes an error: with its own message, with another, and among fields', () => {
    const events = collect();
    const error = new TypeError('broken');
    log.error(error);
    log.error(error, 'the import failed');
    log.error({ error, id: 7 }, 'the import failed');
    log.error({ error, id: 7 });
    expect(events.map(({ message, fields }) => [message, fields])).toEqual([
      ['broken', { error }],
      ['the import failed', { error }],
      ['the import failed', { error, id: 7 }],
      ['broken', { error, id: 7 }],
    ]);
  });

  it('takes an error under the name that lines for pino have', () => {
    const events = collect();
    const err = new TypeError('broken');
    log.error({ err, id: 7 });
    log.error({ err: 'text' }, 'no error');
    log.error({ err, error: 'both' }, 'both');
    expect(events.map(({ message, fields }) => [message, fields])).toEqual([
      ['broken', { error: err, id: 7 }],
      ['no error', { err: 'text' }],
      ['both', { err, error: 'both' }],
    ]);
  });

  it('does not end what logs, whatever throws: fields that are made, a subscriber', () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const events = collect();
    const endBroken = subscribe(() => {
      throw new Error('full disk');
    });
    const made = new Error('no fields');
    log.info('paid', () => {
      throw made;
    });
    endBroken();
    expect(events).toMatchObject([{ message: 'paid', fields: { error: made } }]);
    expect(String(printed.mock.calls)).toContain('full disk');
  });

  it('does not end what logs by fields that cannot be read', () => {
    const events = collect();
    const thrown = new Error('the row is not loaded');
    const row = {
      get name(): string {
        throw thrown;
      },
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const logger of [log, log.child({ part: 'a' })]) {
      logger.info('a row', row);
      logger.info('a proxy', proxy);
    }
    expect(events.map(({ message }) => message)).toEqual(['a row', 'a proxy', 'a row', 'a proxy']);
    expect(events[0]?.fields).toMatchObject({ error: thrown });
    expect(events[2]?.fields).toMatchObject({ part: 'a', error: thrown });
  });

  it('calls nothing that makes fields for nobody, or below the level', () => {
    const fields = vi.fn(() => ({}));
    log.error('for nobody', fields);
    const events = collect();
    log.debug('below the level', fields);
    expect(fields).not.toHaveBeenCalled();
    expect(events).toEqual([]);
    expect([log.isLevelEnabled('debug'), log.isLevelEnabled('info')]).toEqual([false, true]);
    end();
    expect(log.isLevelEnabled('fatal')).toBe(false);
  });

  it('has children, whose fields those of a line replace', () => {
    const events = collect();
    const child = log.child({ job: 'mail', attempt: 1 }).child({ attempt: 2 });
    child.info('sent', { to: 'x' });
    child.warn('again', { attempt: 3 });
    log.info('other');
    expect(events.map(({ fields }) => fields)).toEqual([
      { job: 'mail', attempt: 2, to: 'x' },
      { job: 'mail', attempt: 3 },
      {},
    ]);
  });
});

describe('the level', () => {
  it('is of everything that subscribers get: lines, requests and errors', async () => {
    const events = collect();
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const app = new App().get('/', () => {
      throw new Error('broken');
    });
    for (const level of ['error', 'fatal', 'silent'] as const) {
      setLogLevel(level);
      log.warn('a line');
      log.fatal(`at ${level}`);
      await new TestClient(app).get('/');
    }
    expect(events.map(({ message }) => message)).toEqual(['at error', 'GET / failed: broken', 'at fatal']);
  });

  it('is refused if it is none', () => {
    expect(() => setLogLevel('verbose' as 'debug')).toThrow(
      "setLogLevel: the level is 'verbose'; give 'trace' or 'debug' or 'info'",
    );
  });

  it.each([
    [undefined, ['info', 'fatal'], ''],
    ['', ['info', 'fatal'], ''],
    ['DEBUG', ['debug', 'info', 'fatal'], ''],
    ['error', ['fatal'], ''],
    ['silent', [], ''],
    ['verbose', ['warn', 'info', 'fatal'], 'LOG_LEVEL is "verbose"; give one of trace, debug, info'],
  ])(
    'is %j of the environment: %j',
    (level, printed, warned) => {
      const program = `
      import { log, subscribe } from './framework/tracing/index.ts';
      subscribe(({ level, message }) => (console.log(level), message !== 'x' && console.error(message)));
      for (const level of ['debug', 'info', 'fatal']) log[level]('x');`;
      const { LOG_LEVEL: _, ...env } = process.env;
      const run = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
        env: level === undefined ? env : { ...env, LOG_LEVEL: level },
        encoding: 'utf8',
      });
      expect(run.stdout.split('\n').filter(Boolean)).toEqual(printed);
      if (warned === '') expect(run.stderr).toBe('');
      else expect(run.stderr).toContain(warned);
    },
    60_000,
  );
});

describe('the lines of a request', () => {
  it('have its id, by ctx.log and by log, in handlers, procedures, streams and jobs that it begins', async () => {
    const events = collect();
    const rpc = new RpcRegistry().query('pay', () => {
      log.info('procedure');
      return null;
    });
    const late: Promise<void>[] = [];
    const app = new App()
      .use(requestId())
      .get('/handler', async (ctx) => {
        ctx.log.info('ctx');
        await Promise.resolve();
        log.info('log');
        late.push(new Promise<void>((resolve) => setTimeout(resolve, 1)).then(() => log.info('job')));
        return 'x';
      })
      .get('/stream', (ctx) =>
        ctx.stream(
          (async function* () {
            yield 'a';
            log.info('stream');
          })(),
        ),
      )
      .mountRpc('/rpc', rpc);
    const client = new TestClient(app);
    const headers = (id: string) => ({ headers: { 'X-Request-Id': id } });
    await client.get('/handler', headers('one'));
    await Promise.all(late);
    await client.get('/stream', headers('two'));
    await client.post('/rpc', { json: { jsonrpc: '2.0', method: 'pay', id: 1 }, ...headers('three') });
    const lines = events.filter(({ from }) => from === 'app');
    expect(lines.map(({ message, span, fields }) => [message, span.request_id, fields])).toEqual([
      ['ctx', 'one', {}],
      ['log', 'one', {}],
      ['job', 'one', {}],
      ['stream', 'two', {}],
      ['procedure', 'three', {}],
    ]);
  });

  it('have its id outside of its async context too', async () => {
    const events = collect();
    let kept: Context | undefined;
    const app = new App().use(requestId()).get('/', (ctx) => {
      kept = ctx;
      return 'x';
    });
    await new TestClient(app).get('/', { headers: { 'X-Request-Id': 'one' } });
    kept?.log.info('later', { id: 7 });
    expect(events).toMatchObject([{ message: 'later', fields: { request_id: 'one', id: 7 }, span: {} }]);
  });

  it('are those of log without an id', async () => {
    const app = new App().get('/', (ctx) => String(ctx.log === log));
    (await new TestClient(app).get('/')).assertText('true');
  });
});

describe('subscribers', () => {
  function printed(format: 'pretty' | 'json', isTTY: boolean, write: () => void): string {
    let text = '';
    const output = { isTTY, write: (more: string) => (text += more) };
    end = subscribe(consoleSubscriber({ format, output }));
    write();
    return text;
  }

  it('print a line for people: level, message, then the fields, dim on a terminal', () => {
    const write = () =>
      withSpan({ request_id: 'r1' }, () => log.info('order paid', { id: 7, note: 'a b', more: { x: 1 } }));
    expect(printed('pretty', false, write)).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} INFO {2}r1 {7}order paid id=7 note="a b" more=\{ x: 1 \}\n$/,
    );
    end();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal
    expect(printed('pretty', true, write)).toMatch(/order paid \u001b\[2mid=7 .*\u001b\[22m\n$/);
  });

  it('escape what could write more than a line', () => {
    const text = printed('pretty', false, () => log.info('a\nb', { 'k\r': 'v\u001b[2J' }));
    expect(text.trimEnd()).toMatch(/^[ -~]*$/);
  });

  it('print an error with its stack behind the line', () => {
    const text = printed('pretty', false, () => log.error(new TypeError('broken'), 'the import failed'));
    expect(text).toMatch(/ERROR the import failed\nTypeError: broken\n {4}at /);
  });

  it('print JSON for machines', () => {
    const line = JSON.parse(printed('json', false, () => log.warn('low', { left: 3 }))) as object;
    expect(line).toMatchObject({ level: 40, msg: 'low', left: 3 });
  });

  it('pass lines to pino by their level, and to loggers with fewer levels', () => {
    setLogLevel('trace');
    const calls: unknown[] = [];
    const note = (level: string) => (fields: object, message: string) => calls.push([level, fields, message]);
    const three = { info: note('info'), warn: note('warn'), error: note('error') };
    const all = { ...three, trace: note('trace'), debug: note('debug'), fatal: note('fatal') };
    for (const logger of [three, all]) {
      end = subscribe(pinoSubscriber(logger));
      for (const level of methods) log[level]({ id: 7 }, 'x');
      end();
    }
    const expected = (levels: string[]) => levels.map((level) => [level, { id: 7 }, 'x']);
    expect(calls).toEqual([
      ...expected(['info', 'info', 'info', 'warn', 'error', 'error']),
      ...expected([...methods]),
    ]);
  });
});
