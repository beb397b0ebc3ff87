// Secrets are hidden by their paths in everything that a subscriber gets, and the application's own objects stay.
import { inspect } from 'node:util';
import pino from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import {
  consoleSubscriber,
  log,
  pinoSubscriber,
  SECRET_FIELDS,
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

/** The fields of the lines that are logged by `write`. */
function fieldsOf(redact: readonly string[], write: () => void): TracingEvent['fields'][] {
  const fields: TracingEvent['fields'][] = [];
  end = subscribe((event) => void fields.push(event.fields), { redact });
  write();
  end();
  return fields;
}

function redacted(redact: readonly string[], given: Record<string, unknown>): TracingEvent['fields'] {
  const [fields = {}] = fieldsOf(redact, () => log.info('x', given));
  return fields;
}

const HIDDEN = '[redacted]';

describe('a path', () => {
  it.each<[string, object, object]>([
    ['password', { password: 'x', id: 7 }, { password: HIDDEN, id: 7 }],
    ['password', { user: { password: 'x' } }, { user: { password: HIDDEN } }],
    ['password', { users: [{ password: 'x' }, { id: 1 }] }, { users: [{ password: HIDDEN }, { id: 1 }] }],
    ['password', { password: { old: 'x' } }, { password: HIDDEN }],
    ['password', { password: undefined, other: null }, { password: undefined, other: null }],
    ['password', { password: 0 }, { password: HIDDEN }],
    ['Api_Key', { apiKey: 'x', 'API-KEY': 'x' }, { apiKey: HIDDEN, 'API-KEY': HIDDEN }],
    [
      'headers.authorization',
      { req: { headers: { authorization: 'x' } } },
      { req: { headers: { authorization: HIDDEN } } },
    ],
    ['headers.authorization', { authorization: 'x' }, { authorization: 'x' }],
    ['a.b.c', { a: { b: { c: 1 } }, b: { c: 2 } }, { a: { b: { c: HIDDEN } }, b: { c: 2 } }],
    ['*.token', { user: { token: 'x' } }, { user: { token: HIDDEN } }],
    ['a.*.c', { a: { x: { c: 1 }, c: 2 } }, { a: { x: { c: HIDDEN }, c: 2 } }],
    ['headers.*', { headers: { a: 1, b: 2 } }, { headers: { a: HIDDEN, b: HIDDEN } }],
    ['password', { map: new Map([['password', 'x']]) }, { map: new Map([['password', HIDDEN]]) }],
    ['password', { set: new Set([{ password: 'x' }]) }, { set: new Set([{ password: HIDDEN }]) }],
    ['cookie', { headers: new Headers({ cookie: 'x' }) }, { headers: new Map([['cookie', HIDDEN]]) }],
    [
      'password',
      JSON.parse('{"__proto__":{"password":"x"}}'),
      JSON.parse(`{"__proto__":{"password":"${HIDDEN}"}}`),
    ],
  ])('%s in %j', (path, given, expected) => {
    expect(redacted([path], { given })).toEqual({ given: expected });
  });

  it('with * in front needs something around', () => {
    const fields = redacted(['*.token'], { token: 'x', user: { token: 'x' } });
    expect(fields).toEqual({ token: 'x', user: { token: HIDDEN } });
  });

  it('holds for the fields of a child, of spans, and those that are made', () => {
    const seen: TracingEvent[] = [];
    end = subscribe((event) => void seen.push(event), { redact: ['token'] });
    withSpan({ token: 'x', tenant: 'acme' }, () =>
      log.child({ token: 'x' }).info('y', () => ({ a: { token: 'x' } })),
    );
    expect(seen).toMatchObject([
      { span: { token: HIDDEN, tenant: 'acme' }, fields: { token: HIDDEN, a: { token: HIDDEN } } },
    ]);
  });

  it.each(['error', 'err'])('holds for members of errors, their causes and errors, as %s', (name) => {
    const cause = Object.assign(new Error('below'), { config: { headers: { authorization: 'secret-1' } } });
    const errors = [Object.assign(new Error('one'), { password: 'secret-2' })];
    const error = Object.assign(new AggregateError(errors, 'all', { cause }), { token: 'secret-3' });
    const paths = ['authorization', 'password', `${name}.token`];
    const [fields] = fieldsOf(paths, () => log.error(error));
    const shown = fields?.error as AggregateError & { token: unknown };
    expect(shown).toBeInstanceOf(AggregateError);
    expect(shown.stack).toBe(error.stack);
    expect(shown.token).toBe(HIDDEN);
    expect(shown.cause).toMatchObject({ message: 'below', config: { headers: { authorization: HIDDEN } } });
    expect(shown.errors).toMatchObject([{ message: 'one', password: HIDDEN }]);
    expect(inspect(shown, { depth: 9 })).not.toContain('secret-');
    expect([cause.config.headers.authorization, errors[0]?.password, error.token]).toEqual([
      'secret-1',
      'secret-2',
      'secret-3',
    ]);
  });
});

describe('what is logged', () => {
  it('is not changed, frozen or not, and is passed on as it is without a secret', () => {
    const user = Object.freeze({ password: 'x', deep: Object.freeze({ list: Object.freeze([1]) }) });
    const other = { deep: { list: [new Date(0)] } };
    const fields = redacted(['password'], { user, other });
    expect(fields.user).toEqual({ password: HIDDEN, deep: { list: [1] } });
    expect(user.password).toBe('x');
    expect(fields.other).toBe(other);
    expect((fields.user as typeof user).deep).toBe(user.deep);
  });

  it('is looked at as it is printed: by toJSON, and without code of its own for inspect', () => {
    class User {
      readonly #password = 'secret-1';
      toJSON(): object {
        return { id: 1, password: this.#password };
      }
    }
    class Account {
      readonly id = 2;
      [inspect.custom](): string {
        return 'secret-2';
      }
    }
    const fields = redacted(['password'], { user: new User(), account: new Account() });
    expect(fields).toEqual({ user: { id: 1, password: HIDDEN }, account: { id: 2 } });
    expect(inspect(fields)).not.toContain('secret-');
  });

  it('is replaced if it cannot be looked at: too deep, too large, endless, or refusing', () => {
    const loop: Record<string, unknown> = { id: 1 };
    loop.self = loop;
    const deep: unknown = Array.from({ length: 20 }).reduce((inner) => ({ inner }), { password: 'secret' });
    const refusing = Object.defineProperty({}, 'x', {
      enumerable: true,
      get() {
        throw new Error('no');
      },
    });
    const proxy = new Proxy(
      {},
      {
        getPrototypeOf: () => {
          throw new Error('no');
        },
      },
    );
    const large = [...Array.from({ length: 20_000 }, () => 1), { password: 'secret' }];
    const fields = redacted(['password'], { loop, deep, refusing, proxy, large, behind: 'x' });
    expect(fields).toMatchObject({
      loop: { id: 1, self: '[circular]' },
      refusing: '[unreadable]',
      proxy: '[unreadable]',
    });
    expect(JSON.stringify(fields)).not.toContain('secret');
    expect(JSON.stringify(fields)).toContain('[too deep to redact]');
    expect((fields.large as unknown[]).at(-1)).toBe('[too large to redact]');
    expect(fields.behind).toBe('[too large to redact]');
  });
});

describe('what has entries', () => {
  it('is looked at, with its names', () => {
    const form = new FormData();
    form.set('password', 'x');
    form.set('name', 'ada');
    const given = {
      form,
      query: new URLSearchParams({ token: 'x', page: '1' }),
      headers: new Headers({ Authorization: 'x', Accept: 'y' }),
      map: new Map<unknown, unknown>([
        [{ password: 'x' }, 1],
        ['secret', 'x'],
        [7, { token: 'x' }],
      ]),
      set: new Set([{ token: 'x' }, 1]),
    };
    const fields = redacted(SECRET_FIELDS, given);
    expect(inspect(fields, { depth: 9 })).not.toContain("'x'");
    expect(fields).toEqual({
      form: new Map<string, unknown>([
        ['password', HIDDEN],
        ['name', 'ada'],
      ]),
      query: new Map([
        ['token', HIDDEN],
        ['page', '1'],
      ]),
      headers: new Map([
        ['accept', 'y'],
        ['authorization', HIDDEN],
      ]),
      map: new Map<unknown, unknown>([
        [{ password: HIDDEN }, 1],
        ['secret', HIDDEN],
        [7, { token: HIDDEN }],
      ]),
      set: new Set([{ token: HIDDEN }, 1]),
    });
    expect(form.get('password')).toBe('x');
  });

  it('of an error is not run: getters', () => {
    let runs = 0;
    const error = Object.defineProperty(new Error('no'), 'detail', {
      enumerable: true,
      get: () => {
        runs += 1;
        return 'x';
      },
    });
    const { error: shown } = redacted(['password'], { error });
    expect(shown).toMatchObject({ message: 'no', detail: '[Getter]' });
    expect(runs).toBe(0);
  });
});

describe('every output', () => {
  const outputs: Record<string, (write: (text: string) => void) => Subscriber> = {
    pretty: (write) => consoleSubscriber({ format: 'pretty', output: { write } }),
    json: (write) => consoleSubscriber({ format: 'json', output: { write } }),
    pino: (write) => pinoSubscriber(pino({}, { write })),
  };

  it.each(Object.entries(outputs))('%s has no secret', (_, make) => {
    let text = '';
    end = subscribe(
      make((more) => (text += more)),
      { redact: SECRET_FIELDS },
    );
    const error = Object.assign(
      new Error('refused', { cause: Object.assign(new Error('c'), { cookie: 's-1' }) }),
      {
        request: { headers: { Authorization: 's-2' } },
      },
    );
    withSpan({ session_id: 's-3' }, () => {
      log.error({ error, user: { password: 's-4' }, headers: new Headers({ 'x-api-key': 's-5' }) }, 'failed');
      log.warn('refused', { error: Object.assign(new Error('x'), { token: 's-6' }), status: 401 });
    });
    expect(text).toContain('refused');
    expect(text).toContain('[redacted]');
    expect(text).not.toMatch(/s-\d/);
  });
});

it.each(['', 'a..b', '.a', 'a.', 'headers["x"]', 'users[*].password', 7])('refuses the path %j', (path) => {
  expect(() => subscribe(() => {}, { redact: [path as string] })).toThrow(
    /^subscribe: redact\[0\] is .*'headers\.authorization'/,
  );
});
