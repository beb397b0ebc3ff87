// The whole documents of a small registry, over REST and over JSON-RPC.
import { describe, expect, it } from 'vitest';
import { parseType } from '../wire/read/parse-type.js';
import type { WireTypes } from '../wire/wire-type.js';
import { type RegistryOpenApiOptions, registryOpenApi } from './registry-openapi.js';

const bearer = { type: 'http', scheme: 'bearer' } as const;
const key = { type: 'apiKey', in: 'header', name: 'x-key' } as const;
const types: WireTypes = {
  named: { Order: parseType('{ id: string }') },
  procedures: {
    orders: {
      kind: 'query',
      input: {
        kind: 'union',
        members: [
          {
            kind: 'object',
            fields: [
              { name: 'page', type: { kind: 'number' }, isOptional: false, description: 'From 1 on.' },
              { name: 'size', type: { kind: 'number' }, isOptional: true },
            ],
          },
          { kind: 'void' },
        ],
      },
      output: parseType('Order[]'),
      description: 'Lists.',
      tags: ['shop'],
    },
    buy: {
      kind: 'mutation',
      input: parseType('{ id: string }'),
      output: parseType('Order'),
      errors: { SoldOut: { data: parseType('void'), status: 409, code: 7 } },
    },
    cancel: {
      kind: 'mutation',
      input: parseType('string | undefined'),
      output: parseType('void'),
      deprecated: 'use buy',
    },
    changes: { kind: 'subscription', input: parseType('void'), output: parseType('string') },
    upload: {
      kind: 'mutation',
      input: { kind: 'object', fields: [{ name: 'file', type: { kind: 'file' }, isOptional: false }] },
      output: parseType('void'),
    },
  },
};

const documentOf = (mode: 'rest' | 'jsonrpc', more: Partial<RegistryOpenApiOptions> = {}, of = types) =>
  registryOpenApi(of, {
    title: 'Shop',
    version: '1',
    basePath: '/api',
    origin: 'https://shop.example',
    mode,
    access: [
      {
        kind: 'mutation',
        name: 'buy',
        describes: [{ requires: {}, errors: { 401: 'Nobody.' } }],
        place: () => '',
      },
    ],
    security: [{ bearer }, { key }],
    ...more,
  }).toJSON();

const text = { type: 'string' };
const order = { $ref: '#/components/schemas/Order' };
const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});
const json = (schema: object) => ({ 'application/json': { schema } });
const answer = (description: string, schema: object) => ({ description, content: json(schema) });
const form = {
  'multipart/form-data': {
    schema: expect.objectContaining({
      type: 'object',
      properties: {
        json: expect.any(Object),
        files: { type: 'array', items: text, description: expect.stringContaining('RFC 6901') },
      },
      required: ['json', 'files'],
      additionalProperties: { type: 'string', format: 'binary', description: expect.any(String) },
    }),
  },
};
const events = expect.stringContaining('A subscription sends server-sent events');
const components = { schemas: { Order: object({ id: text }) }, securitySchemes: { bearer, key } };
const head = {
  openapi: '3.0.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://shop.example/api' }],
};

describe('the document of a registry', () => {
  it('over REST has a path for each procedure', () => {
    const invalid = answer(
      'The input is invalid.',
      object(
        {
          error: { type: 'string', enum: ['BadRequest', 'ValidationError'] },
          message: text,
          code: { type: 'integer' },
          issues: {
            type: 'array',
            items: object({ path: { type: 'array', items: {} }, message: text }),
          },
        },
        ['error', 'message'],
      ),
    );
    const parameter = (name: string, more = {}) => ({
      name,
      in: 'query',
      required: false,
      schema: { type: 'number' },
      ...more,
    });
    const document = documentOf('rest');
    expect(document).toEqual({
      ...head,
      paths: {
        '/buy': {
          post: {
            operationId: 'buy',
            requestBody: { required: true, content: json(object({ id: text })) },
            responses: {
              200: answer('Success', order),
              400: invalid,
              401: answer('Nobody.', object({ error: text, message: text })),
              409: answer(
                'SoldOut: SoldOut',
                object({
                  error: { type: 'string', enum: ['SoldOut'] },
                  message: text,
                  code: { type: 'integer', enum: [7] },
                }),
              ),
            },
            security: [{ bearer: [] }, { key: [] }],
          },
        },
        '/cancel': {
          post: {
            operationId: 'cancel',
            description: 'Deprecated: use buy',
            deprecated: true,
            requestBody: { required: false, content: json(text) },
            responses: { 200: answer('Success', {}), 400: invalid },
          },
        },
        '/changes': {
          get: {
            operationId: 'changes',
            responses: { 200: { description: events, content: { 'text/event-stream': { schema: text } } } },
          },
        },
        '/orders': {
          get: {
            operationId: 'orders',
            description: 'Lists.',
            tags: ['shop'],
            parameters: [parameter('page', { description: 'From 1 on.' }), parameter('size')],
            responses: { 200: answer('Success', { type: 'array', items: order }), 400: invalid },
          },
        },
        '/upload': {
          post: {
            operationId: 'upload',
            requestBody: { required: true, content: form },
            responses: { 200: answer('Success', {}), 400: invalid },
          },
        },
      },
      components,
    });
    expect(Object.keys(document.paths)).toEqual(['/buy', '/cancel', '/changes', '/orders', '/upload']);
  });

  it('over JSON-RPC has one path, whose messages name a procedure', () => {
    const id = { anyOf: [{ type: 'string', nullable: true }, { type: 'number' }] };
    const jsonrpc = { type: 'string', enum: ['2.0'] };
    const method = { type: 'string', enum: ['buy', 'cancel', 'changes', 'orders', 'upload'] };
    const page = object({ page: { type: 'number' }, size: { type: 'number' } }, ['page']);
    const document = documentOf('jsonrpc');
    expect(document).toEqual({
      ...head,
      paths: {
        '/rpc': {
          post: {
            operationId: 'rpc',
            requestBody: {
              required: true,
              content: {
                ...json(
                  object(
                    {
                      jsonrpc,
                      method,
                      params: {
                        anyOf: [
                          object({ id: text }),
                          text,
                          { ...page, properties: expect.any(Object) },
                          object({ file: { type: 'string', format: 'binary' } }),
                        ],
                      },
                      id,
                    },
                    ['method'],
                  ),
                ),
                ...form,
              },
            },
            responses: {
              200: {
                description: expect.stringMatching(/^Success\. A subscription sends/),
                content: {
                  ...json(
                    object(
                      {
                        jsonrpc,
                        result: { anyOf: [order, { type: 'array', items: order }] },
                        error: object(
                          {
                            code: { type: 'integer' },
                            message: text,
                            name: { type: 'string', enum: ['SoldOut'] },
                            data: {},
                          },
                          ['code', 'message'],
                        ),
                        id,
                      },
                      [],
                    ),
                  ),
                  'text/event-stream': { schema: { anyOf: [text] } },
                },
              },
              204: { description: 'Nothing to answer: notifications only' },
            },
          },
        },
      },
      components: { schemas: components.schemas },
    });
  });

  it('over JSON-RPC has neither events nor files where there are none', () => {
    const { changes: _changes, upload: _upload, buy: _buy, ...procedures } = types.procedures;
    const { post } = documentOf('jsonrpc', {}, { ...types, procedures }).paths['/rpc'] ?? {};
    expect(post?.responses[200]?.description).toBe('Success');
    expect(Object.keys(post?.responses[200]?.content ?? {})).toEqual(['application/json']);
    expect(Object.keys(post?.requestBody?.content ?? {})).toEqual(['application/json']);
    const schema = post?.responses[200]?.content?.['application/json']?.schema as {
      properties: { error: { properties: object } };
    };
    expect('name' in schema.properties.error.properties).toBe(false);
    const nothing = documentOf('jsonrpc', {}, { named: {}, procedures: {} }).paths['/rpc']?.post;
    const body = nothing?.requestBody?.content?.['application/json']?.schema as unknown;
    expect(body).toMatchObject({ properties: { params: {}, method: { enum: [] } } });
  });

  it('says who may call where the registry is mounted', () => {
    const asked = (isRequired: boolean) => ({
      isRequired,
      alternatives: [{ key }],
      errors: [{ errors: { 429: 'Too often.' } }],
    });
    const mounted = (isRequired: boolean) => ({
      procedures: new Map([['buy', asked(isRequired)]]),
      route: { isRequired, alternatives: [{ bearer }], errors: [{ errors: { 401: 'Nobody.' } }] },
    });
    const rest = (isRequired: boolean) =>
      documentOf('rest', { mounted: mounted(isRequired) }).paths['/buy']?.post;
    expect(rest(true)?.security).toEqual([{ key: [] }]);
    expect(rest(false)?.security).toEqual([{ key: [] }, {}]);
    expect(Object.keys(rest(true)?.responses ?? {})).toEqual(['200', '400', '401', '409', '429']);
    const rpc = (isRequired: boolean) => documentOf('jsonrpc', { mounted: mounted(isRequired) });
    expect(rpc(true).paths['/rpc']?.post?.security).toEqual([{ bearer: [] }]);
    expect(rpc(false).paths['/rpc']?.post?.security).toEqual([{ bearer: [] }, { key: [] }, {}]);
    expect(rpc(true).paths['/rpc']?.post?.responses[401]).toEqual(
      answer('Nobody.', object({ error: text, message: text })),
    );
    expect(rpc(false).components?.securitySchemes).toEqual({ bearer, key });
    expect(rpc(true).components?.securitySchemes).toEqual({ bearer });
  });
});
