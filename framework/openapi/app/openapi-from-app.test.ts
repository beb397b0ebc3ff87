import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { App, Context, type Extractor, Json, Path, Query, route, Valid } from '../../index.js';
import type { OpenApiOperation, OpenApiSpec } from '../openapi-spec.js';
import { openApiFromApp } from './openapi-from-app.js';

const info = { title: 'Shop', version: '1.0.0' };
const User = z.object({ id: z.string(), name: z.string().min(2) }).meta({ id: 'User' });

function shop(): App {
  const admin = new App().post('/users', Valid(User), (user) => user);
  return new App()
    .get('/health', () => 'ok')
    .get(route('/hidden', { hidden: true }), Path(z.object({})), () => 'ok')
    .get('/users/:id/posts/:post', Path('id', z.string().min(3)), Context, (id) => id)
    .get('/search', Query(z.object({ q: z.string(), page: z.coerce.number().default(1) })), ({ q }) => q)
    .put(
      route('/users/:id', { returns: User }),
      Path(z.object({ id: z.uuid() })),
      Json(User),
      (_p, user) => user,
    )
    .route('/admin', admin);
}

async function assertValid(spec: OpenApiSpec): Promise<void> {
  const { valid, errors } = await new Validator().validate(JSON.parse(spec.toJson()));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: spec.toJson(), config });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
}

function responsesOf(spec: OpenApiSpec, path: string, method: string): OpenApiOperation['responses'] {
  return spec.toJSON().paths[path]?.[method]?.responses ?? {};
}

it('has the routes with schemas, prefixes included, and passes two validators', async () => {
  const spec = openApiFromApp(shop(), { ...info, description: 'Sells things.' });
  const { info: shown, paths, components, security } = spec.toJSON();
  expect(shown).toEqual({ ...info, description: 'Sells things.' });
  expect(security).toEqual([]);
  expect(Object.keys(paths)).toEqual(['/admin/users', '/search', '/users/{id}', '/users/{id}/posts/{post}']);
  expect(paths['/search']?.get?.parameters).toMatchObject([
    { name: 'q', in: 'query', required: true, schema: { type: 'string' } },
    { name: 'page', in: 'query', required: false },
  ]);
  expect(paths['/users/{id}/posts/{post}']?.get?.parameters).toEqual([
    { name: 'id', in: 'path', required: true, schema: { type: 'string', minLength: 3 } },
    { name: 'post', in: 'path', required: true, schema: { type: 'string' } },
  ]);
  const ref = { 'application/json': { schema: { $ref: '#/components/schemas/User' } } };
  expect(paths['/users/{id}']?.put).toMatchObject({
    requestBody: { content: ref },
    responses: { 200: { description: 'OK', content: ref } },
  });
  expect(Object.keys(responsesOf(spec, '/users/{id}', 'put'))).toEqual(['200', '400', 'default']);
  expect(Object.keys(responsesOf(spec, '/admin/users', 'post'))).toEqual(['400', '422', '2XX', 'default']);
  expect(Object.keys(components?.schemas ?? {})).toEqual(['ErrorResponse', 'User']);
  await assertValid(spec);
});

describe('what a route answers', () => {
  it('is each status with its body and its header fields', async () => {
    const app = new App().post(
      route('/users', {
        returns: {
          201: { body: User, headers: { location: z.string() }, description: 'The user was created.' },
          204: null,
          409: z.object({ taken: z.string() }),
        },
        errors: { 404: 'There is no such team.', 409: 'not shown, the schema is more precise' },
      }),
      Json(User),
      Context,
      (_user, ctx) => ctx.json({ taken: 'name' }, 409),
    );
    app.get(route('/report', { returns: { 200: { contentType: 'text/csv; charset=utf-8' } } }), () => 'a,b');
    app.get(route('/icon', { returns: { 200: { contentType: 'image/png' } } }), () => new Uint8Array());
    const spec = openApiFromApp(app, info);
    const error = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } };
    expect(responsesOf(spec, '/users', 'post')).toEqual({
      201: {
        description: 'The user was created.',
        headers: { location: { required: true, schema: { type: 'string' } } },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
      },
      204: { description: 'No Content' },
      400: { description: 'The body is not JSON, or is invalid.', content: error },
      404: { description: 'There is no such team.', content: error },
      409: {
        description: 'Conflict',
        content: {
          'application/json': {
            schema: { type: 'object', properties: { taken: { type: 'string' } }, required: ['taken'] },
          },
        },
      },
      default: { description: 'Any other error.', content: error },
    });
    expect(responsesOf(spec, '/report', 'get')[200]?.content).toEqual({
      'text/csv': { schema: { type: 'string' } },
    });
    expect(responsesOf(spec, '/icon', 'get')[200]?.content).toEqual({
      'image/png': { schema: { type: 'string', format: 'binary' } },
    });
    await assertValid(spec);
  });

  it('has the errors of the innermost onError', () => {
    const Problem = z.object({ title: z.string() }).meta({ id: 'Problem' });
    const described = () => new App().get(route('/x', { errors: { 404: 'Gone.' } }), () => 1);
    const app = described()
      .route(
        '/own',
        described().onError(Problem, () => ({ title: 'own' })),
      )
      .route(
        '/unknown',
        described().onError(() => 'no'),
      )
      .onError(z.string(), () => 'text');
    const spec = openApiFromApp(app, info);
    const bodyOf = (path: string) =>
      responsesOf(spec, path, 'get')[404]?.content?.['application/json']?.schema;
    expect(bodyOf('/x')).toEqual({ type: 'string' });
    expect(bodyOf('/own/x')).toEqual({ $ref: '#/components/schemas/Problem' });
    expect(bodyOf('/unknown/x')).toEqual({});
  });
});

describe('an operation', () => {
  const User7: Extractor<string> = {
    extract: () => '7',
    describes: {
      headers: { 'X-Team': z.string().optional(), 'x-tenant': z.string().describe('The tenant.') },
      errors: { 401: 'The token is missing.' },
      security: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };

  it('has what the route and its extractors say', async () => {
    const app = new App().get(
      route('/me', {
        summary: 'The user',
        description: 'Who is signed in.',
        tags: ['users'],
        operationId: 'me',
        deprecated: true,
        security: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
        returns: z.string(),
      }),
      User7,
      Query(z.object({ q: z.string() })),
      (user) => user,
    );
    const spec = openApiFromApp(app, {
      ...info,
      security: { session: { type: 'apiKey', in: 'cookie', name: 'sid' } },
    });
    const { paths, components, security } = spec.toJSON();
    expect(security).toEqual([{ session: [] }]);
    expect(components?.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer' },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      session: { type: 'apiKey', in: 'cookie', name: 'sid' },
    });
    expect(paths['/me']?.get).toMatchObject({
      operationId: 'me',
      summary: 'The user',
      description: 'Who is signed in.',
      tags: ['users'],
      deprecated: true,
      parameters: [
        { name: 'X-Team', in: 'header', required: false },
        { name: 'x-tenant', in: 'header', required: true, description: 'The tenant.' },
        { name: 'q', in: 'query', required: true },
      ],
      responses: { 401: { description: 'The token is missing.' } },
      security: [{ session: [], bearer: [], key: [] }],
    });
    await assertValid(spec);
  });

  it('is named by itself, by its handler, or by its path', () => {
    const shared = () => 1;
    const app = new App()
      .get(route('/a', { operationId: 'listUsers' }), shared)
      .get(route('/b', { summary: 'B' }), function showB() {
        return 1;
      })
      .get(route('/c/:id/d-e/*rest', { tags: [] }), shared)
      .get(route('/', { tags: [] }), shared)
      .get(route('/users/:id', { tags: [] }), () => 1)
      .get(route('/users/by-id', { tags: [] }), () => 1);
    const { paths } = openApiFromApp(app, info).toJSON();
    const names = Object.values(paths).map(({ get }) => [get?.operationId, get?.summary]);
    expect(names).toEqual([
      ['getRoot', 'Get root'],
      ['listUsers', 'List users'],
      ['showB', 'B'],
      ['getCByIdDEByRest', 'Get c by id de by rest'],
      ['getUsersById2', 'Get users by id2'],
      ['getUsersById', 'Get users by id'],
    ]);
  });

  it('requires a header field whose schema is asynchronous, and survives its rejection', async () => {
    const standard = { ...z.string()['~standard'], validate: () => Promise.reject(new Error('no database')) };
    const Later: Extractor<unknown> = {
      extract: () => undefined,
      describes: { headers: { 'x-later': { '~standard': standard } as never } },
    };
    const { paths } = openApiFromApp(
      new App().get('/x', Later, () => 1),
      info,
    ).toJSON();
    expect(paths['/x']?.get?.parameters).toMatchObject([{ name: 'x-later', required: true }]);
    await new Promise(setImmediate);
  });

  it('takes a body of another media type', () => {
    const Form: Extractor<unknown> = {
      extract: (ctx) => ctx.req.formData(),
      describes: { body: z.object({ name: z.string() }), bodyType: 'application/x-www-form-urlencoded' },
    };
    const app = new App().post('/form', Form, () => 1);
    const content = openApiFromApp(app, info).toJSON().paths['/form']?.post?.requestBody?.content;
    expect(Object.keys(content ?? {})).toEqual(['application/x-www-form-urlencoded']);
    const both = new App().post('/form', Form, Json(User), () => 1);
    expect(() => openApiFromApp(both, info)).toThrow(
      'the extractors of POST /form read bodies of application/x-www-form-urlencoded and application/json; a request has one',
    );
  });
});

it('has one path for patterns that differ in the names of their parameters alone', async () => {
  const app = new App()
    .get('/a/:id/b/:b', Path(z.object({ id: z.uuid(), b: z.string() })), () => 1)
    .put('/a/:x/b/:y', Path(z.object({ x: z.string().min(3), y: z.string() })), Json(User), () => 1);
  const { paths } = openApiFromApp(app, info).toJSON();
  expect(Object.keys(paths)).toEqual(['/a/{id}/b/{b}']);
  expect(paths['/a/{id}/b/{b}']?.put?.parameters).toEqual([
    { name: 'id', in: 'path', required: true, schema: { type: 'string', minLength: 3 } },
    { name: 'b', in: 'path', required: true, schema: { type: 'string' } },
  ]);
});

it('describes a query that is one of several objects', () => {
  const either = z.union([z.object({ q: z.string() }), z.object({ q: z.string(), page: z.string() })]);
  const app = new App().get('/x', Query(either), () => 1);
  expect(openApiFromApp(app, info).toJSON().paths['/x']?.get?.parameters).toMatchObject([
    { name: 'q', required: true },
    { name: 'page', required: false },
  ]);
});

it('refuses what it cannot describe', () => {
  const of = (app: App) => () => openApiFromApp(app, info);
  const other = z.object({ x: z.number() }).meta({ id: 'User' });
  expect(of(shop().get(route('/other', { returns: other }), () => ({ x: 1 })))).toThrow(
    "the 200 of GET /other: another type is already named 'User'; give one of them a different id",
  );
  expect(of(new App().get('/x', Query(z.array(z.string())), () => 1))).toThrow(
    'the query of GET /x is not an object',
  );
  const own = z.object({}).meta({ id: 'ErrorResponse' });
  expect(of(new App().get(route('/x', { returns: own }), () => ({})))).toThrow(
    "the type 'ErrorResponse' has the name of a schema of fw; rename it",
  );
  const twice = new App().get(route('/a', { operationId: 'x' }), () => 1);
  expect(of(twice.get(route('/b', { operationId: 'x' }), () => 1))).toThrow(
    "GET /a and GET /b both have the operationId 'x'; change one of them",
  );
  const key = new App().get(route('/a', { security: { a: { type: 'http', scheme: 'basic' } } }), () => 1);
  expect(of(key.get(route('/b', { security: { a: { type: 'http', scheme: 'bearer' } } }), () => 1))).toThrow(
    "another security scheme is already named 'a', which GET /b requires; rename one",
  );
});
