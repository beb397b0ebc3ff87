import { describe, expect, it, vi } from 'vitest';
import { contractField, FwRpcHttpError, mayPass, mergedFields, readJson, sendRequest } from './requests.js';
import { routeCaller } from './routes.js';

const answering =
  (status: number, text = '') =>
  async () => ({ ok: status < 300, status, statusText: 'S', text: async () => text });

describe('sendRequest', () => {
  it('sends text as JSON, and marks a form', async () => {
    const sent: unknown[] = [];
    const fetch = async (_url: string, { headers, body }: { headers: object; body?: unknown }) => {
      sent.push([headers, body]);
      return await answering(200, 'x')();
    };
    expect(await sendRequest<unknown>({ fetch }, '/a', 'POST', '{}', [], {})).toEqual({
      status: 200,
      text: 'x',
    });
    await sendRequest<unknown>({ fetch }, '/a', 'POST', { form: 1 }, [], { headers: { a: 'b' } });
    await sendRequest<unknown>({ fetch, headers: () => ({ A: 'c' }) }, '/a', 'GET', undefined, [], {});
    expect(sent).toEqual([
      [{ 'Content-Type': 'application/json' }, '{}'],
      [{ 'X-Fw-Upload': '1', a: 'b' }, { form: 1 }],
      [{ A: 'c' }, undefined],
    ]);
  });

  it('throws the error of a status that is not a success', async () => {
    const sent = sendRequest<string>({ fetch: answering(503, '{"a":1}') }, '/a', 'GET', undefined, [], {});
    await expect(sent).rejects.toMatchObject({ status: 503, body: { a: 1 }, message: 'HTTP 503: S' });
  });
});

it.each([
  [4_096, 'the types'],
  [4_097, 'their hash'],
])('contractField of %d characters is %s', (length, what) => {
  const field = (input: string) => {
    const procedures = { 'a.b': ['query', input, 'number', ['T']], other: ['query', '1', '2', []] } as const;
    const contract = { hash: 'h', procedures, types: { T: 'string', U: 'Date' } };
    return (
      contractField.call({ ...contract, field: contractField }, ['a.b', 'unknown'])['X-Fw-Contract'] ?? ''
    );
  };
  const short = field('');
  expect(JSON.parse(short)).toEqual({
    procedures: { 'a.b': ['query', '', 'number'] },
    types: { T: 'string' },
  });
  const sent = field('x'.repeat(length - short.length));
  expect(sent).toHaveLength(what === 'the types' ? length : 1);
});

it('contractField has the errors of a procedure, and no character that a header field cannot have', () => {
  const contract = {
    hash: 'h',
    procedures: { a: ['query', '{ größe: "€" }', 'void', [], { gone: '{ é: 1 }' }] },
    types: {},
    field: contractField,
  } as const;
  const { 'X-Fw-Contract': sent = '' } = contract.field(['a']);
  expect(sent).toMatch(/^[ -~]+$/);
  expect(JSON.parse(sent)).toEqual({
    procedures: { a: ['query', '{ größe: "€" }', 'void', { gone: '{ é: 1 }' }] },
    types: {},
  });
});

describe('mayPass', () => {
  it.each([408, 429, 502, 503, 504])('another attempt may help after %i', (status) => {
    expect(mayPass(new FwRpcHttpError(status, '', undefined))).toBe(true);
  });

  it('does not help after others, and not after what no request has thrown', () => {
    for (const error of [new FwRpcHttpError(500, '', undefined), new TypeError('x'), {}, 'text'])
      expect(mayPass(error)).toBe(false);
  });

  it('helps after a network failure', async () => {
    const failure = new TypeError('no network');
    const fetch = () => Promise.reject(failure);
    await sendRequest<string>({ fetch }, '/a', 'GET', undefined, [], {}).catch(() => {});
    expect(mayPass(failure)).toBe(true);
  });
});

it.each([
  [{}, 'text/csv'],
  [{ 'content-type': 'text/csv; header=present' }, 'text/csv; header=present'],
])('the body of a route has its type, which a call can tell more of: %j', async (headers, type) => {
  const fetch = vi.fn(answering(200, '1'));
  const save = { method: 'POST', path: '/rows', query: [], body: 'text/csv', errors: [] };
  const connection = { client: {}, baseUrl: '', options: { fetch }, nextId: 1, waiting: [] };
  await routeCaller(() => '')(connection, ['save', save], { body: 'a,b' }, { headers });
  const [, sent] = fetch.mock.calls[0] as unknown as [string, { body: string; headers: object }];
  expect([sent.body, Object.values(sent.headers)]).toEqual(['a,b', [type]]);
});

it('mergedFields uses the last value of a name, in any case', () => {
  expect(mergedFields({ a: '1', B: '2' }, undefined, { A: '3' })).toEqual({ A: '3', B: '2' });
});

it('readJson says what is not JSON', () => {
  expect(readJson('', '/a')).toBeUndefined();
  expect(() => readJson('<html>', '/a')).toThrow("/a answered '<html>', which is not JSON");
});
