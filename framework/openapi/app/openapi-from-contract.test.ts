import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigError } from '../../config-error.js';
import { App, Path, Query, route, Valid } from '../../index.js';
import { type ContractParts, contractText } from '../../rpc/contract/contract-text.js';
import { openApiFromApp } from '../../rpc/index.js';
import { parseType } from '../../wire/read/parse-type.js';

const json = (type: string) => ({ 'application/json': parseType(type) });
const none = { procedures: {}, named: {} };

function contract(parts: Partial<ContractParts>): unknown {
  return JSON.parse(contractText({ ...none, ...parts }));
}

function document(app: App, known: unknown) {
  return openApiFromApp(app, { title: 'a', version: '1', contract: known }).toJSON();
}

const Id = Path('id', z.string());
const Any = Query(z.object({}));

describe('a document with the contract', () => {
  it('shows what routes answer that declare nothing', () => {
    const app = new App()
      .get('/users/:id', Id, (id) => ({ id }))
      .delete('/users/:id', Id, () => {})
      .get(route('/declared', { returns: z.object({ a: z.string() }) }), () => ({ a: '' }))
      .get(route('/errors', { errors: { 404: 'Nobody.' } }), () => 'a')
      .get('/unknown', Query(z.object({})), () => 1);
    const known = contract({
      named: { User: parseType('{ id: string; boss?: User }') },
      routes: {
        'GET /users/:id': { answers: { 200: json('User'), 404: json('{ reason: string }') } },
        'DELETE /users/:id': { answers: { 204: {} } },
        'GET /declared': { answers: { 201: json('number') } },
        'GET /errors': {
          answers: { 200: { 'text/plain': parseType('string') }, 404: json('null'), '2XX': {} },
        },
      },
    });
    const { paths, components } = document(app, known);
    const user = paths['/users/{id}'];
    expect(user?.get?.responses[200]).toEqual({
      description: 'OK',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
    });
    expect(Object.keys(user?.get?.responses ?? {})).toEqual(['200', '400', '404', 'default']);
    expect(user?.delete?.responses[204]).toEqual({ description: 'No Content' });
    expect(components?.schemas?.User).toMatchObject({
      properties: { boss: { $ref: '#/components/schemas/User' } },
      required: ['id'],
    });
    expect(Object.keys(paths['/declared']?.get?.responses ?? {})).toEqual(['200', 'default']);
    expect(paths['/errors']?.get?.responses).toMatchObject({
      200: { content: { 'text/plain': { schema: { type: 'string' } } } },
      404: { description: 'Nobody.', content: { 'application/json': {} } },
      '2XX': { description: 'An answer whose status is chosen by the handler.' },
    });
    expect(Object.keys(paths['/unknown']?.get?.responses ?? {})).toContain('2XX');
    expect(document(app, undefined).paths['/users/{id}']?.get?.responses).toHaveProperty('2XX');
  });

  it('finds the routes of mounted Apps by their own paths, and by the prefix of their type', () => {
    const users = new App().get('/', Any, () => 1).get('/list', Any, () => 1);
    const members = new App<'/orgs/:org'>().get('/', Any, () => 1).get('/members', Any, () => 1);
    const other = new App().get('/list', Any, () => 1);
    const app = new App()
      .route('/api/users/:id', users)
      .route('/v2/orgs/:id', new App().route('/x', other))
      .get('/only/list/:id', Any, () => 1);
    app.route('/:id', new App().route('/orgs/:org', members));
    const answer = (type: string) => ({ answers: { 200: json(type) } });
    const known = contract({
      routes: {
        'GET /': answer("'root'"),
        'GET /list': answer("'list'"),
        'GET /only/list/:id': answer("'only'"),
        'GET /orgs/:org': { ...answer("'org'"), prefix: '/orgs/:org' },
        'GET /orgs/:org/members': { ...answer("'members'"), prefix: '/orgs/:org' },
        'GET /x/list': answer("'another App'"),
      },
    });
    const { paths } = document(app, known);
    const shown = Object.entries(paths).map(([path, { get }]) => {
      const schema = get?.responses[200]?.content?.['application/json']?.schema as { enum?: string[] };
      return [path, schema?.enum?.[0]];
    });
    expect(Object.fromEntries(shown)).toEqual({
      '/api/users/{id}': 'root',
      '/api/users/{id}/list': 'list',
      '/v2/orgs/{id}/x/list': 'list',
      '/only/list/{id}': 'only',
      '/{id}/orgs/{org}': 'org',
      '/{id}/orgs/{org}/members': 'members',
    });
  });

  it('shows comments where the options of a route say nothing, and routes that have only a comment', () => {
    const app = new App()
      .get('/a', () => 1)
      .get(route('/b', { summary: 'Own.' }), () => 1)
      .get(route('/c', { description: 'Own.', deprecated: false }), () => 1)
      .get(route('/d', { hidden: true }), () => 1)
      .get('/e', () => 1)
      .get('/f', () => 1)
      .get('/g', () => 1);
    const code = '```ts\nlist.all()\n```';
    const description = 'Lists users,\ne.g. yours. Sorted.\n\nExample:\n\n```ts\nlist()\n```';
    const notes = { description, deprecated: 'use /people' };
    const { paths } = document(
      app,
      contract({
        routes: {
          'GET /a': notes,
          'GET /b': notes,
          'GET /c': notes,
          'GET /d': notes,
          'GET /e': { answers: { 200: json('number') } },
          'GET /f': { deprecated: true },
          'GET /g': { description: code },
        },
      }),
    );
    expect(paths['/g']?.get?.description).toBe(code);
    const rest = 'Sorted.\n\nExample:\n\n```ts\nlist()\n```';
    expect(paths['/a']?.get).toMatchObject({
      summary: 'Lists users, e.g. yours.',
      description: `${rest}\n\nDeprecated: use /people`,
      deprecated: true,
    });
    expect(paths['/b']?.get).toMatchObject({
      summary: 'Own.',
      description: `${description}\n\nDeprecated: use /people`,
    });
    expect(paths['/c']?.get).toMatchObject({
      summary: 'Lists users, e.g. yours.',
      description: 'Own.',
      deprecated: false,
    });
    expect(paths['/f']?.get).toMatchObject({ summary: 'Get f', deprecated: true });
    expect(Object.keys(paths)).toEqual(['/a', '/b', '/c', '/f', '/g']);
  });

  it('keeps inferred types apart from schemas of the same name', () => {
    const User = z.object({ id: z.string().min(1), role: z.string().optional() }).meta({ id: 'User' });
    const Same = z.object({ a: z.string().min(1) }).meta({ id: 'Same' });
    const app = new App()
      .post('/users', Valid(User), (user) => user)
      .post('/same', Valid(Same), (same) => same);
    const known = contract({
      named: {
        User: parseType('{ id: string; role: string; team: Team }'),
        Team: parseType('{ users: User[] }'),
        Same: parseType('{ a: string }'),
      },
      routes: {
        'POST /users': { answers: { 201: json('User') } },
        'POST /same': { answers: { 200: json('Same') } },
      },
    });
    const { paths, components } = document(app, known);
    const answer = (path: string, status: number) =>
      paths[path]?.post?.responses[status]?.content?.['application/json']?.schema;
    expect(answer('/users', 201)).toEqual({ $ref: '#/components/schemas/UserAnswer' });
    expect(answer('/same', 200)).toEqual({ $ref: '#/components/schemas/Same' });
    expect(components?.schemas).toMatchObject({
      User: { required: ['id'] },
      UserAnswer: { required: ['id', 'role', 'team'] },
      Team: { properties: { users: { items: { $ref: '#/components/schemas/UserAnswer' } } } },
      Same: { properties: { a: { minLength: 1 } } },
    });
  });

  it.each<[unknown, string]>([
    [{ version: 1 }, 'version is 1'],
    [{ version: 2, ...none, routes: [] }, 'routes is not an object'],
    [{ version: 2, ...none, routes: { 'GET /a': 1 } }, 'routes["GET /a"] is not an object'],
    [{ version: 2, ...none, routes: { 'GET /a': { prefix: 1 } } }, 'routes["GET /a"].prefix is not a string'],
    [
      { version: 2, ...none, routes: { 'GET /a': { answers: { 99: {} } } } },
      'routes["GET /a"].answers["99"] is not the answer of a status',
    ],
    [
      { version: 2, ...none, routes: { 'GET /a': { answers: { 200: { 'text/html': 1 } } } } },
      'routes["GET /a"].answers["200"]["text/html"] is not a string',
    ],
  ])('refuses one that is malformed: %j', (known, message) => {
    const make = () =>
      document(
        new App().get('/a', () => 1),
        known,
      );
    expect(make).toThrow(ConfigError);
    expect(make).toThrow(message);
  });
});
