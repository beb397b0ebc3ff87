// A document may be wrong in any place: every operation of it is shown nevertheless.
import { expect, it } from 'vitest';
import { exampleOf, initialOf } from '../wire/made-value.js';
import { Api } from './api.js';
import { clientText } from './code-client.js';
import { curlText } from './code-curl.js';
import { fetchText } from './code-fetch.js';
import { secretsFor } from './credentials.js';
import { parameterKey, planOf } from './request-plan.js';
import { checkOf } from './type-space.js';
import { typeText } from './type-text.js';

const schema = { $ref: '#/components/schemas/Pet' };
const document = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1', description: 'All *pets*.' },
  servers: [{ url: '/v{n}', variables: { n: { default: '1' } } }],
  tags: [{ name: 'pets' }],
  security: [{ key: ['read'] }],
  paths: {
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }],
      get: {
        tags: ['pets'],
        summary: 'One pet',
        parameters: [
          {
            name: 'f',
            in: 'query',
            style: 'deepObject',
            schema: { type: 'object', properties: { a: { type: 'string' } } },
          },
          {
            name: 'j',
            in: 'cookie',
            content: { 'application/json': { schema } },
            examples: { one: { value: {} } },
          },
        ],
        responses: {
          200: {
            description: 'ok',
            headers: { 'X-A': { schema: { type: 'string' } } },
            content: { 'application/json': { schema, example: {} } },
          },
        },
      },
      post: {
        requestBody: { required: true, content: { 'multipart/form-data': { schema }, 'text/plain': {} } },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    schemas: {
      Pet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: {
            type: 'string',
            minLength: 1,
            maxLength: 9,
            pattern: '^a',
            format: 'email',
            enum: ['a', 'b'],
            default: 'a',
          },
          all: {
            allOf: [
              { $ref: '#/components/schemas/Pet' },
              { type: 'object', additionalProperties: { type: 'number' } },
            ],
          },
          one: {
            oneOf: [schema, { type: 'array', items: { type: 'number', multipleOf: 2 }, minItems: 1 }],
            discriminator: { propertyName: 'name' },
          },
          two: { type: ['string', 'null'], prefixItems: [{}], nullable: true, example: 'x' },
        },
      },
    },
  },
};

/** All of what the page makes of a document, without the view. */
function show(broken: unknown): number {
  const url = 'http://here.example/docs/api.json';
  const description = { registries: [], sockets: [], socketTypes: {}, access: {}, schemes: {}, csrf: null };
  const api = new Api({ ...description, document: broken, hasClient: true }, url);
  for (const operation of api.operations) {
    const detail = api.detail(operation);
    const { parameters, bodies, answers, inputs, outputs } = detail;
    for (const one of [
      ...parameters,
      ...bodies,
      ...answers.flatMap((answer) => [...answer.bodies, ...answer.headers]),
    ]) {
      for (const lookup of [inputs, outputs]) {
        typeText(one.type);
        checkOf(one.type, lookup)(exampleOf(one.type, lookup));
        initialOf(one.type, lookup);
      }
    }
    const values = parameters.map((one) => [parameterKey(one), exampleOf(one.type, inputs)] as const);
    const [body] = bodies;
    const filled = {
      parameters: Object.fromEntries(values),
      body: body && exampleOf(body.type, inputs),
      mediaType: body?.mediaType ?? '',
    };
    const secrets = secretsFor(detail.access, api.schemes, { key: 'k' });
    const plan = planOf(detail, filled, secrets, url);
    curlText(plan, true);
    fetchText(plan, false);
    clientText(detail, filled, secrets, 'http://here.example', false);
  }
  return api.operations.length;
}

const WRONG: readonly unknown[] = [
  null,
  7,
  '',
  'x',
  true,
  [],
  {},
  [null],
  { $ref: '#/paths' },
  { $ref: '#' },
];

/** Copies with one value replaced, each in another place. */
function* broken(value: unknown): Generator<unknown> {
  yield* WRONG;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    for (const one of broken(inner)) {
      yield Array.isArray(value)
        ? value.map((item, index) => (String(index) === key ? one : item))
        : { ...value, [key]: one };
    }
  }
}

it('shows every operation, whatever is wrong in a document', () => {
  expect(show(document)).toBe(2);
  let count = 0;
  for (const one of broken(document)) {
    try {
      show(one);
    } catch (error) {
      throw new Error(`for ${JSON.stringify(one)}`, { cause: error });
    }
    count += 1;
  }
  expect(count).toBeGreaterThan(1_000);
});
