import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, describe, expect, it } from 'vitest';
import type { ExtractorDescription, SecuritySchemes } from '../extract/description.js';
import { parseType } from '../wire/read/parse-type.js';
import type { WireTypes } from '../wire/wire-type.js';
import { OpenApiBuilder, OpenApiSpec } from './openapi-spec.js';
import { registryOpenApi } from './registry-openapi.js';

const directory = mkdtempSync(join(tmpdir(), 'fw-openapi-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The problems that two validators find. */
async function problems(spec: OpenApiSpec): Promise<string[]> {
  const { valid, errors } = await new Validator().validate(JSON.parse(spec.toJson()));
  const config = await createConfig({ rules: { struct: 'error', 'no-invalid-schema-examples': 'error' } });
  const linted = await lintFromString({ source: spec.toJson(), config });
  return [
    ...(valid ? [] : [JSON.stringify(errors)]),
    ...linted.map(({ message, location }) => `${location[0]?.pointer}: ${message}`),
  ];
}

const types: WireTypes = {
  named: {
    User: parseType('{ id: string; name: string | null; boss?: User; role: Role }'),
    Role: parseType("'admin' | 'user'"),
    Cat: parseType("{ kind: 'cat'; lives: number }"),
    Dog: parseType("{ kind: 'dog'; name: string }"),
  },
  procedures: {
    getUser: {
      kind: 'query',
      input: parseType('{ id: string; verbose?: boolean }'),
      output: parseType('User'),
    },
    pets: { kind: 'query', input: parseType('void'), output: parseType('Array<Cat | Dog>') },
    save: { kind: 'mutation', input: parseType('{ user: User; at?: string }'), output: parseType('void') },
    pair: {
      kind: 'mutation',
      input: parseType('[number, string?]'),
      output: parseType('Record<string, User | null>'),
    },
  },
};
const options = { title: 'Shop', version: '2.1.0', basePath: '/api', origin: 'http://127.0.0.1:3000' };

it('the validators find mistakes', async () => {
  const broken = new OpenApiSpec('Shop', '1.0.0').addSchema('Broken', { type: 'strin', nullable: true });
  expect(await problems(broken)).not.toEqual([]);
});

describe('a registry', () => {
  it('in REST mode has a path for each procedure', async () => {
    const spec = registryOpenApi(types, { ...options, mode: 'rest', access: [], security: [] });
    const { openapi, info, servers, paths, components } = spec.toJSON();
    expect({ openapi, info, servers }).toEqual({
      openapi: '3.0.0',
      info: { title: 'Shop', version: '2.1.0' },
      servers: [{ url: 'http://127.0.0.1:3000/api' }],
    });
    expect(Object.keys(paths)).toEqual(['/getUser', '/pair', '/pets', '/save']);
    expect(paths['/getUser']).toEqual({
      get: {
        operationId: 'getUser',
        parameters: [
          { name: 'id', in: 'query', required: true, schema: { type: 'string' } },
          { name: 'verbose', in: 'query', required: false, schema: { type: 'boolean' } },
        ],
        responses: {
          200: {
            description: 'Success',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
          },
          400: { description: 'The input is invalid.', content: expect.anything() },
        },
      },
    });
    expect(paths['/save']?.post?.requestBody).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { type: 'object', required: ['user'] } } },
    });
    expect(Object.keys(components?.schemas ?? {})).toEqual(['Cat', 'Dog', 'Role', 'User']);
    expect(await problems(spec)).toEqual([]);
  });

  it('has each parameter of a query once, required if every member of a union requires it', async () => {
    const query = (input: string): WireTypes => ({
      named: { Cat: parseType("{ kind: 'cat'; lives: number }") },
      procedures: { find: { kind: 'query', input: parseType(input), output: parseType('string') } },
    });
    const parametersOf = async (input: string) => {
      const spec = registryOpenApi(query(input), { ...options, mode: 'rest', access: [], security: [] });
      expect(await problems(spec)).toEqual([]);
      return spec
        .toJSON()
        .paths['/find']?.get?.parameters?.map(({ name, required, schema }) => [name, required, schema]);
    };
    expect(await parametersOf("Cat | { kind: 'dog'; name: string; lives?: string }")).toEqual([
      ['kind', true, { type: 'string', enum: ['cat', 'dog'] }],
      ['lives', false, { anyOf: [{ type: 'number' }, { type: 'string' }] }],
      ['name', false, { type: 'string' }],
    ]);
    expect(await parametersOf('{ a: string } | undefined')).toEqual([['a', false, { type: 'string' }]]);
  });

  it('requires no body if the input of a mutation is optional', () => {
    const bodyOf = (input: string) => {
      const types = {
        named: {},
        procedures: { a: { kind: 'mutation', input: parseType(input), output: parseType('void') } as const },
      };
      return registryOpenApi(types, { ...options, mode: 'rest', access: [], security: [] }).toJSON().paths[
        '/a'
      ]?.post?.requestBody;
    };
    expect(bodyOf('{ a: string } | undefined')).toMatchObject({ required: false });
    expect(bodyOf('{ a: string } | null')).toMatchObject({ required: false });
    expect(bodyOf('{ a: string }')).toMatchObject({ required: true });
    expect(bodyOf('void')).toBeUndefined();
  });

  it('in JSON-RPC mode has one path with all procedures', async () => {
    const spec = registryOpenApi(types, {
      ...options,
      basePath: '',
      mode: 'jsonrpc',
      access: [],
      security: [],
    });
    const { paths } = spec.toJSON();
    expect(Object.keys(paths)).toEqual(['/rpc']);
    expect(paths['/rpc']?.post?.requestBody?.content['application/json']?.schema).toMatchObject({
      properties: { method: { type: 'string', enum: ['getUser', 'pair', 'pets', 'save'] } },
      required: ['method'],
    });
    expect(await problems(spec)).toEqual([]);
  });

  it('keeps the declared errors of a status with which guards refuse too', async () => {
    const errors = {
      expired: { data: parseType('{ since: string }'), status: 401, description: 'It was too long ago.' },
      missing: { data: parseType('void'), status: 404 },
    };
    const input = parseType('{ id: string }');
    const procedures = {
      read: { kind: 'query', input, output: parseType('void'), errors },
      write: { kind: 'mutation', input, output: parseType('void'), errors },
    } as const;
    const refuses = { errors: { 401: 'Nobody is signed in.', 403: 'The scope is missing.', 404: 'No.' } };
    const around = { isRequired: true, alternatives: [], errors: [refuses] };
    const access = (['read', 'write'] as const).map((name) => ({
      ...{ kind: procedures[name].kind, name, describes: [refuses], place: () => '' },
    }));
    for (const mounted of [
      undefined,
      { procedures: new Map(access.map(({ name }) => [name, around])), route: around },
    ]) {
      const spec = registryOpenApi(
        { named: {}, procedures },
        { ...options, mode: 'rest', access, security: [], mounted },
      );
      const { paths } = spec.toJSON();
      for (const operation of [paths['/read']?.get, paths['/write']?.post]) {
        expect(Object.keys(operation?.responses ?? {})).toEqual(['200', '400', '401', '403', '404']);
        expect(operation?.responses[401]).toMatchObject({
          description: 'expired: It was too long ago.',
          content: { 'application/json': { schema: { required: ['error', 'message', 'code', 'data'] } } },
        });
        expect(operation?.responses[403]?.description).toBe('The scope is missing.');
        expect(operation?.responses[404]?.description).toBe('missing: missing');
      }
      expect(await problems(spec)).toEqual([]);
    }
  });

  describe('that is mounted', () => {
    const bearer = { bearer: { type: 'http', scheme: 'bearer' } } as const;
    const key = { key: { type: 'apiKey', in: 'header', name: 'x-api-key' } } as const;
    const procedures = {
      read: { kind: 'query', input: parseType('void'), output: parseType('void') },
    } as const;
    const securityOf = (
      around: { isRequired: boolean; alternatives: readonly SecuritySchemes[] } | undefined,
      describes: readonly ExtractorDescription[] = [],
      mode: 'rest' | 'jsonrpc' = 'rest',
    ) => {
      const asked = around && { ...around, errors: [] };
      const open = { isRequired: false, alternatives: [], errors: [] };
      const mounted = asked && { procedures: new Map([['read', asked]]), route: open };
      const access = [{ kind: 'query' as const, name: 'read', describes, place: () => '' }];
      const given = { ...options, mode, access, security: [key], mounted };
      const { paths } = registryOpenApi({ named: {}, procedures }, given).toJSON();
      return (mode === 'rest' ? paths['/read']?.get : paths['/rpc']?.post)?.security;
    };
    const own = (authenticates: 'required' | 'optional'): ExtractorDescription => ({
      authenticates,
      security: key,
    });

    it('asks for what is asked where it is mounted, and for what was said of it where that is not known', () => {
      expect(securityOf({ isRequired: true, alternatives: [bearer] })).toEqual([{ bearer: [] }]);
      expect(securityOf({ isRequired: true, alternatives: [] })).toEqual([{ key: [] }]);
      expect(securityOf({ isRequired: false, alternatives: [bearer] })).toEqual([{ bearer: [] }, {}]);
      expect(securityOf({ isRequired: false, alternatives: [] })).toBeUndefined();
      expect(securityOf(undefined, [{ requires: {} }])).toEqual([{ key: [] }]);
      expect(securityOf(undefined)).toBeUndefined();
    });

    it('has its own methods among those once', () => {
      for (const authenticates of ['required', 'optional'] as const) {
        expect(securityOf({ isRequired: true, alternatives: [bearer] }, [own(authenticates)])).toEqual([
          { bearer: [] },
        ]);
      }
      expect(securityOf(undefined, [own('required')])).toEqual([{ key: [] }]);
    });

    it('in JSON-RPC mode accepts what any procedure asks for, and nobody', () => {
      const around = { isRequired: true, alternatives: [bearer] };
      expect(securityOf(around, [], 'jsonrpc')).toEqual([{ bearer: [] }, {}]);
    });
  });

  it('in JSON-RPC mode takes a form if a procedure takes files', () => {
    const typesOf = (input: string) => {
      const a = { kind: 'mutation', input: parseType(input), output: parseType('void') } as const;
      const given = { ...options, mode: 'jsonrpc', access: [], security: [] } as const;
      const { paths } = registryOpenApi({ named: {}, procedures: { a } }, given).toJSON();
      return Object.keys(paths['/rpc']?.post?.requestBody?.content ?? {});
    };
    expect(typesOf('{ name: string }')).toEqual(['application/json']);
    expect(typesOf('{ photo: File }')).toEqual(['application/json', 'multipart/form-data']);
  });

  it('in JSON-RPC mode says how a subscription answers, if there is one', async () => {
    const answers = (kind: 'query' | 'subscription') => {
      const procedures = { a: { kind, input: parseType('void'), output: parseType('number') } };
      const given = { ...options, mode: 'jsonrpc', access: [], security: [] } as const;
      return registryOpenApi({ named: {}, procedures }, given).toJSON().paths['/rpc']?.post?.responses[200];
    };
    expect(answers('query')?.description).toBe('Success');
    expect(Object.keys(answers('query')?.content ?? {})).toEqual(['application/json']);
    expect(answers('subscription')?.description).toMatch(
      /^Success\. A subscription sends server-sent events/,
    );
    expect(answers('subscription')?.content?.['text/event-stream']?.schema).toEqual({
      anyOf: [{ type: 'number' }],
    });
  });

  it('has the status and the data of declared errors, and refuses an input if there is one', () => {
    const responsesOf = (input: string, data: string) => {
      const errors = { gone: { data: parseType(data) } };
      const a = { kind: 'mutation', input: parseType(input), output: parseType('void'), errors } as const;
      const given = { ...options, mode: 'rest', access: [], security: [] } as const;
      return registryOpenApi({ named: {}, procedures: { a } }, given).toJSON().paths['/a']?.post?.responses;
    };
    const schemaOf = (responses: ReturnType<typeof responsesOf>) =>
      responses?.[400]?.content?.['application/json']?.schema;
    const two = {
      gone: { data: parseType('void'), status: 410, description: 'It was deleted.' },
      moved: { data: parseType('void'), status: 410 },
    };
    const a = { kind: 'query', input: parseType('void'), output: parseType('void'), errors: two } as const;
    const given = { ...options, mode: 'rest', access: [], security: [] } as const;
    const { paths } = registryOpenApi({ named: {}, procedures: { a } }, given).toJSON();
    expect(paths['/a']?.get?.responses[410]?.description).toBe('gone: It was deleted.\n\nmoved: moved');
    const without = responsesOf('void', 'void');
    expect(Object.keys(without ?? {})).toEqual(['200', '400']);
    expect(schemaOf(without)).toMatchObject({ required: ['error', 'message', 'code'] });
    expect(schemaOf(responsesOf('void', 'string | undefined'))).toMatchObject({
      required: ['error', 'message', 'code'],
    });
    expect(schemaOf(responsesOf('void', 'string'))).toMatchObject({
      required: ['error', 'message', 'code', 'data'],
    });
    expect(schemaOf(responsesOf('string', 'void'))).toMatchObject({
      oneOf: [
        { properties: { error: { enum: ['gone'] } } },
        { properties: { error: { enum: expect.anything() } } },
      ],
    });
  });

  it('without procedures has a valid document', async () => {
    const none = { named: {}, procedures: {} };
    expect(
      await problems(registryOpenApi(none, { ...options, mode: 'rest', access: [], security: [] })),
    ).toEqual([]);
  });
});

describe('OpenApiSpec', () => {
  it('is built from endpoints whose types are strings or names', async () => {
    const spec = new OpenApiBuilder()
      .title('Shop')
      .version('1.0.0')
      .build()
      .addServer('https://shop.example')
      .addEndpoint('/users/:id', 'GET', 'One user', undefined, 'User')
      .addEndpoint('/users', 'post', 'A new user', '{ name: string; tags?: string[] }', 'User')
      .addSchema('User', { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] });
    const { paths } = spec.toJSON();
    expect(paths['/users/{id}']?.get).toEqual({
      summary: 'One user',
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      responses: {
        200: {
          description: 'Success',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
        },
      },
    });
    expect(paths['/users']?.post?.requestBody?.content['application/json']?.schema).toMatchObject({
      required: ['name'],
      properties: { tags: { type: 'array', items: { type: 'string' } } },
    });
    expect(JSON.stringify(spec)).toBe(JSON.stringify(JSON.parse(spec.toJson())));
    expect(await problems(spec)).toEqual([]);
  });

  it('is sorted by paths, methods, schemas and schemes, in whatever order they were added', () => {
    const spec = new OpenApiSpec('Shop', '1.0.0');
    for (const path of ['/b', '/a']) {
      for (const method of ['PUT', 'GET', 'DELETE']) spec.addEndpoint(path, method, '', undefined, 'string');
    }
    for (const name of ['B', 'A']) {
      spec.addSchema(name, {}).addSecurityScheme(name, { type: 'http', scheme: 'basic' });
    }
    const { paths, components } = spec.toJSON();
    expect(Object.keys(paths)).toEqual(['/a', '/b']);
    expect(Object.values(paths).map(Object.keys)).toEqual(Array(2).fill(['delete', 'get', 'put']));
    expect([components?.schemas, components?.securitySchemes].map((one) => Object.keys(one ?? {}))).toEqual(
      Array(2).fill(['A', 'B']),
    );
  });

  it('says that an operation requires nothing, unlike one that says nothing of it', () => {
    expect(new OpenApiSpec('Shop', '1').addSecurity([]).toJSON().security).toEqual([]);
    expect(new OpenApiSpec('Shop', '1').addSecurity(['a', 'b']).toJSON().security).toEqual([
      { a: [], b: [] },
    ]);
    expect(new OpenApiSpec('Shop', '1').toJSON()).not.toHaveProperty('security');
  });

  it('is written if its text changed', async () => {
    const file = join(directory, 'docs/openapi.json');
    const spec = new OpenApiSpec('Shop', '1.0.0');
    await spec.writeToFile(file);
    const { mtimeNs } = statSync(file, { bigint: true });
    await spec.writeToFile(file);
    expect(statSync(file, { bigint: true }).mtimeNs).toBe(mtimeNs);
    expect(readFileSync(file, 'utf8')).toBe(spec.toJson());
    await spec.addEndpoint('/', 'GET', 'Home', undefined, 'string').writeToFile(file);
    expect(readFileSync(file, 'utf8')).toContain('"Home"');
  });

  it('is written to the target of a symbolic link, and to a named pipe', async () => {
    const spec = new OpenApiSpec('Shop', '1.0.0');
    const [file, link] = [join(directory, 'linked.json'), join(directory, 'link.json')];
    writeFileSync(file, '');
    symlinkSync(file, link);
    await spec.writeToFile(link);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(spec.toJson());
    if (process.platform === 'win32') return;
    const pipe = join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [text] = await Promise.all([readFile(pipe, 'utf8'), spec.writeToFile(pipe)]);
    expect(text).toBe(spec.toJson());
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  it.each([
    [() => new OpenApiSpec('', '1'), "OpenAPI requires a title, got ''"],
    [
      () => new OpenApiSpec('Shop', undefined as unknown as string),
      'OpenAPI requires a version, got undefined',
    ],
    [
      (spec: OpenApiSpec) => spec.addEndpoint('a/b', 'GET', '', undefined, 'string'),
      "begin it with a slash: '/a/b'",
    ],
    [(spec: OpenApiSpec) => spec.addEndpoint('/', 'FETCH', '', undefined, 'string'), "no method 'FETCH'"],
    [
      (spec: OpenApiSpec) => spec.addEndpoint('/a', 'GET', '', undefined, 'string'),
      'GET /a is in the document already',
    ],
    [(spec: OpenApiSpec) => spec.addEndpoint('/b', 'GET', '', undefined, '{ a: '), 'expected'],
    [(spec: OpenApiSpec) => spec.addSchema('a b', {}), "the schema name 'a b' is not possible"],
  ])('refuses what OpenAPI cannot express: %#', (add, message) => {
    const spec = new OpenApiSpec('Shop', '1.0.0').addEndpoint('/a', 'GET', '', undefined, 'string');
    expect(() => add(spec)).toThrow(message);
  });
});
