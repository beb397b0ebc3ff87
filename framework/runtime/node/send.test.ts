// Sending a response without a prepared head.
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { App } from '../../app/app.js';
import { toNodeHandler } from '../../app/to-node-handler.js';
import { exchange } from '../../conformance/raw-client.js';
import type { Context } from '../../context/context.js';

const statusOf = (ctx: Context) => Number(ctx.req.param('status'));

/** The streams that were cancelled. */
const cancelled: string[] = [];

const app = new App()
  .get('/text/:status', (ctx) => ctx.status(statusOf(ctx)).text('grüße'))
  .get('/bytes/:status', (ctx) => ctx.status(statusOf(ctx)).html('x') && new Uint8Array([1, 2, 3]))
  .get('/stream/:status', (ctx) => {
    ctx.status(statusOf(ctx)).header('Content-Length', 4);
    return ctx.stream(ReadableStream.from(['ab', 'cd']), 'text/plain');
  })
  .get('/events/:status', (ctx) => {
    ctx.status(statusOf(ctx)).header('Content-Length', 4);
    return ctx.stream(ReadableStream.from([': 1\n']), 'text/event-stream');
  })
  .get('/name/:name', (ctx) => ctx.header('X-Name', ctx.req.param('name')).text('ü'))
  .get('/unread/:status', (ctx) => {
    const cancel = () => void cancelled.push(ctx.req.param('status'));
    return ctx.status(statusOf(ctx)).stream(new ReadableStream({ cancel }));
  })
  .get('/by', (ctx) => ctx.header('x-powered-by', 'me').text(''))
  .get('/upgrade', (ctx) => ctx.header('Connection', 'Upgrade').header('Upgrade', 'websocket').text('x'))
  .get('/close', (ctx) => ctx.header('Connection', 'close').text('x'));

const server = createServer(toNodeHandler(app));

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => void server.close());

/** The response, read as Latin-1: its status line, its fields by lower-case name, and its body. */
async function ask(path: string, method = 'GET') {
  const { port } = server.address() as AddressInfo;
  const sent = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
  const [head = '', ...rest] = (await exchange(port, sent, 5_000)).split('\r\n\r\n');
  const [line, ...fields] = head.split('\r\n');
  const named = fields.map((field) => field.split(': ') as [string, string]);
  const values = Object.fromEntries(named.map(([name, value]) => [name.toLowerCase(), value]));
  return { line, fields: named, values, body: rest.join('\r\n\r\n') };
}

const UTF8 = 'gr\u00c3\u00bc\u00c3\u009fe';

describe('a response', () => {
  it.each([
    ['GET', '/text/200', '7', UTF8],
    ['HEAD', '/text/200', '7', ''],
    ['GET', '/bytes/404', '3', '\x01\x02\x03'],
    ['GET', '/text/204', undefined, ''],
    ['GET', '/text/205', '0', ''],
    ['GET', '/text/304', undefined, ''],
    ['GET', '/stream/200', '4', 'abcd'],
    ['HEAD', '/stream/200', '4', ''],
    ['GET', '/stream/204', undefined, ''],
    ['GET', '/stream/205', undefined, ''],
    ['GET', '/stream/304', '4', ''],
    ['HEAD', '/events/200', undefined, ''],
  ])('to %s %s has the length %s', async (method, path, length, body) => {
    const answer = await ask(path, method);
    expect(answer.line).toContain(` ${path.split('/').at(-1)} `);
    expect(answer.values['content-length']).toBe(length);
    expect(answer.body.replace(/^0\r\n\r\n$/, '')).toBe(body);
  });

  it.each([
    ['GET', 204],
    ['GET', 205],
    ['GET', 304],
    ['HEAD', 200],
  ])('to %s with status %d cancels a stream that it does not send', async (method, status) => {
    cancelled.length = 0;
    await ask(`/unread/${status}`, method);
    expect(cancelled).toEqual([`${status}`]);
  });

  it('with events has no length, even if it declares one', async () => {
    const { values, body } = await ask('/events/200');
    expect(values['content-length']).toBeUndefined();
    expect(body).toContain(': 1\n');
  });

  it.each([
    ['caf%C3%A9', 'caf\u00e9'],
    ['cafe', 'cafe'],
  ])('has its fields in Latin-1 and its body in UTF-8: %s', async (sent, name) => {
    const { values, body } = await ask(`/name/${sent}`);
    expect([values['x-name'], body]).toEqual([name, '\u00c3\u00bc']);
  });

  it('with a Connection of its own ends the connection where the client has asked for that', async () => {
    const connection = async (path: string) => (await ask(path)).values.connection;
    expect(await connection('/upgrade')).toBe('Upgrade, close');
    expect(await connection('/close')).toBe('close');
  });

  it('with a Connection of its own leaves open what is to stay open', async () => {
    const { port } = server.address() as AddressInfo;
    const agent = new Agent({ keepAlive: true });
    const outgoing = request({ port, path: '/upgrade', agent }).end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(incoming.headers.connection).toBe('Upgrade');
    agent.destroy();
  });

  it('has a default field of the App once, and not if it has the field itself', async () => {
    const by = async (path: string) =>
      (await ask(path)).fields.filter(([name]) => name.toLowerCase() === 'x-powered-by');
    expect(await by('/name/x')).toEqual([['X-Powered-By', 'fw']]);
    expect(await by('/by')).toEqual([['x-powered-by', 'me']]);
  });
});
