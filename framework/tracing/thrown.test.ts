// Whatever is thrown is shown, on every output: its name and message, and those of its causes.
import diagnostics from 'node:diagnostics_channel';
import vm from 'node:vm';
import pino from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { describeError } from '../../cli/process/app-error.js';
import { App } from '../app/app.js';
import { consoleSubscriber, pinoSubscriber, type Subscriber, subscribe } from './index.js';
import { readThrown } from './thrown.js';

const refuse = (): never => {
  throw new TypeError('hands off');
};
const circular = (): Error => {
  const first = new Error('round');
  first.cause = new Error('and about', { cause: first });
  return first;
};
const withGetter = (name: string): Error =>
  Object.defineProperty(new Error('of a getter'), name, { get: refuse, enumerable: true });

/** What is thrown, and the texts that every output must have. */
const kinds: Record<string, [make: () => unknown, ...texts: string[]]> = {
  'an error': [() => new TypeError('plain'), 'TypeError', 'plain'],
  'an error of a class without a name': [
    () => new (class OwnError extends Error {})('mine'),
    'OwnError',
    'mine',
  ],
  'an error without a message': [() => new RangeError(), 'RangeError'],
  'a DOMException': [() => new DOMException('gone', 'DataError'), 'DataError', 'gone'],
  'the reason of a signal': [() => AbortSignal.abort().reason, 'AbortError', 'aborted'],
  'a frozen error': [() => Object.freeze(new Error('frozen')), 'frozen'],
  'an error of another realm': [
    () => vm.runInNewContext("new TypeError('far away')"),
    'TypeError',
    'far away',
  ],
  'a Proxy of an error': [() => new Proxy(new Error('inside'), {}), 'inside'],
  'a Proxy that throws at every use': [
    () =>
      new Proxy(new Error('inside'), { get: refuse, has: refuse, getPrototypeOf: refuse, ownKeys: refuse }),
    'inside',
  ],
  'a revoked Proxy': [
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
    'Revoked Proxy',
  ],
  'an error whose stack throws': [() => withGetter('stack'), 'of a getter'],
  'an error whose name throws': [() => withGetter('name'), 'of a getter'],
  'an error whose cause throws': [() => withGetter('cause'), 'of a getter'],
  'an error with a member that throws': [() => withGetter('more'), 'of a getter'],
  'an error whose message throws': [
    () => Object.defineProperty(new Error(), 'message', { get: refuse }),
    'Error',
  ],
  'an error whose message is a symbol': [
    () => Object.assign(new Error(), { message: Symbol('odd') }),
    'Symbol(odd)',
  ],
  'a string': [() => 'only text', 'only text'],
  null: [() => null, 'null'],
  undefined: [() => undefined, 'undefined'],
  'a symbol': [() => Symbol('odd'), 'Symbol(odd)'],
  'a bigint': [() => 17n, '17'],
  'an object': [() => ({ reason: 'because' }), 'because'],
  'an object without a prototype': [
    () => Object.assign(Object.create(null), { reason: 'because' }),
    'because',
  ],
  'an error of errors': [
    () => new AggregateError([new Error('first'), new TypeError('second')], 'all failed'),
    'all failed',
    'first',
    'second',
  ],
  'a cause of a cause': [
    () =>
      new Error('outer', { cause: new Error('middle', { cause: new DOMException('inner', 'DataError') }) }),
    'outer',
    'middle',
    'inner',
  ],
  'causes in a circle': [circular, 'round', 'and about', 'circular'],
  'a cause that is a string': [() => new Error('outer', { cause: 'no reason' }), 'outer', 'no reason'],
  'a Proxy as a cause': [
    () =>
      new Error('outer', { cause: new Proxy(new Error('inside'), { get: refuse, getPrototypeOf: refuse }) }),
    'outer',
    'inside',
  ],
};

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.restoreAllMocks();
});

const failing = (make: () => unknown): App =>
  new App().get('/', () => {
    throw make();
  });

const subscribed =
  (make: (write: (text: string) => void) => Subscriber) =>
  async (thrown: () => unknown): Promise<string> => {
    const stderr = vi.spyOn(console, 'error').mockImplementation(() => {});
    let text = '';
    stops.push(
      subscribe(
        make((chunk) => {
          text += chunk;
        }),
      ),
    );
    await failing(thrown).oneshot(new Request('http://x/'));
    expect(stderr).not.toHaveBeenCalled();
    return text;
  };

const outputs: Record<string, (thrown: () => unknown) => Promise<string>> = {
  async stderr(thrown) {
    const stderr = vi.spyOn(console, 'error').mockImplementation(() => {});
    await failing(thrown).oneshot(new Request('http://x/'));
    return String(stderr.mock.calls[0]?.[0]);
  },
  'consoleSubscriber, pretty': subscribed((write) =>
    consoleSubscriber({ format: 'pretty', output: { write } }),
  ),
  'consoleSubscriber, json': subscribed((write) => consoleSubscriber({ format: 'json', output: { write } })),
  pinoSubscriber: subscribed((write) => pinoSubscriber(pino({}, { write }))),
  async 'the pages of fw dev'(thrown) {
    const { title, frames, details } = describeError(thrown());
    return [title, ...frames, details].join('\n');
  },
};

describe.each(Object.entries(outputs))('%s', (_, show) => {
  it.each(Object.entries(kinds))('shows %s', async (_kind, [make, ...texts]) => {
    const shown = await show(make);
    for (const text of texts) expect(shown).toContain(text);
  });
});

describe('a thrown value as data', () => {
  it('has the stack, the code and the members, and runs no getter of a member', () => {
    const error = Object.assign(new Error('refused'), {
      code: 'ECONNREFUSED',
      port: 1,
      source: new Error('below'),
    });
    Object.defineProperty(error, 'late', { get: refuse, enumerable: true });
    const { name, message, title, code, frames, members } = readThrown(error);
    expect({ name, message, title, code }).toEqual({
      name: 'Error',
      message: 'refused',
      title: 'Error: refused',
      code: 'ECONNREFUSED',
    });
    expect(frames[0]).toMatch(/^at .*thrown\.test\.ts/);
    expect(members).toEqual([
      ['code', "'ECONNREFUSED'"],
      ['port', '1'],
      ['source', expect.objectContaining({ title: 'Error: below' })],
      ['late', '[Getter]'],
    ]);
  });

  it('ends after eight causes, ten errors and twenty members', () => {
    let cause = new Error('last');
    for (let n = 0; n < 20; n += 1) cause = new Error(`cause ${n}`, { cause });
    const many = new AggregateError(
      Array.from({ length: 1_000 }, (_, n) => new Error(`error ${n}`)),
      'many',
      { cause },
    );
    for (let n = 0; n < 100; n += 1) Object.assign(many, { [`member${n}`]: n });
    const thrown = readThrown(many);
    let depth = 0;
    for (let one = thrown.cause; one !== undefined; one = one.cause) depth += 1;
    expect(depth).toBe(8);
    expect(thrown.errors).toHaveLength(11);
    expect(thrown.errors.at(-1)?.title).toBe('[990 more errors]');
    expect(thrown.members).toHaveLength(20);
  });

  it('has the place that a SyntaxError begins with', () => {
    const error = new SyntaxError('Unexpected token');
    error.stack = `file:///app/x.js:3\nfoo bar\n    ^^^\n\n${error.stack}`;
    expect(readThrown(error).frames[0]).toBe('at file:///app/x.js:3');
  });
});

it('as JSON has the chain of causes, and stacks only of failures of the app', async () => {
  const lines: string[] = [];
  stops.push(subscribe(consoleSubscriber({ format: 'json', output: { write: (line) => lines.push(line) } })));
  const publish = (status: number) => {
    const cause = Object.assign(new Error('closed port'), { code: 'ECONNREFUSED' });
    const error = new TypeError('fetch failed', {
      cause: new AggregateError([cause], '', { cause: 'text' }),
    });
    diagnostics.channel('fw:error').publish({ error, status, method: 'GET', path: '/' });
    return JSON.parse(lines.at(-1) as string).err;
  };
  const stack = expect.stringMatching(/^Error: closed port\n {4}at /);
  expect(publish(500)).toEqual({
    type: 'TypeError',
    message: 'fetch failed',
    stack: expect.stringMatching(/^TypeError: fetch failed\n {4}at /),
    cause: {
      type: 'AggregateError',
      message: 'AggregateError',
      stack: expect.any(String),
      cause: 'text',
      aggregateErrors: [{ type: 'Error', message: 'closed port', code: 'ECONNREFUSED', stack }],
    },
  });
  expect(JSON.stringify(publish(404))).not.toContain('stack');
});

it('a logger that throws for an error gets what can be shown of it', () => {
  const written: unknown[] = [];
  const error = (fields: object): void => {
    if (Object.isFrozen((fields as { err: object }).err)) throw new Error('cannot add a property');
    written.push(fields);
  };
  const logger = { info: refuse, warn: refuse, error };
  const thrown = Object.freeze(new Error('frozen'));
  pinoSubscriber(logger)({ time: 0, level: 'error', message: 'm', fields: { error: thrown }, span: {} });
  const stack = expect.stringMatching(/^Error: frozen\n {4}at /);
  expect(written).toEqual([{ err: { name: 'Error', message: 'frozen', stack } }]);
});
