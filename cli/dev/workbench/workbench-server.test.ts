// The pipe over which workers pass on the requests for the page about the app.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { dirname } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OWNER_FIELD } from '../worker/workbench-proxy.js';
import { Access } from './access.js';
import { WorkbenchServer } from './workbench-server.js';

const exits = () => process.listenerCount('exit');
let before: number;
let server: WorkbenchServer;
beforeEach(async () => {
  before = exits();
  const access = new Access({ token: () => 'token', isTokenRequired: () => false });
  const routes = {
    'GET /_fw/things': () => ['a'],
    'DELETE /_fw/things': () => undefined,
    'GET /_fw/things/:id': (_: unknown, __: unknown, id: number) => ({ id }),
  };
  server = new WorkbenchServer(routes, access);
  await server.open();
});
afterEach(() => server.close());

async function asked(method: string, path: string, more: Record<string, string> = {}) {
  const headers = {
    host: 'localhost',
    origin: 'http://localhost',
    'content-type': 'application/json',
    [OWNER_FIELD]: 'yes',
    ...more,
  };
  const request = http.request({ socketPath: server.pipe, method, path, headers, agent: false }).end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const bytes = Buffer.concat(await response.toArray());
  const { allow, 'content-encoding': encoding, vary } = response.headers;
  return { status: response.statusCode, allow, encoding, vary, bytes, text: bytes.toString() };
}

describe('the server of the page about the app', () => {
  it('has a route for each method and number, and names the others', async () => {
    expect(await asked('GET', '/_fw/things')).toMatchObject({ status: 200, text: '["a"]' });
    expect(await asked('GET', '/_fw/things/12')).toMatchObject({ status: 200, text: '{"id":12}' });
    expect(await asked('PUT', '/_fw/things')).toMatchObject({ status: 405, allow: 'GET, DELETE' });
    for (const path of ['/_fw/things/1234567890', '/_fw/things/x', '/_fw/other']) {
      expect(await asked('GET', path)).toMatchObject({
        status: 404,
        text: expect.stringContaining('NotFound'),
      });
    }
  });

  it('compresses its files for clients that take it', async () => {
    const plain = await asked('GET', '/_fw/assets/page.css');
    const zipped = await asked('GET', '/_fw/assets/page.css', { 'accept-encoding': 'br, gzip' });
    expect(plain).toMatchObject({ status: 200, encoding: undefined, vary: 'Accept-Encoding' });
    expect(zipped).toMatchObject({ status: 200, encoding: 'gzip', vary: 'Accept-Encoding' });
    expect(plain.text).toContain('{');
    expect(gunzipSync(zipped.bytes).toString()).toBe(plain.text);
  });

  it('leaves neither a connection, nor a pipe, nor a listener when it is closed', async () => {
    const socket = net.connect(server.pipe);
    await once(socket, 'connect');
    const idle = once(socket.resume(), 'close');
    await asked('GET', '/_fw/things');
    expect(exits()).toBe(before + 1);
    server.close();
    await idle;
    expect(exits()).toBe(before);
    if (process.platform !== 'win32') expect(existsSync(dirname(server.pipe))).toBe(false);
  });
});
