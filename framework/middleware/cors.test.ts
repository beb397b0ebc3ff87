// CORS: who may read, and what a preflight is.
import { describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import type { Middleware } from '../context/handlers.js';
import { Cors, cors } from './cors.js';

const here = 'https://app.example';

async function ask(middleware: Middleware, headers: Record<string, string>, method = 'GET', path = '/') {
  const app = new App()
    .use(middleware)
    .get('/', () => 'x')
    .options('/own', () => 'own');
  const response = await app.fetch(new Request(`https://x${path}`, { method, headers }));
  const fields = Object.fromEntries(response.headers);
  return { status: response.status, text: await response.text(), fields };
}

const allowed = 'access-control-allow-origin';

describe('the origins of cors', () => {
  const other = 'https://other.example';

  it('are all by default, and one or a list if they are named', async () => {
    const letsIn = async (middleware: Middleware) => {
      const answers = await Promise.all([here, other].map((origin) => ask(middleware, { origin })));
      return answers.map(({ fields }) => fields[allowed]);
    };
    expect(await letsIn(cors())).toEqual(['*', '*']);
    expect(await letsIn(cors({ origin: '*' }))).toEqual(['*', '*']);
    expect(await letsIn(cors({ origin: here }))).toEqual([here, undefined]);
    expect(await letsIn(cors({ origin: [other, here] }))).toEqual([here, other]);
    expect(await letsIn(cors({ origin: [] }))).toEqual([undefined, undefined]);
    expect(await letsIn(new Cors().allowOrigin(here).build())).toEqual([here, undefined]);
  });

  it('get no cookies by default, and may name * for methods and fields then', async () => {
    const { fields } = await ask(cors({ origin: here, allowMethods: ['*'], exposeHeaders: ['*'] }), {
      origin: here,
    });
    expect(fields).not.toHaveProperty('access-control-allow-credentials');
    expect(fields['access-control-expose-headers']).toBe('*');
  });
});

describe('a function of cors', () => {
  it.each([1, 'yes', {}, here])('lets nobody in by %j, which is not true', async (answer) => {
    for (const origin of [() => answer, async () => answer]) {
      const { fields } = await ask(cors({ origin: origin as never }), { origin: here });
      expect(fields).not.toHaveProperty(allowed);
      expect(fields.vary).toBe('Origin');
    }
  });

  it('gets the origin and the context of the request', async () => {
    const ofTenant = cors({
      origin: (origin, ctx) => origin === `https://${ctx.req.header('x-tenant')}.example`,
      credentials: true,
    });
    const { fields } = await ask(ofTenant, { origin: here, 'x-tenant': 'app' });
    expect(fields[allowed]).toBe(here);
    const other = await ask(ofTenant, { origin: here, 'x-tenant': 'other' });
    expect(other.fields).not.toHaveProperty(allowed);
    expect(other.fields).not.toHaveProperty('access-control-allow-credentials');
  });

  it('is not asked without an Origin', async () => {
    const all = cors({ origin: () => true });
    expect((await ask(all, {})).fields).not.toHaveProperty(allowed);
  });
});

describe('a preflight', () => {
  const asks = { 'access-control-request-method': 'PUT' };

  it('needs an Origin and a method, otherwise the application answers OPTIONS', async () => {
    for (const headers of [{ origin: here }, asks]) {
      const { status, text, fields } = await ask(cors(), headers as never, 'OPTIONS', '/own');
      expect([status, text]).toEqual([200, 'own']);
      expect(fields).not.toHaveProperty('access-control-allow-methods');
    }
    const preflight = await ask(cors(), { origin: here, ...asks }, 'OPTIONS', '/own');
    expect([preflight.status, preflight.text]).toEqual([204, '']);
  });

  it('is answered with a few methods and fields by default', async () => {
    const { fields } = await ask(cors(), { origin: here, ...asks }, 'OPTIONS');
    expect(fields).toMatchObject({
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'Content-Type',
    });
    expect(fields).not.toHaveProperty('access-control-max-age');
    expect(fields).not.toHaveProperty('access-control-expose-headers');
  });

  it('is a request OPTIONS: other methods reach their handlers', async () => {
    const { status, text, fields } = await ask(cors(), { origin: here, ...asks });
    expect([status, text]).toEqual([200, 'x']);
    expect(fields).not.toHaveProperty('access-control-allow-methods');
  });

  it('tells what a builder was told, and other answers what scripts may read', async () => {
    const built = new Cors()
      .allowOrigin([here])
      .allowMethods(['PUT'])
      .allowHeaders(['X-One'])
      .exposeHeaders(['X-Two'])
      .credentials(true)
      .maxAge(0)
      .build();
    const { fields } = await ask(built, { origin: here, ...asks }, 'OPTIONS');
    expect(fields).toMatchObject({
      [allowed]: here,
      'access-control-allow-methods': 'PUT',
      'access-control-allow-headers': 'X-One',
      'access-control-allow-credentials': 'true',
      'access-control-max-age': '0',
    });
    expect(fields).not.toHaveProperty('access-control-expose-headers');
    const actual = (await ask(built, { origin: here })).fields;
    expect(actual).toMatchObject({
      'access-control-expose-headers': 'X-Two',
      'access-control-allow-credentials': 'true',
    });
    expect(actual).not.toHaveProperty('access-control-max-age');
  });

  it('has no field for an empty list', async () => {
    const none = cors({ allowMethods: [], allowHeaders: [] });
    const { fields } = await ask(none, { origin: here, ...asks }, 'OPTIONS');
    expect(fields).not.toHaveProperty('access-control-allow-methods');
    expect(fields).not.toHaveProperty('access-control-allow-headers');
  });
});
