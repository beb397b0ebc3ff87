// Documents that are put together by hand, as OpenAPI writes them.
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../config-error.js';
import { openApiError, schemaError } from './openapi-error.js';
import { OpenApiBuilder, type OpenApiOperation, OpenApiSpec } from './openapi-spec.js';
import { refusals } from './refusals.js';

const operation: OpenApiOperation = { responses: { 204: { description: 'Done' } } };

describe('a document', () => {
  it('has what it was given and nothing else', () => {
    expect(new OpenApiSpec('Shop', '1.0.0').toJSON()).toEqual({
      openapi: '3.0.0',
      info: { title: 'Shop', version: '1.0.0' },
      paths: {},
    });
    expect(new OpenApiBuilder().build().toJSON().info).toEqual({ title: 'API', version: '1.0.0' });
    const built = new OpenApiBuilder().title('Shop').version('2').build().toJSON();
    expect(built.info).toEqual({ title: 'Shop', version: '2' });
    const spec = new OpenApiSpec('Shop', '1', 'What it is for.')
      .addServer('https://a.example')
      .addServer('https://b.example')
      .addSecurity(['key', 'token'])
      .addSchema('Order', { type: 'object' });
    expect(spec.toJSON()).toEqual({
      openapi: '3.0.0',
      info: { title: 'Shop', version: '1', description: 'What it is for.' },
      servers: [{ url: 'https://a.example' }, { url: 'https://b.example' }],
      security: [{ key: [], token: [] }],
      paths: {},
      components: { schemas: { Order: { type: 'object' } } },
    });
    const key = { type: 'apiKey', in: 'header', name: 'x-key' } as const;
    expect(new OpenApiSpec('T', '1').addSecurityScheme('key', key).addSecurity([]).toJSON()).toEqual({
      openapi: '3.0.0',
      info: { title: 'T', version: '1' },
      security: [],
      paths: {},
      components: { securitySchemes: { key } },
    });
  });

  it('is sorted, so that it does not change with the order of what is added', () => {
    const spec = new OpenApiSpec('T', '1');
    for (const path of ['/b', '/c', '/a']) {
      for (const method of ['put', 'GET', 'post']) spec.addOperation(path, method, operation);
    }
    for (const name of ['b', 'c', 'a']) {
      spec.addSchema(name, {}).addSecurityScheme(name, { type: 'http', scheme: 'bearer' });
    }
    const { paths, components } = spec.toJSON();
    expect(Object.keys(paths)).toEqual(['/a', '/b', '/c']);
    expect(Object.keys(paths['/a'] ?? {})).toEqual(['get', 'post', 'put']);
    expect(Object.keys(components?.schemas ?? {})).toEqual(['a', 'b', 'c']);
    expect(Object.keys(components?.securitySchemes ?? {})).toEqual(['a', 'b', 'c']);
  });

  it('has the parameters of a path, and a body only where there is one', () => {
    const { paths } = new OpenApiSpec('T', '1')
      .addEndpoint('/users/:id/files/*path', 'GET', 'A file', undefined, 'string')
      .addEndpoint('/v1/a:b', 'POST', 'No parameter', '{ n: number }', 'void')
      .toJSON();
    const json = (schema: object) => ({ 'application/json': { schema } });
    const parameter = (name: string) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    });
    expect(paths).toEqual({
      '/users/{id}/files/{path}': {
        get: {
          summary: 'A file',
          parameters: [parameter('id'), parameter('path')],
          responses: { 200: { description: 'Success', content: json({ type: 'string' }) } },
        },
      },
      '/v1/a:b': {
        post: {
          summary: 'No parameter',
          requestBody: {
            required: true,
            content: json({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }),
          },
          responses: {
            200: {
              description: 'Success',
              content: json({ type: 'string', nullable: true, enum: [null] }),
            },
          },
        },
      },
    });
  });

  it.each<[string, () => unknown, string]>([
    [
      'an unknown method',
      () => new OpenApiSpec('T', '1').addOperation('/', 'LINK', operation),
      "no method 'LINK'",
    ],
    [
      'a path without a slash',
      () => new OpenApiSpec('T', '1').addOperation(':id', 'GET', operation),
      "begin it with a slash: '/:id'",
    ],
    [
      'an operation that is there',
      () =>
        new OpenApiSpec('T', '1')
          .addOperation('/:a', 'GET', operation)
          .addOperation('/{a}', 'get', operation),
      'GET /{a} is in the document already',
    ],
    [
      'a name that OpenAPI does not allow',
      () => new OpenApiSpec('T', '1').addSchema('a b', {}),
      "the schema name 'a b'",
    ],
    ['an empty address', () => new OpenApiSpec('T', '1').addServer(''), 'addServer'],
  ])('refuses %s', (_, make, message) => {
    expect(make).toThrow(message);
    expect(make).toThrow(ConfigError);
  });
});

it('says what a schema describes that cannot be written, with the reason', () => {
  const twice = openApiError('FW_OPENAPI_TYPE_TWICE', 'there is another');
  expect('cause' in twice).toBe(false);
  expect(schemaError('the body', twice)).toMatchObject({
    code: 'FW_OPENAPI_TYPE_TWICE',
    message: expect.stringContaining('the body: there is another'),
    cause: twice,
  });
  const other = openApiError('FW_OPENAPI_PATH', 'no');
  for (const error of [other, new TypeError('no')]) {
    expect(schemaError('the body', error)).toMatchObject({ code: 'FW_OPENAPI_SCHEMA', cause: error });
  }
});

it('has each reason of a refusal once, with the body of errors', () => {
  const found = refusals([
    { errors: { 401: 'Nobody.', 403: 'Not you.' } },
    {},
    { errors: { 401: 'Nobody.', 403: 'Nor you.' } },
  ]);
  const content = {
    'application/json': {
      schema: {
        type: 'object',
        properties: { error: { type: 'string' }, message: { type: 'string' } },
        required: ['error', 'message'],
      },
    },
  };
  expect(found).toEqual({
    401: { description: 'Nobody.', content },
    403: { description: 'Not you. Nor you.', content },
  });
});
