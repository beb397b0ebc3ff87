// What the page keeps in the project: it outlives a restart, nobody else can read it, and nothing of it is lost.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readKept } from './kept-form.js';
import { checkPin, checkSaved } from './kept-order.js';
import { KeptRequests } from './kept-requests.js';
import type { RequestDetail } from './protocol.js';

const detail: RequestDetail = {
  id: 7,
  began: 1000,
  method: 'GET',
  target: '/tasks',
  origin: 'http://127.0.0.1:3000',
  status: 200,
  requestHeaders: [['Cookie', 'sid=••••••']],
  responseHeaders: [],
  responseBody: { size: 2, type: 'application/json', text: '{}' },
  steps: [
    {
      kind: 'handler',
      name: 'list',
      start: 0,
      end: 1,
      depth: 0,
      place: { file: 'a.ts', line: 1, column: 1 },
    },
  ],
  log: [{ at: 0, level: 'info', message: 'hi', fields: { a: 'b' } }],
  error: {
    title: 'Error: x',
    details: '',
    frames: [{ text: 'at x' }],
    code: { place: { file: 'a.ts', line: 1, column: 1 }, first: 1, lines: ['x'], length: 1 },
    causes: [{ title: 'Error: y', details: '', frames: [] }],
  },
};
const call = { name: 'list', method: 'GET', target: '/tasks', headers: [] };

let root: string;
let file: string;
let notes: string[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fw-kept-'));
  file = join(root, 'node_modules/.fw/workbench.json');
  notes = [];
});
afterEach(() => rmSync(root, { recursive: true }));

const open = (): KeptRequests => new KeptRequests(root, (text) => notes.push(text));

describe('KeptRequests', () => {
  it('keeps pins and calls for the next fw dev, readable by their owner alone', () => {
    const pin = open().addPin(detail);
    const saved = open().save({ ...call, body: '{}' });
    const next = open();
    expect(next.list).toEqual({
      pins: [{ id: pin, request: 7, method: 'GET', target: '/tasks', began: 1000, status: 200 }],
      saved: [{ ...call, body: '{}', id: saved }],
    });
    expect(next.pin(pin)).toEqual(detail);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(root, 'node_modules/.fw'))).toEqual(['workbench.json']);
  });

  it('keeps jobs with how they ended', () => {
    const job = { isJob: true, hasFailed: true, hasCrashed: true, durationMs: 3, equalReads: 30 } as const;
    const { status: _, ...rest } = detail;
    open().addPin({ ...rest, ...job, method: 'JOB', target: 'job=tidy', origin: '' });
    expect(open().list.pins).toEqual([
      { id: 1, request: 7, method: 'JOB', target: 'job=tidy', began: 1000, ...job },
    ]);
  });

  it('has a request once, a name once, and numbers that are not used again while they are known', () => {
    const kept = open();
    expect([
      kept.addPin(detail),
      kept.addPin({ ...detail, id: 8 }),
      kept.addPin({ ...detail, status: 500 }),
    ]).toEqual([1, 2, 1]);
    expect(kept.pin(1).status).toBe(500);
    // The same number in another run of fw dev.
    expect(kept.addPin({ ...detail, began: 2000 })).toBe(3);
    expect([kept.save(call), kept.save({ ...call, target: '/other' })]).toEqual([1, 1]);
    kept.removePin(1);
    kept.removeSaved(1);
    expect([kept.list.pins.map(({ id }) => id), kept.list.saved]).toEqual([[2, 3], []]);
    expect(() => kept.pin(1)).toThrow('pin 1 does not exist any more');
  });

  it('refuses more than 50 pins and 200 calls, and says what to do', () => {
    const kept = open();
    for (let id = 0; id < 50; id += 1) kept.addPin({ ...detail, id });
    expect(() => kept.addPin({ ...detail, id: 50 })).toThrow(
      '50 requests are pinned; unpin one of them first',
    );
    expect(kept.addPin({ ...detail, id: 3 })).toBe(4);
    for (let id = 0; id < 200; id += 1) kept.save({ ...call, name: `${id}` });
    expect(() => kept.save({ ...call, name: 'more' })).toThrow(
      '200 calls are saved; remove one of them first',
    );
  });

  it.each([
    '',
    'null',
    '{"version":2,"pins":[],"saved":[]}',
    '{"version":1,"pins":[{"id":1,"detail":{}}],"saved":[]}',
  ])('puts a file aside that it cannot read: %j', (text) => {
    mkdirSync(join(root, 'node_modules/.fw'), { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
    expect(open().list).toEqual({ pins: [], saved: [] });
    expect(notes).toEqual([
      expect.stringMatching(/workbench\.json .* was renamed to workbench\.json\.broken$/),
    ]);
    expect(readFileSync(`${file}.broken`, 'utf8')).toBe(text);
    expect(open().addPin(detail)).toBe(1);
  });

  it.skipIf(process.platform === 'win32')('reads none that others could have written', () => {
    open().addPin(detail);
    const text = readFileSync(file, 'utf8');
    rmSync(file);
    writeFileSync(file, text, { mode: 0o644 });
    expect(open().list.pins).toEqual([]);
    expect(existsSync(`${file}.broken`)).toBe(true);
  });

  it('says which file cannot be written', () => {
    writeFileSync(join(root, 'node_modules'), '');
    expect(() => open().addPin(detail)).toThrow(/^node_modules\/\.fw\/workbench\.json cannot be written: E/);
  });
});

describe('the form of the file', () => {
  const kept = (change: object): string =>
    JSON.stringify({ version: 1, pins: [{ id: 1, detail: { ...detail, ...change } }], saved: [] });

  it('is accepted as it is written', () => {
    expect(readKept(kept({}))?.pins[0]?.detail).toEqual(detail);
  });

  it.each<object>([
    { method: 1 },
    { status: '200' },
    { requestHeaders: [['a']] },
    { responseHeaders: {} },
    { responseBody: { size: 1, type: 'a', text: 1 } },
    { requestBody: null },
    { steps: [{ kind: 'handler', name: 'a', start: '0', depth: 0 }] },
    { steps: [{ kind: 'handler', name: 'a', start: 0, depth: 0, parameters: [1] }] },
    { log: [{ at: 0, level: 'info', message: {}, fields: {} }] },
    { calls: [{ procedure: 'a' }] },
    { calls: [{ procedure: 'a', outcome: '1', message: 1 }] },
    { callErrors: [{ procedure: 'a' }] },
    { callErrors: [{ error: { title: 'a', details: '', frames: [] } }] },
    { equalReads: '30' },
    { advice: [1] },
    { advice: 'x' },
    { error: { title: 'a', details: '', frames: [{ text: 1 }] } },
    { error: { title: 'a', details: '', frames: [], code: { first: 1, lines: [], length: 1 } } },
    { error: { title: 'a', details: '', frames: [], causes: [{}] } },
  ])('is refused with %j', (change) => {
    expect(readKept(kept(change))).toBeUndefined();
  });

  it('is refused with a call that could not be sent', () => {
    const saved = (one: object) => readKept(JSON.stringify({ version: 1, pins: [], saved: [one] }));
    expect(saved({ ...call, id: 1 })).toBeDefined();
    expect([saved(call), saved({ ...call, id: 1, body: 1 }), saved({ ...call, id: 1, name: 2 })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('orders of the page', () => {
  it('write no secret to the disk that was typed in', () => {
    const order = {
      name: 'sign in',
      method: 'POST',
      target: '/a?token=t1',
      headers: [
        ['Authorization', 'Bearer b1'],
        ['Content-Type', 'application/json'],
      ],
      body: '{"password":"p1","name":"ada"}',
    };
    expect(checkSaved(order)).toEqual({
      ...order,
      target: '/a?token=••••••',
      headers: [['Authorization', '••••••'], order.headers[1]],
      body: '{"password":"••••••","name":"ada"}',
    });
  });

  it.each([
    [{ ...call, name: ' \t' }, 'the call needs a name'],
    [{ ...call, name: 'x'.repeat(101) }, 'the name is longer than 100 characters'],
    [{ ...call, method: 'a b' }, 'the method is not one of HTTP'],
    [{ ...call, body: 'x'.repeat(256 * 1024 + 1) }, 'the body is longer than 262144 characters'],
    [null, 'the call needs a name'],
  ])('are refused: %#', (order, message) => {
    expect(() => checkSaved(order)).toThrow(message);
  });

  it('are taken with the longest name and the longest body', () => {
    const longest = { ...call, name: 'x'.repeat(100), body: 'x'.repeat(256 * 1024) };
    expect(checkSaved(longest)).toEqual(longest);
  });

  it.each([undefined, {}, { request: '1' }, { request: 1.5 }])('pin nothing for %j', (order) => {
    expect(() => checkPin(order)).toThrow('request is not the number of a request');
  });
});
