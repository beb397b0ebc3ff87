// An app with eight errors, as developers meet them, and a client that meets them.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';

const root = fileURLToPath(new URL('..', import.meta.url));

const source = `
import { App, Query } from 'fw';
import { kyselyFromUrl } from 'fw/kysely';
import { RpcRegistry } from 'fw/rpc';
import { consoleSubscriber, subscribe } from 'fw/tracing';
import { websocket } from 'fw/websocket';
import { z } from 'zod';

subscribe(consoleSubscriber({ format: process.env.NODE_ENV === 'production' ? 'json' : 'pretty' }));
const db = await kyselyFromUrl(':memory:');
const rpc = new RpcRegistry().query('firstTitle', () => {
  const tasks = [];
  return tasks[0].title; // typeError
});
const app = new App()
  .get('/sql', async () => {
    return await db.selectFrom('tasks').select('titel').execute(); // sql
  })
  .get('/tasks', Query(z.object({ title: z.string().min(3) })), (task) => task) // validation
  .route('/account', new App().use(async (ctx, next) => {
    try {
      JSON.parse('{');
    } catch (error) {
      throw new Error('the account of ada is not readable', { cause: error }); // cause
    }
    await next();
  }).get('/', () => 'ok'))
  .get('/upstream', async () => {
    const response = await fetch('http://127.0.0.1:47123/prices'); // upstream
    return response.text();
  })
  .get('/later', (ctx) => {
    Promise.reject(new Error('nobody waits for this')); // rejection
    return new Promise(() => {});
  })
  .get('/report', () => ({ total: 10n })) // bigint
  .websocket('/live', websocket({
    onMessage() {
      throw new RangeError('no such room'); // socket
    },
  }))
  .mountRpc('/rpc', rpc);
await app.listen(Number(process.env.PORT));
`;

export interface ErrorCase {
  /** The comment at its line. */
  readonly at: string;
  readonly says: RegExp;
  readonly path: string;
  readonly body?: object;
  /** Not for errors that answer a program, and for processes that end. */
  readonly hasPage: boolean;
}

const rpcCall = { jsonrpc: '2.0', id: 1, method: 'firstTitle' };
export const errorCases: readonly ErrorCase[] = [
  { at: 'sql', says: /no such (?:table: tasks|column: titel)/, path: '/sql', hasPage: true },
  { at: 'validation', says: /title/, path: '/tasks?title=x', hasPage: true },
  {
    at: 'typeError',
    says: /Cannot read properties of undefined \(reading 'title'\)/,
    path: '/rpc',
    body: rpcCall,
    hasPage: false,
  },
  { at: 'cause', says: /the account of ada is not readable/, path: '/account', hasPage: true },
  { at: 'upstream', says: /fetch failed|ECONNREFUSED|bad port/, path: '/upstream', hasPage: true },
  { at: 'bigint', says: /BigInt/, path: '/report', hasPage: true },
  { at: 'socket', says: /no such room/, path: '/live', hasPage: false },
  { at: 'rejection', says: /nobody waits for this/, path: '/later', hasPage: false },
];

/** The line of the app that has the error. */
export function lineOf(at: string): number {
  return source.split('\n').findIndex((line) => line.endsWith(`// ${at}`)) + 1;
}

/** Writes the app into a folder that has `fw` in its node_modules. */
export function writeErrorApp(app: string): void {
  for (const name of ['esbuild', 'kysely', 'libsql', '@libsql', '@neon-rs', 'detect-libc', 'zod']) {
    symlinkSync(join(root, 'node_modules', name), join(app, 'node_modules', name));
  }
  mkdirSync(join(app, 'src'));
  writeFileSync(join(app, 'package.json'), '{"type":"module"}');
  writeFileSync(join(app, 'src/main.js'), source);
}

/** Meets the error as a client does; resolves when the server has answered, or closed the connection. */
export function meet(port: number, { at, path, body }: ErrorCase): Promise<void> {
  if (at === 'socket') {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
    return new Promise((settle) => {
      socket.on('open', () => socket.send('hello')).on('error', () => {});
      socket.once('close', () => settle());
    });
  }
  return new Promise((settle) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    const request = http.request({ host: '127.0.0.1', port, path, method, headers, agent: false });
    request.on('response', (response) => response.resume().once('close', () => settle()));
    request.on('error', () => settle());
    request.end(body && JSON.stringify(body));
  });
}
