// What an answer says: results without what the protocol puts around them, and failures in streams of events.
import { describe, expect, it } from 'vitest';
import type { Detail } from '../../api-model/detail.js';
import type { FuzzResponse } from './fuzz-answer.js';
import { dataOf, failuresIn, rpcErrors } from './rpc-answer.js';

const answer = (type: string, text: string): FuzzResponse => ({
  kind: 'response',
  status: 200,
  headers: new Headers({ 'content-type': type }),
  text,
  isComplete: true,
});
const stream = (...data: string[]) =>
  answer('text/event-stream', data.map((one) => `id: 1\n\nevent: error\ndata: ${one}\n\n`).join(''));
const target = (kind: string, mode?: string) => ({ target: { kind, mode } }) as unknown as Detail;

describe('the failures in a stream of events', () => {
  it('are those of both modes', () => {
    const both = stream('{"code":-32603,"message":"Internal error"}', '{"status":500,"body":{}}');
    expect(failuresIn(both)).toMatchObject([{ code: -32603 }, { status: 500 }]);
    expect(rpcErrors(both)).toMatchObject([{ code: -32603 }, { status: 500 }]);
  });

  it.each(['', 'not JSON', 'null', '7', '"text"', '{'])('do not have %j, which an app may send', (data) => {
    expect(failuresIn(stream(data))).toEqual([]);
  });

  it('may have separators of lines in their texts', () => {
    expect(failuresIn(stream('{"code":1,"message":"a\u2028b\u2029"}'))).toMatchObject([{ code: 1 }]);
  });

  it('are in streams alone', () => {
    expect(failuresIn(answer('text/plain', 'event: error\ndata: {}\n\n'))).toEqual([]);
  });
});

it('the data of JSON-RPC are its results, without numbers of calls', () => {
  const batch = answer(
    'application/json',
    '[{"jsonrpc":"2.0","id":1,"result":{"id":"a"}},{"id":3,"error":{}}]',
  );
  expect(dataOf(target('rpc', 'jsonrpc'), batch)).toEqual([{ id: 'a' }, undefined]);
  expect(dataOf(target('http'), answer('application/json', '{"id":1}'))).toEqual({ id: 1 });
});
