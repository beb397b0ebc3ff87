import { describe, expect, it } from 'vitest';
import type { ApiDescription } from '../rpc/api-description.js';
import { parseType } from '../wire/read/parse-type.js';
import { Api } from './api.js';
import { kindsOf, searched } from './search.js';
import { typeText } from './type-text.js';

const nothing: ApiDescription = {
  document: {},
  registries: [],
  sockets: [],
  socketTypes: {},
  access: {},
  schemes: {},
  csrf: null,
  hasClient: false,
};
const url = 'http://here.example/docs/api.json';
const api = (more: Partial<ApiDescription>) => new Api({ ...nothing, ...more }, url);
const names = (one: Api, query: string, kind = '') =>
  searched(one.operations, query, kind).map(({ name, operations }) => [
    name,
    ...operations.map((op) => op.name),
  ]);

const shop = api({
  document: {
    info: { title: 'Shop', version: '1' },
    tags: [{ name: 'users' }, { name: 'orders' }],
    security: [{ key: [] }],
    paths: {
      '/orders': { get: { tags: ['orders'], summary: 'All orders', responses: {} } },
      '/users/{id}': {
        parameters: [{ name: 'id', in: 'path', schema: { type: 'integer' } }, { $ref: '#/nowhere' }],
        put: {
          tags: ['users'],
          deprecated: true,
          security: [{}, { key: [] }],
          servers: [{ url: 'https://a.example/v1/' }],
        },
        delete: null,
      },
      '/status': { get: { security: [], parameters: 7, responses: [] } },
      '/broken': 'no item',
    },
  },
  registries: [
    {
      mode: 'jsonrpc',
      path: '/rpc',
      access: {
        'tasks.add': { isRequired: true, scopes: [{ scopes: ['a', 'b'], match: 'any' }], schemes: [['key']] },
      },
      types: {
        named: { Task: parseType('{ title: string }') },
        procedures: {
          'tasks.add': {
            kind: 'mutation',
            input: parseType('Task'),
            output: parseType('number'),
            description: 'Adds a task. It is new.',
            errors: {
              full: { data: parseType('{ most: number }'), code: -32000, status: 409, message: 'Full' },
            },
          },
          ping: { kind: 'query', input: { kind: 'void' }, output: { kind: 'void' }, deprecated: 'use pong' },
        },
      },
    },
  ],
});

describe('the list', () => {
  it('has everything in groups, those that the document names first', () => {
    expect(names(shop, '')).toEqual([
      ['users', '/users/{id}'],
      ['orders', '/orders'],
      ['Procedures', 'ping'],
      ['status', '/status'],
      ['tasks', 'tasks.add'],
    ]);
    expect(kindsOf(shop.operations)).toEqual(['PUT', 'GET', 'query', 'mutation']);
  });

  it('is searched by all words, and by kind', () => {
    expect(names(shop, 'ALL or')).toEqual([['orders', '/orders']]);
    expect(names(shop, 'users put')).toEqual([['users', '/users/{id}']]);
    expect(names(shop, '', 'mutation')).toEqual([['tasks', 'tasks.add']]);
    expect(names(shop, 'nothing like this')).toEqual([]);
  });

  it('tells what is deprecated, and what needs a caller', () => {
    const marks = shop.operations.map(({ name, isDeprecated, isLocked }) => [name, isDeprecated, isLocked]);
    expect(marks).toEqual([
      ['/users/{id}', true, false],
      ['/orders', false, true],
      ['ping', true, false],
      ['/status', false, false],
      ['tasks.add', false, true],
    ]);
  });

  it.each([
    {},
    { paths: null },
    {
      paths: {
        '/a': {
          get: { tags: [7], parameters: [null, { in: 'body' }], requestBody: 1, responses: { 200: null } },
        },
      },
    },
    { paths: { '/a': { $ref: '#/paths/~1a' } } },
    { paths: { '/a': { get: { requestBody: { $ref: '#/paths/~1a/get/requestBody' } } } } },
  ])('is there for the document %j', (document) => {
    const broken = api({ document });
    for (const one of broken.operations) expect(broken.detail(one).target.kind).toBe('http');
  });
});

describe('the detail of an operation', () => {
  const detail = (name: string) => {
    const found = shop.operations.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no ${name}`);
    return shop.detail(found);
  };

  it('has parameters of the path and of the operation, and tells what is broken', () => {
    const { parameters, problems, target } = detail('/users/{id}');
    expect(parameters.map((one) => [one.in, one.name, typeText(one.type)])).toEqual([
      ['path', 'id', 'number // integer'],
    ]);
    expect(problems).toEqual(['#/nowhere leads to nothing in this document']);
    expect(target).toMatchObject({ base: 'https://a.example/v1' });
  });

  it('has types, errors and scopes of a procedure', () => {
    const { bodies, answers, access, inputs } = detail('tasks.add');
    expect(bodies.map(({ type }) => typeText(type))).toEqual(['Task']);
    expect(typeText(inputs('Task') ?? { kind: 'void' })).toBe('{\n  title: string;\n}');
    expect(answers.map(({ label, note }) => [label, note])).toEqual([
      ['Result', undefined],
      ['full', 'code -32000'],
    ]);
    expect(access).toEqual({ isRequired: true, scopes: ['a or b'], schemes: [['key']] });
    expect(detail('ping').deprecated).toBe('use pong');
  });

  it('uses the variables of a server, and the one that is this server', () => {
    const servers = [
      { url: 'https://{region}.example', variables: { region: { default: 'eu' } } },
      { url: '/v{n}', variables: { n: { default: '2' } } },
    ];
    const made = api({ document: { servers, paths: { '/a': { get: {} } } } });
    const [one] = made.operations;
    expect(one && made.detail(one).target).toMatchObject({ base: 'http://here.example/v2' });
  });
});
