// What an App tells about itself when it starts to listen.
import diagnostics from 'node:diagnostics_channel';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createMiddleware } from '../../extract/context-middleware.js';
import { App, Json, Path, route, toNodeHandler } from '../../index.js';
import { RpcRegistry } from '../../rpc/index.js';
import type { AnnouncedApp } from '../app-channel.js';
import { describeApp } from '../docs/describe-api.js';

const announced: AnnouncedApp[] = [];
const hear = (app: unknown) => announced.push(app as AnnouncedApp);
afterEach(() => {
  diagnostics.unsubscribe('fw:app', hear);
  announced.length = 0;
});

it('describes what it offers to callers, as the page about it does', async () => {
  const app = new App().get(route('/users/:id', { summary: 'One user' }), Path('id', z.string()), (id) => ({
    id,
  }));
  diagnostics.subscribe('fw:app', hear);
  const server = await app.listen('127.0.0.1:0');
  const described = await announced[0]?.describeApi();
  await server.close();
  expect(described).toEqual(describeApp(app));
  expect(described?.document).toMatchObject({ paths: { '/users/{id}': { get: { summary: 'One user' } } } });
});

it('describes routes, middleware, settings and procedures with their places', async () => {
  const User = z.object({ id: z.string() }).meta({ id: 'User' });
  const admin = new App().use(function audit(_ctx, next) {
    return next();
  });
  admin.get(
    route('/users/:id', {
      summary: 'One user',
      deprecated: true,
      use: [createMiddleware((_, next) => next())],
    }),
    Path('id', z.string()),
    function getUser(id) {
      return { id };
    },
  );
  const rpc = new RpcRegistry();
  rpc.query('find', { input: z.object({ user: User }), output: z.array(User) }, () => []);
  rpc.mutationWithTypes('set', () => null, '{ a: number }', 'null');
  const app = new App().maxBodySize(10).requireAuth({ except: ['/open'] });
  app.all('/open', () => 'open').post('/items', Json(z.object({})), () => 1);
  app.route('/admin', admin).mountRpc('/rpc', rpc);

  diagnostics.subscribe('fw:app', hear);
  toNodeHandler(app);
  const described = await announced[0]?.describe();

  const here = expect.stringMatching(/describe-app\.test\.ts:\d+:\d+$/);
  const plain = { isDeprecated: false, isHidden: false, place: here };
  expect(described?.routes).toEqual([
    {
      ...plain,
      method: '*',
      path: '/open',
      handler: '',
      extractors: [],
      guards: [],
      isExcepted: true,
      middleware: [],
    },
    {
      ...plain,
      method: 'POST',
      path: '/items',
      handler: '',
      extractors: ['Json'],
      guards: ['signed in'],
      middleware: [],
    },
    {
      ...plain,
      method: 'GET',
      path: '/admin/users/:id',
      handler: 'getUser',
      extractors: ["Path('id')"],
      guards: ['signed in'],
      middleware: [
        { name: 'audit', place: here },
        { name: '', place: here },
      ],
      summary: 'One user',
      isDeprecated: true,
    },
    {
      ...plain,
      method: 'POST',
      path: '/rpc',
      handler: 'mountRpc',
      extractors: [],
      guards: ['signed in'],
      middleware: [],
    },
  ]);
  expect(described?.middleware).toEqual([{ name: 'audit', below: '/admin', place: here }]);
  expect(described?.settings[0]).toEqual({ name: 'maxBodySize', value: '10 bytes', place: here });
  expect(described?.settings[1]).toEqual({ name: 'requestTimeout', value: 'unlimited' });
  expect(described?.procedures).toEqual([
    {
      name: 'find',
      kind: 'query',
      input: 'FindInput\n\ntype FindInput = {\n  user: User;\n};\n\ntype User = {\n  id: string;\n};',
      output: 'Array<User>\n\ntype User = {\n  id: string;\n};',
      types: 'schema',
      example: { user: { id: 'text' } },
      method: 'POST',
      path: '/rpc',
      protocol: 'json-rpc',
      guards: ['signed in'],
      place: here,
    },
    {
      name: 'set',
      kind: 'mutation',
      input: '{\n  a: number;\n}',
      output: 'null',
      types: 'text',
      example: { a: 1 },
      method: 'POST',
      path: '/rpc',
      protocol: 'json-rpc',
      guards: ['signed in'],
      place: here,
    },
  ]);
});

it('is announced by an App that listens, and costs nothing without a listener', async () => {
  const app = new App();
  diagnostics.subscribe('fw:app', hear);
  const running = await app.listen(0);
  await running.close();
  expect(announced).toHaveLength(1);
});
