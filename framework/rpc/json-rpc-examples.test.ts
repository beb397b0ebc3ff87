// The examples of the JSON-RPC 2.0 specification (section 7), with the messages that this server gives.
import { expect, it } from 'vitest';
import { RpcRegistry } from './index.js';

const invalid = (message: string) => ({ jsonrpc: '2.0', error: { code: -32600, message }, id: null });
const noObject = invalid('Invalid request: a request is an object');
const noMethod = invalid("Invalid request: 'method' is not a string");
const parseError = { jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' }, id: null };

function notFound(name: string, id: unknown): unknown {
  return { jsonrpc: '2.0', error: { code: -32601, message: `Procedure '${name}' not found` }, id };
}

const updates: unknown[] = [];
const rpc = new RpcRegistry()
  .queryWithTypes(
    'subtract',
    (input: [number, number] | { minuend: number; subtrahend: number }) =>
      Array.isArray(input) ? input[0] - input[1] : input.minuend - input.subtrahend,
    '[number, number] | { minuend: number; subtrahend: number }',
    'number',
  )
  .queryWithTypes('sum', (input: number[]) => input.reduce((a, b) => a + b), 'number[]', 'number')
  .mutationWithTypes('update', (input) => void updates.push(input), 'number[]', 'void')
  .mutationWithTypes('notify_hello', (input) => void updates.push(input), 'number[]', 'void')
  .mutationWithTypes('notify_sum', (input) => void updates.push(input), 'number[]', 'void')
  .queryWithTypes('get_data', () => ['hello', 5], 'void', '[string, number]');

it.each<[string, string, unknown]>([
  [
    'positional parameters',
    '{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}',
    { jsonrpc: '2.0', result: 19, id: 1 },
  ],
  [
    'positional parameters, the other way round',
    '{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}',
    { jsonrpc: '2.0', result: -19, id: 2 },
  ],
  [
    'named parameters',
    '{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}',
    { jsonrpc: '2.0', result: 19, id: 3 },
  ],
  [
    'named parameters in another order',
    '{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}',
    { jsonrpc: '2.0', result: 19, id: 4 },
  ],
  ['a notification', '{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}', undefined],
  ['a notification of nothing there', '{"jsonrpc": "2.0", "method": "foobar"}', undefined],
  [
    'a method that is not there',
    '{"jsonrpc": "2.0", "method": "foobar", "id": "1"}',
    notFound('foobar', '1'),
  ],
  ['invalid JSON', '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]', parseError],
  ['an invalid request', '{"jsonrpc": "2.0", "method": 1, "params": "bar"}', noMethod],
  [
    'a batch of invalid JSON',
    '[ {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"}, {"jsonrpc": "2.0", "method" ]',
    parseError,
  ],
  ['an empty batch', '[]', invalid('Invalid request: a batch holds at least one call')],
  ['a batch that is not empty but invalid', '[1]', [noObject]],
  ['an invalid batch', '[1,2,3]', [noObject, noObject, noObject]],
  [
    'a batch',
    `[
      {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
      {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
      {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
      {"foo": "boo"},
      {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
      {"jsonrpc": "2.0", "method": "get_data", "id": "9"}
    ]`,
    [
      { jsonrpc: '2.0', result: 7, id: '1' },
      { jsonrpc: '2.0', result: 19, id: '2' },
      noMethod,
      notFound('foo.get', '5'),
      { jsonrpc: '2.0', result: ['hello', 5], id: '9' },
    ],
  ],
  [
    'a batch of notifications',
    '[{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]}, {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]',
    undefined,
  ],
])('%s', async (_, request, answer) => {
  const body = (await rpc.handleRequest(request)).intoBody();
  expect(body && JSON.parse(new TextDecoder().decode(body))).toEqual(answer);
});

it('runs the notifications', () => {
  expect(updates).toEqual([[1, 2, 3, 4, 5], [7], [1, 2, 4], [7]]);
});
