import { hostname } from 'node:os';
import { inspect } from 'node:util';
import pino from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { FwError } from '../http/errors.js';
import { logger, requestId } from '../middleware/index.js';
import {
  consoleSubscriber,
  currentSpan,
  pinoSubscriber,
  type Subscriber,
  subscribe,
  type TracingEvent,
  withSpan,
} from './index.js';

let end = () => {};
afterEach(() => {
  end();
  end = () => {};
});

/** Runs requests with a subscriber and returns its events. */
async function traced(
  app: App,
  paths: readonly string[],
  make?: (lines: string[]) => Subscriber,
): Promise<TracingEvent[]> {
  const events: TracingEvent[] = [];
  const extra = make?.([]);
  end = subscribe((event) => {
    events.push(event);
    extra?.(event);
  });
  for (const path of paths) await app.oneshot(new Request(`http://x${path}`));
  end();
  return events;
}

const app = () =>
  new App()
    .use(logger())
    .get('/users/:id', () => 'x')
    .get('/denied', () => {
      throw FwError.forbidden('not you');
    })
    .get('/boom', () => {
      throw new Error('broken');
    });

describe('logger', () => {
  it('publishes what was thrown in the spans that it was answered in', async () => {
    const spanned = new App().use(requestId()).route('/in', app());
    const events = await traced(spanned, ['/in/denied', '/in/boom', '/in/missing']);
    const failures = events.filter(({ message }) => message.includes('failed'));
    expect(failures.map(({ level, span }) => [level, span])).toEqual(
      ['warn', 'error', 'warn'].map((level) => [level, { request_id: expect.any(String) }]),
    );
    expect(new Set(failures.map(({ span }) => span.request_id)).size).toBe(3);
  });

  it('publishes the request and its response', async () => {
    const events = await traced(app(), ['/users/7?token=secret']);
    expect(events.map(({ level, message }) => [level, message.replace(/[\d.]+ms/, 'Nms')])).toEqual([
      ['info', '--> GET /users/7'],
      ['info', '<-- GET /users/7 200 (Nms)'],
    ]);
    expect(events[1]?.fields).toEqual({
      method: 'GET',
      path: '/users/7',
      status: 200,
      durationMs: expect.any(Number),
    });
  });

  it('publishes errors and 404s with their status, and the error itself', async () => {
    const events = await traced(app(), ['/denied', '/nope', '/boom']);
    expect(events.map(({ level, fields }) => [level, fields.status])).toEqual([
      ['info', undefined],
      ['info', 403],
      ['warn', 403],
      ['info', undefined],
      ['info', 404],
      ['warn', 404],
      ['info', undefined],
      ['info', 500],
      ['error', 500],
    ]);
    expect(events.at(-1)?.message).toBe('GET /boom failed: broken');
    expect(events.at(-1)?.fields.error).toBeInstanceOf(Error);
  });

  it('publishes a thrown value that has no text', async () => {
    const odd = new App().get('/', () => {
      throw Object.create(null);
    });
    const [event] = await traced(odd, ['/']);
    expect(event?.message).toBe('GET / failed: [Object: null prototype] {}');
  });

  it('publishes nothing without a subscriber', async () => {
    const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await app().oneshot(new Request('http://x/users/7'));
    expect(stdout).not.toHaveBeenCalled();
    stdout.mockRestore();
  });
});

describe('spans', () => {
  it('keep their fields across await, and separate from each other', async () => {
    const inside = async (id: number) =>
      withSpan({ id }, () =>
        withSpan({ step: 'two' }, async () => {
          await new Promise(setImmediate);
          return currentSpan();
        }),
      );
    expect(await Promise.all([inside(1), inside(2)])).toEqual([
      { id: 1, step: 'two' },
      { id: 2, step: 'two' },
    ]);
    expect(currentSpan()).toEqual({});
  });

  it('are on the events inside them', async () => {
    const spanned = new App()
      .use((_ctx, next) => withSpan({ tenant: 'acme' }, next))
      .use(logger())
      .get('/', () => 'x');
    const events = await traced(spanned, ['/']);
    expect(events.map(({ span }) => span)).toEqual([{ tenant: 'acme' }, { tenant: 'acme' }]);
  });
});

const time = new Date(2026, 0, 2, 15, 4, 5, 6).getTime();
const event = (message: string, fields: TracingEvent['fields'] = {}, span = {}): TracingEvent => ({
  time,
  level: 'info',
  message,
  fields,
  span,
});

function printed(format: 'pretty' | 'json', one: TracingEvent, isTTY = false): string {
  let text = '';
  consoleSubscriber({ format, output: { isTTY, write: (chunk) => (text += chunk) } })(one);
  return text;
}

describe('consoleSubscriber', () => {
  it('prints one readable line', () => {
    expect(printed('pretty', event('hello', { a: 1 }, { request_id: 'r1', n: 2 }))).toBe(
      '15:04:05.006 INFO  r1       hello n=2\n',
    );
    expect(printed('pretty', event('hello'), true)).toContain('\u001b[32mINFO \u001b[39m');
  });

  it('lets no text forge a line or control the terminal', () => {
    const line = printed('pretty', event('a\nERROR b\r\u001b[2Jc\u2028d\u0085\u202ee', {}, { id: 'x\ny' }));
    expect(line).toBe('15:04:05.006 INFO  a\\x0aERROR b\\x0d\\x1b[2Jc\\u2028d\\x85\\u202ee id=x\\x0ay\n');
  });

  it('prints the stack of an error', () => {
    expect(printed('pretty', event('failed', { error: new Error('broken') }))).toMatch(
      /failed\nError: broken\n {4}at /,
    );
  });

  it.each(['pretty', 'json'] as const)(
    'prints as %s no stack of an error that a client has caused',
    (format) => {
      const failed = (status: number) => printed(format, event('failed', { error: new Error('x'), status }));
      expect(failed(404)).not.toContain('    at ');
      expect(failed(500)).toContain('    at ');
    },
  );

  it('lets no message of an error forge a line of its stack', () => {
    const error = new Error('a\nERROR forged\n    at forged (x.ts:1:1)\u001b[2J');
    const [, header, frame] = printed('pretty', event('failed', { error })).split('\n');
    expect(header).toBe('Error: a\\x0aERROR forged\\x0a    at forged (x.ts:1:1)\\x1b[2J');
    expect(frame).toMatch(/^ {4}at .*tracing\.test\.ts/);
  });

  it('lets no text control a terminal that shows JSON', () => {
    const text = 'a\u001b[2J\u009b2J\u007f\u2028\u202e';
    const line = printed('json', event(text, { path: text }));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the characters that must not be there.
    expect(line.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/);
    expect(JSON.parse(line)).toMatchObject({ msg: text, path: text });
  });

  it.each(['pretty', 'json'] as const)('prints as %s a value whose own code for it throws', (format) => {
    const odd = {
      toJSON() {
        throw new Error('not for showing');
      },
      [inspect.custom]() {
        throw new Error('not for showing');
      },
    };
    expect(printed(format, event('m', { odd }, { odd }))).toContain('toJSON: [Function: toJSON]');
  });

  it('prints one JSON object for any value', () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    const line = printed(
      'json',
      event('x\ny', { error: new TypeError('bad'), big: 1n, loop, fn: () => 1 }, { id: 'r' }),
    );
    expect(line.trimEnd()).not.toContain('\n');
    expect(JSON.parse(line)).toMatchObject({
      time,
      level: 30,
      pid: process.pid,
      hostname: hostname(),
      msg: 'x\ny',
      id: 'r',
      err: { type: 'TypeError', message: 'bad', stack: expect.stringMatching(/^TypeError: bad\n {4}at /) },
      big: '1n',
    });
  });

  it('refuses an unknown format', () => {
    expect(() => consoleSubscriber({ format: 'xml' as never })).toThrow(
      "format is 'xml'; give 'pretty' or 'json'",
    );
  });
});

describe('pinoSubscriber', () => {
  it('passes on fields, span and the error under its name', () => {
    const info = vi.fn();
    const error = new Error('x');
    pinoSubscriber({ info, warn: vi.fn(), error: vi.fn() })(event('m', { a: 1, error }, { id: 'r' }));
    expect(info).toHaveBeenCalledWith({ id: 'r', a: 1, err: error }, 'm');
  });

  it('does not append the messages of causes that an error has in its own', () => {
    const lines: string[] = [];
    const subscriber = pinoSubscriber(pino({}, { write: (line) => lines.push(line) }));
    const written = (error: Error) => {
      subscriber(event('m', { error }));
      return JSON.parse(lines.pop() ?? '').err as { message: string; stack: string; type: string };
    };
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const lost = new TypeError('not available', { cause: refused });
    const failed = new RangeError('cannot start: connect ECONNREFUSED; start it', { cause: lost });
    const { type, message, stack } = written(failed);
    expect({ type, message }).toEqual({ type: 'RangeError', message: failed.message });
    expect(stack.match(/^(?:caused by: )?\w*Error: .*$/gm)).toEqual([
      'RangeError: cannot start: connect ECONNREFUSED; start it',
      'caused by: TypeError: not available',
      'caused by: Error: connect ECONNREFUSED',
    ]);
    expect(failed.cause).toBe(lost);
    expect(written(lost).message).toBe('not available: connect ECONNREFUSED');
  });
});
