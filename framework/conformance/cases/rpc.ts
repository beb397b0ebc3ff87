// Cases: procedures over HTTP, by JSON-RPC and as REST.
import { z } from 'zod';
import { App, Cookie, FwError } from '../../index.js';
import { JsonRpcError, RpcMode, RpcRegistry } from '../../rpc/index.js';
import { type Case, type SentRequest, wireError } from '../case.js';

const Name = z.object({ name: z.string().min(2) });

function procedures(registry: RpcRegistry): RpcRegistry {
  return registry
    .query('hello', { input: Name }, ({ name }) => `Hello ${name}`)
    .query('late', { input: Name }, async ({ name }) => ({ late: name }))
    .query('nothing', { input: z.object({}) }, () => undefined)
    .query('größe & mehr', { input: z.object({}) }, () => 'odd')
    .query('boom', { input: z.object({}) }, () => {
      throw new Error('the password is 1234');
    })
    .query('gone', { input: z.object({}) }, () => {
      throw FwError.notFound('no such thing');
    })
    .query('cookie', { input: z.object({}) }, (_input, { ctx }) => {
      ctx.setCookie(new Cookie('seen', 'yes')).header('X-Own', 'own').status(503);
      return 'set';
    })
    .query('path', { input: z.object({}) }, (_input, { ctx, signal }) => [ctx.req.path, signal.aborted])
    .mutation('rename', { input: Name }, ({ name }) => ({ renamed: name }))
    .mutation('created', { input: z.object({}) }, (_input, { ctx }) => {
      ctx.status(201);
      return { id: 1 };
    })
    .mutation('stock', { input: z.object({}) }, () => {
      throw new JsonRpcError(4001, 'out of stock', { left: 0 });
    })
    .mutationWithTypes(
      'add',
      (input: { a: number; b: number }) => input.a + input.b,
      '{ a: number; b: number }',
      'number',
    )
    .queryWithTypes(
      'search',
      (input) => input,
      '{ page: number; exact?: boolean; tags?: Array<string>; q?: string }',
      'unknown',
    );
}

const described = () =>
  new RpcRegistry()
    .discoverable({ title: 'Names', version: '1.0.0' })
    .query('hello', { input: Name, output: z.string() }, ({ name }) => `Hello ${name}`);

const app = () =>
  new App()
    .maxBodySize(10_000)
    .mountRpc('/rpc', procedures(new RpcRegistry()))
    .mountRpc('/described', described())
    .mountRest('/api', procedures(RpcRegistry.withMode(RpcMode.Rest)));

const json = { 'Content-Type': 'application/json' };

function sends(
  name: string,
  request: SentRequest,
  status: number,
  body?: unknown,
  rest: Partial<Case> = {},
): Case {
  return { name, app, request, status, body, ...rest };
}

function posts(name: string, body: unknown, answer: unknown, rest: Partial<Case> = {}): Case {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return sends(name, { method: 'POST', path: '/rpc', headers: json, body: text }, 200, answer, rest);
}

const call = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', method, params, id });
const result = (value: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', result: value, id });
const failed = (code: number, message: string, id: unknown = 1) => ({
  jsonrpc: '2.0',
  error: { code, message },
  id,
});

const typed = (type: string | undefined, status: number): Case =>
  sends(
    `a body of ${type ?? 'no'} type is ${status === 200 ? 'taken' : 'refused'}`,
    {
      method: 'POST',
      path: '/rpc',
      headers: type === undefined ? {} : { 'Content-Type': type },
      body: new TextEncoder().encode(JSON.stringify(call('nothing'))),
    },
    status,
    status === 200 ? result(null) : undefined,
  );

export const jsonRpc: Case[] = [
  posts('a call', call('hello', { name: 'Ada' }), result('Hello Ada'), {
    headers: { 'content-type': 'application/json' },
  }),
  posts('a call that takes time', call('late', { name: 'Ada' }), result({ late: 'Ada' })),
  posts('a call by a type string', call('add', { a: 1, b: 2 }), result(3)),
  posts(
    'a batch',
    [call('hello', { name: 'Ada' }, 'a'), call('late', { name: 'Bo' }, 'b')],
    [result('Hello Ada', 'a'), result({ late: 'Bo' }, 'b')],
  ),
  posts('invalid JSON', '{', failed(-32700, 'Parse error', null)),
  posts('an empty body', '', failed(-32700, 'Parse error', null)),
  posts('an unknown procedure', call('__proto__'), failed(-32601, "Procedure '__proto__' not found")),
  posts(
    'rpc.discover of a registry that tells nothing',
    call('rpc.discover'),
    failed(-32601, "Procedure 'rpc.discover' not found"),
  ),
  sends(
    'rpc.discover',
    { method: 'POST', path: '/described', headers: json, body: JSON.stringify(call('rpc.discover')) },
    200,
    result({
      openrpc: '1.3.2',
      info: { title: 'Names', version: '1.0.0' },
      methods: [
        {
          name: 'hello',
          tags: [{ name: 'query' }],
          paramStructure: 'by-name',
          params: [{ name: 'name', required: true, schema: { type: 'string', minLength: 2 } }],
          result: { name: 'result', schema: { type: 'string' } },
          errors: [
            { code: -32602, message: 'Invalid input' },
            { code: -32603, message: 'Internal error' },
          ],
        },
      ],
      components: {
        schemas: {
          HelloInput: {
            type: 'object',
            properties: { name: { type: 'string', minLength: 2 } },
            required: ['name'],
          },
        },
      },
    }),
  ),
  posts('an error of a procedure', call('boom'), failed(-32603, 'Internal error')),
  posts('an error with a meaning', call('gone'), {
    jsonrpc: '2.0',
    error: { code: -32004, message: 'no such thing', data: { error: 'NotFound', status: 404 } },
    id: 1,
  }),
  posts('a typed error', call('stock'), {
    jsonrpc: '2.0',
    error: { code: 4001, message: 'out of stock', data: { left: 0 } },
    id: 1,
  }),
  posts('the legacy form', { method: 'hello', params: { name: 'Ada' } }, { result: 'Hello Ada' }),
  posts('cookies and fields that a procedure sets', call('cookie'), result('set'), {
    headers: { 'x-own': 'own' },
    cookies: ['seen=yes; Path=/'],
  }),
  posts('the context', call('path'), result(['/rpc', false])),
  posts('a batch of too many', Array(51).fill(call('nothing')), {
    jsonrpc: '2.0',
    error: { code: -32600, message: 'Invalid request: a batch holds 50 calls at most, got 51; send several' },
    id: null,
  }),
  sends(
    'a notification has no answer',
    { method: 'POST', path: '/rpc', headers: json, body: '{"jsonrpc":"2.0","method":"hello"}' },
    204,
    '',
    { headers: { 'content-type': undefined } },
  ),
  sends('GET is not for it', { path: '/rpc' }, 405, undefined, { headers: { allow: 'OPTIONS, POST' } }),
  sends(
    'a body over the limit',
    { method: 'POST', path: '/rpc', headers: json, body: ' '.repeat(10_001) },
    413,
  ),
  sends(
    'a compressed body',
    { method: 'POST', path: '/rpc', headers: { ...json, 'Content-Encoding': 'gzip' }, body: 'x' },
    415,
  ),
  typed('application/json; charset=utf-8', 200),
  typed('application/json-rpc', 200),
  typed('application/vnd.api+json', 200),
  typed('text/plain', 415),
  typed('application/x-www-form-urlencoded', 415),
  typed('application/json, text/plain', 415),
  typed('application/jsonp', 415),
  typed(undefined, 415),
  sends(
    'another contract',
    {
      method: 'POST',
      path: '/rpc',
      headers: { ...json, 'X-Fw-Contract': 'old' },
      body: JSON.stringify([call('nothing'), { jsonrpc: '2.0', method: 'boom' }]),
    },
    200,
    [
      {
        jsonrpc: '2.0',
        error: {
          code: -32010,
          message: 'the client was generated for another contract than this server has; generate it again',
        },
        id: 1,
      },
    ],
  ),
];

const post = (
  path: string,
  body: string | undefined,
  headers: Record<string, string> = json,
): SentRequest => ({
  method: 'POST',
  path,
  headers,
  ...(body !== undefined && { body }),
});

const neither = wireError('BadRequest', 'Invalid input: the body is neither an object nor an array');

export const rest: Case[] = [
  sends('a query', { path: '/api/hello?name=Ada' }, 200, '"Hello Ada"', {
    headers: { 'content-type': 'application/json' },
  }),
  sends('a query that takes time', { path: '/api/late?name=Ada' }, 200, { late: 'Ada' }),
  sends('a query without a result', { path: '/api/nothing' }, 200, 'null'),
  sends('HEAD of a query', { method: 'HEAD', path: '/api/nothing' }, 200, '', {
    headers: { 'content-length': '4' },
  }),
  sends('a name that needs encoding', { path: '/api/gr%C3%B6%C3%9Fe%20%26%20mehr' }, 200, '"odd"'),
  sends(
    'numbers, booleans and lists in a query',
    { path: '/api/search?page=2&exact=true&tags=a&tags=b&q=7' },
    200,
    {
      page: 2,
      exact: true,
      tags: ['a', 'b'],
      q: '7',
    },
  ),
  sends('a list of one, and unknown keys', { path: '/api/search?page=0&tags=a&admin=1&__proto__=x' }, 200, {
    page: 0,
    tags: ['a'],
  }),
  sends('a query that does not match', { path: '/api/search?page=two' }, 400),
  sends('a query without what it needs', { path: '/api/hello' }, 400),
  sends('a mutation', post('/api/rename', '{"name":"Ada","admin":true}'), 200, { renamed: 'Ada' }),
  sends('a mutation without a body', post('/api/created', undefined, {}), 201, { id: 1 }),
  sends('a mutation of malformed JSON', post('/api/rename', '{'), 400),
  ...['null', ' null ', '5', '"text"'].map((text) =>
    sends(`a mutation whose body is ${text}`, post('/api/rename', text), 400, neither),
  ),
  sends('a mutation that does not match', post('/api/rename', '{"name":"A"}'), 400),
  sends(
    'a mutation of another media type',
    post('/api/rename', 'name=Ada', { 'Content-Type': 'text/plain' }),
    415,
  ),
  sends('a query by POST', post('/api/hello', '{}'), 405, undefined, {
    headers: { allow: 'GET, HEAD, OPTIONS' },
  }),
  sends('a mutation by GET', { path: '/api/rename?name=Ada' }, 405, undefined, {
    headers: { allow: 'OPTIONS, POST' },
  }),
  sends('an unknown procedure as REST', { path: '/api/nobody' }, 404),
  sends('an error of a query', { path: '/api/boom' }, 500, wireError('Internal', 'internal server error')),
  sends(
    'an error of a query with a meaning',
    { path: '/api/gone' },
    404,
    wireError('NotFound', 'no such thing'),
  ),
  sends('a typed error as REST', post('/api/stock', '{}'), 400, {
    error: 'BadRequest',
    message: 'out of stock',
    code: 4001,
    data: { left: 0 },
  }),
  sends('fields and status of a query', { path: '/api/cookie' }, 503, '"set"', {
    headers: { 'x-own': 'own' },
    cookies: ['seen=yes; Path=/'],
  }),
  sends('another contract as REST', { path: '/api/nothing', headers: { 'X-Fw-Contract': 'old' } }, 409, {
    error: 'BadRequest',
    message: 'the client was generated for another contract than this server has; generate it again',
    code: -32010,
  }),
];
