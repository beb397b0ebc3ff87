// What a search finds of recorded requests, and that it tells no secret.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import type { RawRecord } from '../../process/records.js';
import { RecordSearch } from './record-search.js';
import type { StoredRequest } from './record-store.js';

const stored = (id: number, more: Partial<RawRecord> = {}): StoredRequest => ({
  id,
  raw: {
    seq: id,
    began: 0,
    state: 'answered',
    method: 'POST',
    target: '/',
    origin: 'http://localhost',
    isWebSocket: false,
    requestHeaders: [],
    responseHeaders: [],
    steps: [],
    log: [],
    ...more,
  },
});
const root = resolve('/app');
const body = (text: string) => ({ size: text.length, data: Buffer.from(text).toString('base64') });
const json = [['Content-Type', 'application/json']] as const;
const { signal } = new AbortController();
const find = (all: StoredRequest[], text: unknown, ids?: unknown, search = new RecordSearch(root)) =>
  search.find({ text, ids }, all, signal);

const all = [
  stored(1, { requestBody: body('{"title":"Buy Milk"}'), requestHeaders: json }),
  stored(2, { responseBody: body('<p>no milk\n\tleft</p>') }),
  stored(3, {
    error: {
      title: 'MilkError: sour',
      frames: [`at taste (${pathToFileURL(resolve(root, 'src/milk.ts'))}:3:1)`],
      details: 'cow: 7',
    },
  }),
  stored(4, { log: [{ at: 1, level: 'info', message: 'fetched milk', fields: { farm: 'Hill' } }] }),
  stored(5, { steps: [{ kind: 'database', name: 'select * from "milk"', start: 0, depth: 0 }] }),
  stored(6, { requestHeaders: [['X-Milk', 'skimmed']], responseHeaders: [['Location', '/milk']] }),
  stored(7, {
    steps: [
      { kind: 'middleware', name: 'milk', start: 0, depth: 0 },
      { kind: 'outgoing', name: 'GET https://farm.example/milk?token=abc', start: 0, depth: 0 },
    ],
  }),
  stored(8),
];

describe('a search', () => {
  it('finds a text wherever it is in a request, in whatever case, the newest first, and says where', async () => {
    const found = await find(all, 'MILK');
    expect(
      found.map(({ id, places, more }) => [
        id,
        more,
        ...places.map(({ where, before, match, after }) => `${where}: ${before}[${match}]${after}`),
      ]),
    ).toEqual([
      [7, 0, 'step: GET https://farm.example/[milk]?token=••••••'],
      [6, 0, 'response header: Location: /[milk]', 'request header: X-[Milk]: skimmed'],
      [5, 0, 'statement: select * from "[milk]"'],
      [4, 0, 'log: fetched [milk]'],
      [3, 0, 'error: [Milk]Error: sour', 'stack: at taste (src/[milk].ts:3:1)'],
      [2, 0, 'response body: <p>no [milk] left</p>'],
      [1, 0, 'request body: {"title":"Buy [Milk]"}'],
    ]);
    expect((await find(all, 'cow: 7')).map(({ id }) => id)).toEqual([3]);
    expect((await find(all, 'farm=hill')).map(({ id }) => id)).toEqual([4]);
    expect(await find(all, 'milk.*')).toEqual([]);
  });

  it('looks into the requests that are named alone', async () => {
    expect((await find(all, 'milk', [1, 4, 8, 99])).map(({ id }) => id)).toEqual([4, 1]);
  });

  it('shows a part of a long text, and counts further places', async () => {
    const message = `${'a'.repeat(100)}needle${'b'.repeat(200)}`;
    const line = { at: 1, level: 'info' as const, message, fields: {} };
    const [found] = await find([stored(1, { log: [line, line, line, line, line] })], 'needle');
    expect(found?.places).toHaveLength(3);
    expect(found?.more).toBe(2);
    expect(found?.places[0]).toEqual({
      where: 'log',
      before: `…${'a'.repeat(30)}`,
      match: 'needle',
      after: `${'b'.repeat(90)}…`,
    });
    const [turkish] = await find([stored(1, { log: [{ ...line, message: 'İİİ x' }] })], 'X');
    expect(turkish?.places[0]).toMatchObject({ before: 'İİİ ', match: 'x' });
  });

  it('finds no secret, whole or in part, and nothing of what stands for it elsewhere', async () => {
    const value = 'k3y-0123456789abcdef';
    const request = stored(1, {
      requestHeaders: [...json, ['Authorization', `Bearer ${value}`], ['Cookie', `sid=${value}`]],
      requestBody: body(`{"password":"${value}","note":"my ${value}"}`),
      responseBody: body(`hello ${value}`),
      log: [{ at: 1, level: 'info', message: `got ${value}`, fields: { token: value } }],
      steps: [
        { kind: 'database', name: 'select ?', parameters: [value], start: 0, depth: 0, error: `no ${value}` },
        { kind: 'outgoing', name: `GET http://a/?token=${value}`, start: 0, depth: 0 },
      ],
      error: { title: `Error: ${value}`, frames: [], details: `key: '${value}'` },
      secrets: { places: [], values: [value] },
    });
    for (const text of [value, 'k3y', 'abcdef', value.toUpperCase(), `Bearer ${value}`]) {
      expect([text, await find([request], text)]).toEqual([text, []]);
    }
    const found = await find([request], '••••••');
    expect(found[0]?.places.length).toBeGreaterThan(0);
    expect(JSON.stringify(found)).not.toMatch(/k3y|abcdef/);
  });

  it('sees a request as it is now, and forgets those that are not kept any more', async () => {
    const search = new RecordSearch(root);
    const pending = stored(1, { state: 'pending' });
    expect(await find([pending], 'late', undefined, search)).toEqual([]);
    const answered = stored(1, { responseBody: body('late') });
    expect(await find([answered], 'late', undefined, search)).toHaveLength(1);
    expect(await find([answered], 'late', undefined, search)).toHaveLength(1);
    expect(await find([], 'late', undefined, search)).toEqual([]);
    search.clear();
  });

  it('gives way to others while it looks into much, and ends when nobody waits for it', async () => {
    const text = JSON.stringify({ list: Array.from({ length: 4000 }, (_, index) => `item ${index}`) });
    const many = Array.from({ length: 200 }, (_, id) => stored(id, { responseBody: body(text) }));
    const search = new RecordSearch(root);
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    }, 1);
    expect(await find(many, 'item 3999', undefined, search)).toHaveLength(200);
    clearInterval(count);
    expect(turns).toBeGreaterThan(2);
    const left = new AbortController();
    // One that has kept nothing yet, so that it takes its time.
    const other = new RecordSearch(root);
    const ended = other.find({ text: 'item 3999' }, many, left.signal);
    left.abort();
    expect(await ended).toEqual([]);
    search.clear();
    other.clear();
  });

  it('refuses what is not a search, and more than a few at once', async () => {
    for (const [text, ids] of [
      ['', undefined],
      ['x'.repeat(201), undefined],
      [7, undefined],
      ['a', [1.5]],
      ['a', {}],
    ]) {
      await expect(find(all, text, ids)).rejects.toMatchObject({ status: 400 });
    }
    await expect(new RecordSearch(root).find(null, all, signal)).rejects.toMatchObject({ status: 400 });
    const search = new RecordSearch(root);
    const many = Array.from({ length: 9 }, () => find(all, 'milk', undefined, search));
    const ends = await Promise.allSettled(many);
    expect(ends.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { status: 503 } }]);
    // They have ended.
    for (let count = 0; count < 9; count += 1) {
      expect(await find(all, 'x'.repeat(200), undefined, search)).toEqual([]);
    }
    search.clear();
  });

  it('keeps what it has made for half a minute after the last search, and leaves no timer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const search = new RecordSearch(root);
    await find(all, 'milk', undefined, search);
    vi.advanceTimersByTime(29_999);
    expect(vi.getTimerCount()).toBe(1);
    await find(all, 'milk', undefined, search);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(29_999);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(vi.getTimerCount()).toBe(0);
    await find(all, 'milk', undefined, search);
    search.clear();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});

it('looks into the errors of all calls of a batch', async () => {
  const failed = (procedure: string, title: string) => ({
    procedure,
    outcome: '-32603',
    error: { title, frames: [], details: '' },
  });
  const callErrors = [failed('a', 'Error: one'), failed('b', 'Error: the other')];
  const batch = stored(20, { error: { title: 'Error: one', frames: [], details: '' }, callErrors });
  expect(await find([batch], 'the other')).toMatchObject([{ id: 20, places: [{ where: 'error' }] }]);
  expect(await find([batch], 'error: one')).toMatchObject([
    { id: 20, places: [{ where: 'error' }], more: 0 },
  ]);
});
