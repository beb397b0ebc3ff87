// Literal text of routes that URLs cannot hold as it is: in documents, clients, and on the page.

import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { Api } from '../../api-model/api.js';
import { clientText } from '../../api-model/code-client.js';
import { curlText } from '../../api-model/code-curl.js';
import { type Filled, planOf } from '../../api-model/request-plan.js';
import { App } from '../../app/app.js';
import { clientCode, form } from '../../conformance/client-form.js';
import { serving } from '../../conformance/live-events.js';
import { loadClient } from '../../conformance/socket-client.js';
import { Path } from '../../extract/path.js';
import { route } from '../../extract/route.js';
import { openApiFromApp } from '../../openapi/app/openapi-from-app.js';
import type { ApiDescription } from '../../rpc/api-description.js';
import { OpenApiSpec, RpcMode, RpcRegistry } from '../../rpc/index.js';
import { TestClient } from '../../testing/index.js';
import { websocket } from '../../websocket/index.js';
import { clientFromApp } from './client-from-app.js';

const info = { title: 'Odd', version: '1.0.0' };

/** By operation: the pattern, the path in OpenAPI, and the URL for the parameter `1`. */
const ODD = {
  percent: ['/100%/:id', '/100%25/{id}', '/100%25/1'],
  braces: ['/a{b}/:id', '/a%7Bb%7D/{id}', '/a%7Bb%7D/1'],
  space: ['/sp ace/:id', '/sp%20ace/{id}', '/sp%20ace/1'],
  letters: ['/café/:id', '/caf%C3%A9/{id}', '/caf%C3%A9/1'],
  quotes: ['/a"<\\^`|>/:id', '/a%22%3C%5C%5E%60%7C%3E/{id}', '/a%22%3C%5C%5E%60%7C%3E/1'],
  plain: ["/@me:x/a-._~!$&'()*+,;=/:id", "/@me:x/a-._~!$&'()*+,;=/{id}", "/@me:x/a-._~!$&'()*+,;=/1"],
  rest: ['/r ä/*id', '/r%20%C3%A4/{id}', '/r%20%C3%A4/1'],
} as const;
type Name = keyof typeof ODD;
const Found = z.object({ name: z.string(), id: z.string() });
const NAMES = Object.keys(ODD) as Name[];

function odd(): App {
  const app = new App();
  for (const name of NAMES) {
    const [pattern] = ODD[name];
    app
      .get(route(pattern, { operationId: name, returns: Found }), Path('id', z.string()), (id) => ({
        name,
        id,
      }))
      .websocket(
        route(`/live${pattern}`, { operationId: `${name}Live` }),
        Path('id', z.string()),
        websocket({
          receives: { say: z.string() },
          sends: { said: z.string() },
          on: { say: (socket, text) => void socket.emit('said', text) },
        }),
      );
  }
  return app;
}

describe('literal text of a route', () => {
  it('is percent-encoded in a document, and nothing of it is a parameter', async () => {
    const spec = openApiFromApp(odd(), info);
    expect(Object.keys(spec.toJSON().paths).sort()).toEqual(NAMES.map((name) => ODD[name][1]).sort());
    expect(await new Validator().validate(JSON.parse(spec.toJson()))).toMatchObject({ valid: true });
  });

  it('is in the URL of a client, which the server answers', async () => {
    const code = await clientCode(clientFromApp(odd(), { client: form }).toString());
    const { FwRpcClient } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const urls: string[] = [];
    const served = odd();
    const client = new FwRpcClient('http://localhost', {
      fetch: (url: string, init: RequestInit) => {
        urls.push(url.slice('http://localhost'.length));
        return served.fetch(new Request(url, init));
      },
    });
    for (const name of NAMES) expect(await client[name]({ id: '1' })).toEqual({ name, id: '1' });
    expect(urls).toEqual(NAMES.map((name) => ODD[name][2]));
  });

  it('is in the URL of a WebSocket client', async () => {
    const module = await loadClient(clientFromApp(odd(), { client: form }).toString());
    await serving(odd(), async (url) => {
      const client = new module.FwRpcClient(url, { sockets: { WebSocket } }) as unknown as Record<
        string,
        (input: object) => OddSocket
      >;
      for (const name of NAMES) {
        const socket = client[`${name}Live`]?.({ id: '1' });
        const said = socket?.events('said');
        socket?.emit('say', name);
        expect((await said?.next())?.value).toBe(name);
        socket?.close();
      }
    });
  });

  it('is read as it was written, on the page, and called as a URL', async () => {
    const mounted = odd().serveDocs(
      '/docs',
      odd().get('/open', () => 1),
    );
    const { api, detailOf } = await pageOf(mounted, '/docs');
    const shown = api.operations.map(({ name }) => name);
    expect(shown).toEqual(expect.arrayContaining(['/sp ace/{id}', '/café/{id}', '/a%7Bb%7D/{id}']));
    for (const name of NAMES) {
      const [, template, url] = ODD[name];
      const plan = planOf(detailOf(`GET ${template}`), { ...none, parameters: { 'path id': '1' } }, [], page);
      expect(plan).toMatchObject({ url: `http://localhost${url}`, problems: [] });
      expect(curlText(plan, false)).toContain(url.replaceAll("'", "'\\''"));
    }
    for (const one of api.operations.filter(({ kind }) => kind === 'WEBSOCKET')) {
      const plan = planOf(api.detail(one), { ...none, parameters: { 'path id': '1' } }, [], page);
      expect(NAMES.map((name) => `http://localhost/live${ODD[name][2]}`)).toContain(plan.url);
    }
  });

  it('of a prefix is in the paths of routes and procedures, their access and their calls', async () => {
    const rpc = RpcRegistry.withMode(RpcMode.Rest)
      .requireAuth()
      .query('größe', { input: z.object({}), output: z.number() }, () => 1);
    const inner = new App().get('/in ner/:id', Path('id', z.string()), (id) => id).mountRest('/r%', rpc);
    inner.serveDocs('/docs', inner);
    const outer = new App().requireAuth({ except: ['/ü ber/docs/*'] }).route('/ü ber', inner);
    const { api, detailOf, document } = await pageOf(outer, '/%C3%BC%20ber/docs');
    expect(Object.keys(document.paths)).toEqual([
      '/%C3%BC%20ber/in%20ner/{id}',
      '/%C3%BC%20ber/r%25/gr%C3%B6%C3%9Fe',
    ]);
    const locked = api.operations.map(({ name, isLocked }) => [name, isLocked]);
    expect(locked).toEqual(expect.arrayContaining([['/ü ber/in ner/{id}', true]]));
    const procedure = detailOf('rpc größe');
    expect(planOf(procedure, none, [], page).url).toBe('http://localhost/%C3%BC%20ber/r%25/gr%C3%B6%C3%9Fe');
    expect(clientText(procedure, none, [], 'http://localhost', false)).toContain('/%C3%BC%20ber/r%25');
  });

  it('of a made document stays as it is if it is encoded', () => {
    const paths = ['/a b/:id', '/a%20c/{id}', '/50%', '/ü', '/x?y=1'];
    const spec = new OpenApiSpec('Odd', '1');
    for (const path of paths) spec.addEndpoint(path, 'GET', 'One', undefined, 'string');
    expect(Object.keys(spec.toJSON().paths)).toEqual([
      '/%C3%BC',
      '/50%25',
      '/a%20b/{id}',
      '/a%20c/{id}',
      '/x?y=1',
    ]);
  });
});

const page = 'http://localhost/docs';
const none: Filled = { parameters: {}, body: undefined, mediaType: '' };

interface OddSocket {
  emit(event: string, data: unknown): boolean;
  events(event: string): AsyncIterator<unknown>;
  close(): void;
}

async function pageOf(app: App, path: string) {
  const client = new TestClient(app);
  const api = new Api((await client.get(`${path}/api.json`)).assertStatus(200).json<ApiDescription>(), page);
  const document = (await client.get(`${path}/openapi.json`)).json<{ paths: object }>();
  const detailOf = (id: string) => {
    const found = api.operations.find((one) => one.id === id);
    if (found === undefined) throw new Error(`no ${id} in ${api.operations.map((one) => one.id).join()}`);
    return api.detail(found);
  };
  return { api, document, detailOf };
}
