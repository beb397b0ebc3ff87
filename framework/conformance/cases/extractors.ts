// Cases: what typed extractors take from a request, and how they refuse it.
import { type Case, wireError } from '../case.js';
import { accepts, ada, app, get, nested, post, refused, refusesType } from './extractors-app.js';

const NOT_A_NUMBER = 'Invalid input: expected number, received NaN';
const TOO_SMALL = 'Too small: expected string to have >=2 characters';

const fromPath: Case[] = [
  get('Path takes all parameters', '/params/7/a%20b', { id: 7, name: 'a b' }),
  refused(
    'Path names the parameter',
    '/params/x/y',
    'path parameter id: Invalid input: expected number, received NaN',
    [['id'], NOT_A_NUMBER],
  ),
  get('Path takes one parameter', '/id/7', { id: 7 }),
  refused('Path names its one parameter', '/id/7.5', 'path parameter id: must be whole', [
    ['id'],
    'must be whole',
  ]),
  get('Path takes the rest of the path', '/rest/a/b', 'a/b'),
];

const fromQuery: Case[] = [
  get('Query takes strings and defaults', '/search?q=a%26b', { page: 1, q: 'a&b' }),
  get('Query takes nothing from no query', '/search', { page: 1 }),
  get('a repeated key is an array', '/search?q=a&q=b', { page: 1, q: ['a', 'b'] }),
  get('a lone key is an array where the schema wants one', '/search?tag=ab&page=2', { page: 2, tag: ['ab'] }),
  get('an empty value is a string', '/search?q=', { page: 1, q: '' }),
  get('only the keys that want arrays get them', '/search?tag=ab&id=3&q=x', {
    page: 1,
    tag: ['ab'],
    id: [3],
    q: 'x',
  }),
  refused(
    'a refused key beside one that wants an array',
    '/search?tag=ab&page=x',
    'query parameter page: Invalid input: expected number, received NaN',
    [['page'], NOT_A_NUMBER],
  ),
  refused(
    'a refused element',
    '/search?id=x&tag=ab',
    'query parameter id[0]: Invalid input: expected number, received NaN',
    [['id', 0], NOT_A_NUMBER],
  ),
  refused(
    'every refused key has its line',
    '/search?page=x&tag=a',
    'query parameter page: Invalid input: expected number, received NaN\n' +
      'query parameter tag[0]: Too small: expected string to have >=2 characters',
    [['page'], NOT_A_NUMBER],
    [['tag', 0], TOO_SMALL],
  ),
  refused(
    'a repeated key where one value is wanted',
    '/search?page=1&page=2',
    'query parameter page: Invalid input: expected number, received NaN',
    [['page'], NOT_A_NUMBER],
  ),
  get('valibot decides the same', '/valibot?n=3&tag=a', { n: 3, tag: ['a'] }),
  get('arktype decides the same', '/arktype?n=3&tag=a', { n: 3, tag: ['a'] }),
  refused(
    'a message that begins with the name does not repeat it',
    '/arktype?n=x',
    'query parameter n must be a well-formed integer string (was "x")',
    [['n'], 'n must be a well-formed integer string (was "x")'],
  ),
  refused('a missing key', '/arktype', 'query parameter n must be a string (was missing)', [
    ['n'],
    'n must be a string (was missing)',
  ]),
  get('names of Object.prototype are ordinary keys', '/any?constructor=1&toString=2&toString=3', {
    constructor: '1',
    toString: ['2', '3'],
  }),
  get('__proto__ in a query reaches no prototype', '/loose?__proto__=x&__proto__[admin]=1', { admin: null }),
];

const fromBodies: Case[] = [
  post('Json takes the body', '/json', { name: 'Ada', age: 36 }, 200, { name: 'Ada', age: 36 }),
  post(
    'Json names each refused field',
    '/json',
    { name: 'A', age: 'x' },
    400,
    wireError(
      'BadRequest',
      'name: Too small: expected string to have >=2 characters\nage: Invalid input: expected number, received string',
      [['name'], TOO_SMALL],
      [['age'], 'Invalid input: expected number, received string'],
    ),
  ),
  post(
    'Json refuses another shape',
    '/json',
    [],
    400,
    wireError('BadRequest', 'body: Invalid input: expected object, received array', [
      [],
      'Invalid input: expected object, received array',
    ]),
  ),
  post('Valid takes the body', '/valid', ada, 200, ada),
  post(
    'Valid answers 422',
    '/valid',
    { name: 1 },
    422,
    wireError('ValidationError', 'name: Invalid input: expected string, received number', [
      ['name'],
      'Invalid input: expected string, received number',
    ]),
  ),
  post(
    'valibot names nested fields',
    '/valibot',
    { users: [ada, {}] },
    422,
    wireError('ValidationError', 'users[1].name: Invalid key: Expected "name" but received undefined', [
      ['users', 1, 'name'],
      'Invalid key: Expected "name" but received undefined',
    ]),
  ),
  post(
    'arktype names nested fields',
    '/arktype',
    { users: [ada, { name: 1 }] },
    422,
    wireError('ValidationError', 'users[1].name must be a string (was a number)', [
      ['users', 1, 'name'],
      'users[1].name must be a string (was a number)',
    ]),
  ),
  ...['/json', '/valid'].flatMap((path) => [
    post(`${path}: malformed JSON`, path, '{"name":', 400, undefined),
    post(`${path}: an empty body`, path, '', 400, undefined),
    post(`${path}: JSON followed by rubbish`, path, '{} x', 400, undefined),
  ]),
  {
    name: 'a body without a media type is refused',
    app,
    // As bytes: fetch gives a string a media type.
    request: { method: 'POST', path: '/json', body: new TextEncoder().encode('{"name":"Ada"}') },
    status: 400,
    body: wireError('BadRequest', "the body needs 'Content-Type: application/json'"),
  },
  {
    name: 'no body at all is refused',
    app,
    request: { method: 'POST', path: '/valid' },
    status: 400,
    body: wireError('BadRequest', "the body needs 'Content-Type: application/json'"),
  },
  post('a body may be taken twice', '/twice', { a: 1, b: 2 }, 200, [1, 2]),
  post('asynchronous schemas', '/async', '"free"', 200, { name: 'free' }),
  post(
    'asynchronous refusals',
    '/async',
    '"taken"',
    422,
    wireError('ValidationError', 'body: is taken', [[], 'is taken']),
  ),
  post('a schema that throws', '/throws', '"x"', 500, wireError('Internal', 'internal server error')),
  post('a schema that throws an FwError', '/throws/fw', '"x"', 403, wireError('Forbidden', 'not yours')),
];

const hostileBodies: Case[] = [
  post(
    '__proto__ in a body reaches no prototype',
    '/proto',
    '{"a":1,"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
    200,
    { a: 1, admin: null, own: ['a', 'constructor'] },
  ),
  post('nested JSON', '/unchecked', nested('[', 999, ']'), 200, 'taken'),
  post(
    'JSON too deep for whatever walks through it',
    '/unchecked',
    nested('[', 100_000, ']'),
    400,
    wireError('BadRequest', 'body: nested too deeply'),
  ),
  post(
    'JSON too deep for its schema',
    '/tree',
    nested('{"child":', 100_000, '}', '{}'),
    400,
    wireError('BadRequest', 'body: nested too deeply'),
  ),
];

const mediaTypes: Case[] = [
  ...[
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset="utf-8" ; x=y',
    'application/json;',
    'application/problem+json',
    'application/vnd.api+json; ext="a\\"b"',
    'model/gltf+json',
  ].map(accepts),
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/x-json',
    'text/json',
    'application/+json',
    'application/json text/plain',
    'application/json, text/plain',
    'text/plain; application/json',
    'text/plain;x=application/json',
    'application/json; text/plain',
    'application/json; charset',
    'application /json',
  ].flatMap(refusesType),
  post(
    'a long media type is shown in part',
    '/json',
    ada,
    400,
    wireError(
      'BadRequest',
      `the media type '${'x'.repeat(100)}…' is not JSON; send 'Content-Type: application/json'`,
    ),
    'x'.repeat(5000),
  ),
];

const together: Case[] = [
  get('eight extractors', '/eight/7', ['late', '7', 't', '7', 'late', 't', { page: 1 }, 'late'], 201, {
    'X-Tenant': 't',
  }),
  get('the first that refuses answers', '/eight/7?page=x', wireError('Unauthorized', 'which tenant?'), 401),
  post('later ones do not run', '/order', '{', 401, wireError('Unauthorized', 'which tenant?')),
];

export const extractors: Case[] = [
  ...fromPath,
  ...fromQuery,
  ...fromBodies,
  ...hostileBodies,
  ...mediaTypes,
  ...together,
];
