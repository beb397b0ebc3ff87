// Options: what is refused, with which code, and how the message names the value and the remedy.
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConfigError } from '../config-error.js';
import { addRenamed, checkOptions, checkValue } from './check.js';
import { checkTime, requestTime } from './check-time.js';
import {
  anything,
  callback,
  either,
  filled,
  flag,
  headerName,
  listOf,
  milliseconds,
  object,
  objectWith,
  oneOf,
  origin,
  type Rules,
  record,
  renamedTo,
  required,
  secret,
  text,
  token,
  whole,
} from './rules.js';

interface Options {
  readonly size?: unknown;
  readonly level?: unknown;
  readonly waitMs?: unknown;
  readonly on?: unknown;
  readonly mode?: unknown;
  readonly header?: unknown;
  readonly names?: unknown;
  readonly few?: unknown;
  readonly load?: unknown;
  readonly store?: unknown;
  readonly origin?: unknown;
  readonly key?: unknown;
  readonly note?: unknown;
  readonly other?: unknown;
}

const rules: Rules<Options> = {
  size: whole(1),
  level: whole(0, 11),
  waitMs: milliseconds(1),
  on: flag,
  mode: oneOf('allow', 'deny'),
  header: headerName,
  names: listOf(token),
  few: listOf(filled, 1),
  load: callback('a function (id) => user'),
  store: objectWith(['load', 'save'], 'a store, such as new MemoryStore()'),
  origin: either(text, listOf(text), callback('a function')),
  key: secret(filled),
  note: text,
  other: anything,
};

const check = (options: unknown) => checkOptions('part', options as Options, rules);

const revoked = Proxy.revocable({}, {});
revoked.revoke();
const trapped = new Proxy(
  {},
  {
    get() {
      throw new TypeError('a trap');
    },
  },
);

describe('options', () => {
  it.each<[string, Options]>([
    ['none', {}],
    ['numbers at their bounds', { size: Number.MAX_SAFE_INTEGER, level: 0, waitMs: 2 ** 31 - 1 }],
    ['texts', { header: 'X-Api-Key', note: '', key: 'k', mode: 'deny' }],
    ['lists', { names: [], few: ['a'] }],
    ['functions and objects', { load() {}, store: { load() {}, save() {} }, other: null }],
    ['an object of another realm', runInNewContext('({ size: 1 })')],
    ['an object without a prototype', Object.assign(Object.create(null), { size: 1 })],
    ['undefined', { size: undefined }],
    ['each of several kinds', { origin: ['a'] }],
  ])('takes %s', (_, options) => {
    expect(check(options)).toEqual({ ...options });
  });

  it('reads each option once', () => {
    let reads = 0;
    const options = {
      get size() {
        reads += 1;
        return reads;
      },
    };
    expect(check(options).size).toBe(1);
    expect(reads).toBe(1);
  });

  it.each<[unknown, string, string]>([
    [{ size: 0 }, 'FW_OPTION_RANGE', 'part: size is 0; give a whole number, 1 or more'],
    [{ size: 1.5 }, 'FW_OPTION_RANGE', 'part: size is 1.5; give a whole number, 1 or more'],
    [{ size: Number.NaN }, 'FW_OPTION_RANGE', 'part: size is NaN; give a whole number, 1 or more'],
    [{ size: '60' }, 'FW_OPTION_TYPE', "part: size is '60'; give a whole number, 1 or more"],
    [{ size: 5n }, 'FW_OPTION_TYPE', 'part: size is a bigint; give a whole number, 1 or more'],
    [{ level: 12 }, 'FW_OPTION_RANGE', 'part: level is 12; give a whole number from 0 to 11'],
    [
      { waitMs: 2 ** 31 },
      'FW_OPTION_RANGE',
      'part: waitMs is 2147483648; give a whole number of milliseconds from 1 to 2147483647',
    ],
    [{ on: 1 }, 'FW_OPTION_TYPE', 'part: on is 1; give true or false'],
    [{ on: null }, 'FW_OPTION_TYPE', 'part: on is null; give true or false'],
    [{ mode: 'ignore' }, 'FW_OPTION_CHOICE', "part: mode is 'ignore'; give 'allow' or 'deny'"],
    [{ mode: {} }, 'FW_OPTION_TYPE', "part: mode is an object; give 'allow' or 'deny'"],
    [
      { header: 'X Key' },
      'FW_OPTION_FORM',
      "part: header is 'X Key'; give the name of a header field, such as 'X-Api-Key'",
    ],
    [
      { names: ['a', 'b,c'] },
      'FW_OPTION_FORM',
      "part: names[1] is 'b,c'; give one name, without white space, ',' and ';'",
    ],
    [
      { names: 'a' },
      'FW_OPTION_TYPE',
      "part: names is 'a'; give a list of one name, without white space, ',' and ';'",
    ],
    [
      { few: [] },
      'FW_OPTION_EMPTY',
      'part: few is an empty array; give a list of at least one: a text that is not empty',
    ],
    [{ few: [undefined] }, 'FW_OPTION_TYPE', 'part: few[0] is undefined; give a text that is not empty'],
    [{ load: 'user' }, 'FW_OPTION_TYPE', "part: load is 'user'; give a function (id) => user"],
    [
      { store: { load() {} } },
      'FW_OPTION_TYPE',
      'part: store is an object; give a store, such as new MemoryStore()',
    ],
    [
      { store: trapped },
      'FW_OPTION_TYPE',
      'part: store is an object; give a store, such as new MemoryStore()',
    ],
    [{ origin: 5 }, 'FW_OPTION_TYPE', 'part: origin is 5; give a text, or a list of a text, or a function'],
    [{ origin: ['a', 5] }, 'FW_OPTION_TYPE', 'part: origin[1] is 5; give a text'],
    [{ key: '' }, 'FW_OPTION_FORM', 'part: key is empty; give a text that is not empty'],
    [{ key: 12345 }, 'FW_OPTION_TYPE', 'part: key is a number; give a text that is not empty'],
    ['the secret', 'FW_OPTION_TYPE', 'part takes an object of options, got a string'],
    [null, 'FW_OPTION_TYPE', 'part takes an object of options, got null'],
    [['size'], 'FW_OPTION_TYPE', 'part takes an object of options, got an array'],
    [new Map(), 'FW_OPTION_TYPE', 'part takes an object of options, got an object'],
    [() => ({}), 'FW_OPTION_TYPE', 'part takes an object of options, got a function'],
    [
      { headers: 'X' },
      'FW_OPTION_UNKNOWN',
      "part has no option 'headers'; did you mean 'header'? there are size, level",
    ],
    [{ headerName: 'X' }, 'FW_OPTION_UNKNOWN', "part has no option 'headerName'; did you mean 'header'?"],
    [{ MODE: 'allow' }, 'FW_OPTION_UNKNOWN', "part has no option 'MODE'; did you mean 'mode'?"],
    [
      { frobnicate: undefined },
      'FW_OPTION_UNKNOWN',
      "part has no option 'frobnicate'; there are size, level",
    ],
    [{ constructor: 1 }, 'FW_OPTION_UNKNOWN', "part has no option 'constructor'; there are"],
    [JSON.parse('{"__proto__":{}}'), 'FW_OPTION_UNKNOWN', "part has no option '__proto__'; there are"],
  ])('refuses what is wrong, case %#', (options, code, message) => {
    expect(() => check(options)).toThrow(
      expect.objectContaining({ name: 'ConfigError', code, message: expect.stringContaining(message) }),
    );
  });

  it('runs nothing of a Proxy', () => {
    expect(() => check({ note: revoked.proxy })).toThrow('part: note is an object; give a text');
    expect(() => check({ names: revoked.proxy })).toThrow('part: names is an object; give a list');
    expect(() => check({ store: trapped })).toThrow('part: store is an object; give a store');
    expect(() => check(revoked.proxy)).toThrow('part takes an object of options, got an object');
  });

  it('names an option that is missing', () => {
    expect(() => checkOptions('part', undefined, { ...rules, key: required(rules.key) })).toThrow(
      new ConfigError('FW_OPTION_MISSING', 'part: key is missing; give a text that is not empty'),
    );
  });

  it('shows neither control characters nor long texts', () => {
    const wrong = `\u001b[31m"${'x'.repeat(1_000_000)}`;
    expect(() => check({ mode: wrong })).toThrow(`mode is '\\u001b[31m"${'x'.repeat(54)}…'; give`);
    expect(() => check({ [wrong]: 1 })).toThrow("part has no option '\\u001b[31m");
  });

  it('shows texts of up to 60 characters', () => {
    expect(() => check({ mode: 'x'.repeat(60) })).toThrow(`mode is '${'x'.repeat(60)}'; give`);
    expect(() => check({ mode: 'x'.repeat(61) })).toThrow(`mode is '${'x'.repeat(60)}…'; give`);
  });

  it.each([
    [{}, "part has no option 'x'; there are none"],
    [{ size: flag }, "part has no option 'x'; there is size"],
    [{ size: flag, on: flag }, "part has no option 'x'; there are size, on"],
  ])('says which names there are: %#', (names, message) => {
    expect(() => checkOptions('part', { x: 1 } as object, names as Rules<object>)).toThrow(
      new ConfigError('FW_OPTION_UNKNOWN', message),
    );
  });

  it('checks one value', () => {
    expect(checkValue('part', 'size', 3, rules.size)).toBe(3);
    expect(() => checkValue('part', 'size', undefined, rules.size)).toThrow(
      'part: size is missing; give a whole number, 1 or more',
    );
  });
});

describe('kinds of values', () => {
  it.each([
    ['https://app.example', undefined],
    ['http://localhost:3000', undefined],
    ['https://app.example/', "'https://app.example'"],
    ['https://app.example:443', "'https://app.example'"],
    ['HTTPS://App.example', "'https://app.example'"],
    ['https://*.app.example', "each origin without '*'"],
    ['https://app.example:*', "each origin without '*'"],
    [
      'null',
      "the origin of a page, such as 'https://app.example', as sandboxed frames of any site have 'null'",
    ],
    ['file:///x', "an origin such as 'https://app.example'"],
    ['app.example', "an origin such as 'https://app.example'"],
    [1, "an origin such as 'https://app.example'"],
  ])('the origin %j', (value, takes) => {
    const checking = () => checkValue<unknown>('part', 'from', value, origin);
    if (takes === undefined) expect(checking()).toBe(value);
    else expect(checking).toThrow(`; give ${takes}`);
  });

  it.each([
    [object('an object'), [{}, [], () => {}, new Map()], [null, undefined, 'text', 5, true]],
    [record('a record'), [{}, Object.create(null)], [null, [], () => {}, new Map(), 'text', 5]],
    [
      requestTime,
      [1, 2 ** 31 - 1, Number.POSITIVE_INFINITY],
      [0, 2 ** 31, -Number.POSITIVE_INFINITY, '1', Number.NaN],
    ],
    [oneOf('a', 1), ['a', 1], ['b', 2, true, null]],
  ])('%#', (rule, fine, wrong) => {
    for (const value of fine) expect(checkValue<unknown>('part', 'it', value, rule)).toBe(value);
    for (const value of wrong)
      expect(() => checkValue<unknown>('part', 'it', value, rule)).toThrow('part: it is');
  });

  it('one of several is refused with the code of what it nearly is', () => {
    const codeOf = (value: unknown): string => {
      try {
        checkValue('part', 'it', value, either(flag, listOf(flag), oneOf('all', 7)));
      } catch (error) {
        return `${(error as ConfigError).code} ${(error as Error).message}`;
      }
      return 'nothing is thrown';
    };
    expect(codeOf('al')).toMatch(/^FW_OPTION_CHOICE part: it is 'al'; give true or false, or a list/);
    expect(codeOf(8)).toMatch(/^FW_OPTION_CHOICE /);
    expect(codeOf([1])).toBe('FW_OPTION_TYPE part: it[0] is 1; give true or false');
    expect(codeOf({})).toMatch(/^FW_OPTION_TYPE part: it is an object; give true or false, or a list/);
  });

  it('a time has bounds', () => {
    expect(checkTime('part', 5, 5)).toBe(5);
    expect(() => checkTime('part', 4, 5)).toThrow(
      'part: the time is 4; give a whole number of milliseconds from 5',
    );
  });
});

describe('names of before', () => {
  afterEach(() => void vi.restoreAllMocks());
  const renamed = { size: whole(1), other: flag, length: renamedTo('size') };
  const checkRenamed = (who: string, options: object): object =>
    checkOptions(who, options as never, renamed as never);

  it('an option is taken as the new one, with one warning', () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    expect(checkRenamed('one', { length: 3 })).toEqual({ size: 3 });
    expect(checkRenamed('one', { length: 4, other: true })).toEqual({ size: 4, other: true });
    expect(warn.mock.calls).toEqual([
      [
        "the option 'length' of one is deprecated; use 'size'",
        { type: 'DeprecationWarning', code: 'FW_DEPRECATED' },
      ],
    ]);
    expect(checkRenamed('two', { length: undefined, size: 2 })).toEqual({ size: 2 });
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('both, a wrong value and an unknown name are refused', () => {
    expect(() => checkRenamed('both', { length: 3, size: 3 })).toThrow(
      "both: 'length' and 'size' are the same option; give 'size' alone",
    );
    expect(() => checkRenamed('wrong', { length: 0 })).toThrow(
      'wrong: length is 0; give a whole number, 1 or more',
    );
    expect(() => checkRenamed('name', { x: 0 })).toThrow("name has no option 'x'; there are size, other");
  });

  it('a member says how it is written now', () => {
    const owner = {};
    addRenamed(owner, 'RateLimitKey', { Global: 'RateLimitKey.global' });
    expect(() => (owner as { Global: unknown }).Global).toThrow(
      new ConfigError('FW_OPTION_UNKNOWN', 'there is no RateLimitKey.Global; write RateLimitKey.global'),
    );
  });
});
