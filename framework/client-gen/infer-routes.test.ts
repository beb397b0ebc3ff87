import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compilers, infer, removeProjects, routeProject } from '../conformance/inferred-project.js';
import { contractText } from '../rpc/contract/contract-text.js';

afterAll(removeProjects);

interface Routes {
  readonly routes?: Readonly<Record<string, object>>;
  readonly named: Readonly<Record<string, string>>;
}

describe.each(compilers)('routes, with %s', (_name, typescript) => {
  const inferred = async (code: string, others: Readonly<Record<string, string>> = {}) => {
    const directory = routeProject(typescript, code);
    for (const [file, text] of Object.entries(others)) writeFileSync(join(directory, 'src', file), text);
    const types = await infer(directory);
    const { routes = {}, named } = JSON.parse(contractText(types)) as Routes;
    const warnings = types.warnings.map(({ place, message }) =>
      `${place.file}:${place.line} ${message}`.replaceAll(`${directory}/src/`, ''),
    );
    return { routes, named, warnings };
  };
  const json = (type: string) => ({ 'application/json': type });
  const answersOf = async (code: string) => {
    const { routes, warnings } = await inferred(code);
    expect(warnings).toEqual([]);
    return Object.fromEntries(
      Object.entries(routes).map(([name, one]) => [name, (one as { answers?: object }).answers]),
    );
  };

  it('answer what their handlers return', async () => {
    const code = `
interface User { id: string; at: Date; tags?: string[] }
type Shape = { kind: 'a' } | { kind: 'b' };
const user = { id: '1', at: new Date() } as User;
const users = [user];
const shape = { kind: 'a' } as Shape;
app
  .get('/users/:id', Path('id'), async (id) => user)
  .put('/users/:id', Path('id'), Ctx, (id, ctx) => Math.random() > 1 ? ctx.json({ reason: id }, 404) : user)
  .post('/users', Ctx, (ctx) => (Math.random() > 1 ? ctx.json(user, 201) : ctx.json(users)))
  .delete('/users/:id', Path('id'), () => {})
  .patch('/users/:id', Path('id'), (id): User | undefined => undefined);
app.get(route('/shape', { tags: [] }), () => shape);
app.get('/either', Ctx, (ctx) => (Math.random() > 1 ? shape : ctx.json({ left: 1 as number }, 410)));
app.get('/text', Ctx, () => 'hello' as string | null);
app.get('/bytes', Ctx, () => new Uint8Array(1));
app.get('/range', Ctx, (ctx) => ctx.json({ a: 'x' as string }, 200 as 200 | 202));
app.get('/scalars', Ctx, () => [1, true, null] as (number | boolean | null)[]);
app.get('/literal', Ctx, () => ({ ok: true, count: 1 }));
`;
    expect(await answersOf(code)).toEqual({
      'GET /users/:id': { 200: json('User') },
      'PUT /users/:id': { 200: json('User'), 404: json('{ reason: string }') },
      'POST /users': { 200: json('User[]'), 201: json('User') },
      'DELETE /users/:id': { 204: {} },
      'PATCH /users/:id': { 200: json('User'), 204: {} },
      'GET /shape': { 200: json('Shape') },
      'GET /either': { 200: json("{ kind: 'a' } | { kind: 'b' }"), 410: json('{ left: number }') },
      'GET /text': { 200: { ...json('null'), 'text/plain': 'string' } },
      'GET /bytes': { 200: { 'application/octet-stream': 'string' } },
      'GET /range': { 200: json('{ a: string }'), 202: json('{ a: string }') },
      'GET /scalars': { 200: json('(boolean | null | number)[]') },
      'GET /literal': { 200: json('{ count: number, ok: true }') },
    });
  });

  it('say nothing of answers that the types do not show, or that the route declares', async () => {
    const code = `
const loose = (ctx: unknown): any => ctx;
function late(ctx: import('./app.js').Context) { ctx.status(201); return { a: 1 as number }; }
app.get('/opaque', Ctx, (ctx) => ctx.text('a'));
app.get('/web', Ctx, () => new Response('a'));
app.get('/any', Ctx, loose);
app.get('/declared', Ctx, () => ({ a: 1 }));
app.get(route('/returns', { returns: {} }), () => ({ a: 1 }));
type Partly = import('./app.js').JsonResponse<{ a: string }, 404> | import('./app.js').FwResponse;
app.get('/partly', Ctx, (ctx): Partly => ctx.text('a'));
app.get('/queued', Ctx, (ctx) => { ctx.status(201); return { a: 1 as number }; });
app.get('/queued/late', Ctx, late);
app.get('/number', Ctx, (ctx) => ctx.json({ a: 1 }, Math.random()));
app.get('/throws', Ctx, (): never => { throw new Error(); });
app.get('/error', Ctx, () => (Math.random() > 1 ? new TypeError() : { a: 1 as number }));
app.get('/plain', () => ({ a: 1 }));
app.get('/buffer', Ctx, () => Buffer.from('a'));
app.options('/one', Ctx, () => 1 as const);
`;
    expect(await answersOf(code)).toEqual({
      'GET /buffer': { 200: { 'application/octet-stream': 'string' } },
      'GET /declared': { 200: json('{ a: number }') },
      'GET /error': { 200: json('{ a: number }') },
      'GET /partly': { '2XX': {}, 404: json('{ a: string }') },
      'GET /queued': { '2XX': json('{ a: number }') },
      'GET /queued/late': { '2XX': json('{ a: number }') },
      'OPTIONS /one': { 200: json('1') },
    });
  });

  it('have the comments of their calls or handlers', async () => {
    const code = `
/**
 * One user. With all fields.
 * @deprecated use /people
 */
app.get('/users/:id', Path('id'), (id) => id)
  /** Lists users. */
  .get('/users', () => [1 as number]);
/** Named. */
function named() { return { a: 1 as number }; }
app.get('/named', named);
/** Described. */
app.get(route('/described', { returns: {} }), () => 1);
/** @internal */
app.get('/internal', () => 1);
`;
    const { routes } = await inferred(code);
    expect(routes).toEqual({
      'GET /users/:id': {
        answers: { 200: { 'text/plain': 'string' } },
        description: 'One user. With all fields.',
        deprecated: 'use /people',
      },
      'GET /users': { answers: { 200: json('number[]') }, description: 'Lists users.' },
      'GET /named': { answers: { 200: json('{ a: number }') }, description: 'Named.' },
      'GET /described': { description: 'Described.' },
    });
  });

  it('are found on every expression that may be an App, with paths that are constants', async () => {
    const code = `
const USERS = '/constant';
const described = route('/described', {});
class Own extends App {}
export const add = (own: App) => own.get('/parameter', Ctx, () => null);
new Own().get('/subclass', Ctx, () => null).get(USERS, Ctx, () => null).get(described, () => null);
new App<'/orgs/:org'>().get('/', Ctx, () => null).get('/users', Ctx, () => null);
new Map([['/a', 1]]).get('/a');
({ get(path: string, a: unknown, b: unknown) {} }).get('/other', 1, () => 1);
`;
    const { routes } = await inferred(code, {
      'users.ts':
        "import { app } from './other.js';\nimport { Ctx } from './app.js';\napp.get('/file', Ctx, () => null);",
      'dotted.ts':
        "import { app } from './other.js';\nimport { Ctx } from './app.js';\nconst PATHS = { dotted: '/dotted' } as const;\napp.get(PATHS.dotted, Ctx, () => null);",
      'other.ts': "import { App } from './app.js';\nexport const app = new App();",
      'a.test.ts':
        "import { app } from './other.js';\nimport { Ctx } from './app.js';\napp.get('/test', Ctx, () => null);",
    });
    expect(Object.keys(routes)).toEqual([
      ...['GET /constant', 'GET /described', 'GET /dotted', 'GET /file', 'GET /orgs/:org'],
      ...['GET /orgs/:org/users', 'GET /parameter', 'GET /subclass'],
    ]);
    expect(routes['GET /orgs/:org/users']).toEqual({ prefix: '/orgs/:org', answers: { 200: json('null') } });
  });

  it('of two Apps that cannot be told apart are left out, with the reason', async () => {
    const other = (answer: string) => `import { App, Ctx } from './app.js';
export const app = new App().get('/', Ctx, () => ${answer}).get('/same', Ctx, () => [1 as number]);
new App<'/typed'>().get('/', Ctx, () => ${answer});`;
    const { routes, warnings } = await inferred('', {
      'a.ts': other('({ a: 1 })'),
      'b.ts': other("({ b: '' })"),
    });
    expect(Object.keys(routes)).toEqual(['GET /same']);
    expect(warnings.sort()).toEqual([
      'b.ts:2 GET / is registered on another App too, at a.ts:2, with other answers or another comment, and ' +
        "documents show those of neither; give each App the path that it is mounted under: new App<'/users'>()",
      expect.stringMatching(/^b\.ts:3 GET \/typed is registered on another App too, at a\.ts:3/),
    ]);
  });

  it('warn of types that JSON does not have, and go on', async () => {
    const { routes, warnings } = await inferred(`
app.get('/map', Ctx, () => ({ items: new Map<string, string>(), a: 1 as number, loose: null as any }));
`);
    expect(routes).toEqual({
      'GET /map': { answers: { 200: json('{ a: number, items: unknown, loose: unknown }') } },
    });
    expect(warnings).toEqual([
      expect.stringMatching(/^main\.ts:5 GET \/map: output\.items is a Map, which JSON does not have/),
    ]);
  });

  it('are not looked for without a document of them', async () => {
    const directory = routeProject(typescript, '');
    const main = join(directory, 'src/main.ts');
    const app = join(directory, 'src/app.ts');
    writeFileSync(app, readFileSync(app, 'utf8').replace('openApiFromApp', 'makeDocument'));
    const code = "import { App, Ctx, makeDocument } from './app.js';\nnew App().get('/a', Ctx, () => null);";
    writeFileSync(main, code);
    expect((await infer(directory)).routes).toEqual({});
    writeFileSync(main, `${code}\nconst openApiFromApp = makeDocument;`);
    expect(Object.keys((await infer(directory)).routes)).toEqual(['GET /a']);
  });
});
