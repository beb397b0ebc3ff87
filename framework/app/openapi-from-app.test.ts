import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { App, Context, Json, Path, Query, Valid } from '../index.js';
import { openApiFromApp } from './openapi-from-app.js';

const info = { title: 'Shop', version: '1.0.0' };
const User = z.object({ id: z.string(), name: z.string().min(2) }).meta({ id: 'User' });

function shop(): App {
  const admin = new App().post('/users', Valid(User), (user) => user);
  return new App()
    .get('/health', () => 'ok')
    .get('/users/:id/posts/:post', Path('id', z.string().min(3)), Context, (id) => id)
    .get('/search', Query(z.object({ q: z.string(), page: z.coerce.number().default(1) })), ({ q }) => q)
    .put('/users/:id', Path(z.object({ id: z.uuid() })), Json(User), (_path, user) => user)
    .route('/admin', admin);
}

it('contains the routes with schemas, prefixes included, and passes two validators', async () => {
  const spec = openApiFromApp(shop(), { ...info, responses: { 'PUT /users/:id': User } });
  const { paths, components } = spec.toJSON();
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
    responses: { 200: { content: ref } },
  });
  expect(Object.keys(paths['/users/{id}']?.put?.responses ?? {})).toEqual(['200', '400']);
  expect(Object.keys(paths['/admin/users']?.post?.responses ?? {})).toEqual(['200', '400', '422']);
  expect(Object.keys(components?.schemas ?? {})).toEqual(['User']);
  const { valid, errors } = await new Validator().validate(JSON.parse(spec.toJson()));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  const config = await createConfig({ rules: { struct: 'error', 'path-parameters-defined': 'error' } });
  expect(await lintFromString({ source: spec.toJson(), config })).toEqual([]);
});

it('describes a route without extractors if its response is given', () => {
  const spec = openApiFromApp(shop(), { ...info, responses: { 'GET /health': z.string() } });
  expect(spec.toJSON().paths['/health']?.get?.responses).toEqual({
    200: { description: 'Success', content: { 'application/json': { schema: { type: 'string' } } } },
  });
});

it('contains one path for patterns that differ only in the names of their parameters', async () => {
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

it('describes a query whose schema is a union of objects', () => {
  const either = z.union([z.object({ q: z.string() }), z.object({ q: z.string(), page: z.string() })]);
  const app = new App().get('/x', Query(either), () => 1);
  expect(openApiFromApp(app, info).toJSON().paths['/x']?.get?.parameters).toMatchObject([
    { name: 'q', required: true },
    { name: 'page', required: false },
  ]);
});

it('refuses routes that it cannot describe', () => {
  const other = z.object({ x: z.number() }).meta({ id: 'User' });
  expect(() => openApiFromApp(shop(), { ...info, responses: { 'GET /nobody': User } })).toThrow(
    "'GET /nobody'",
  );
  expect(() => openApiFromApp(shop(), { ...info, responses: { 'GET /health': other } })).toThrow(
    "named 'User'",
  );
  const list = new App().get('/x', Query(z.array(z.string())), () => 1);
  expect(() => openApiFromApp(list, info)).toThrow('the query of GET /x is not an object');
});
