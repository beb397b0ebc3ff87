// Makes a waiting process run the code of `fw` that starts a server and answers, before the app does.
import http from 'node:http';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from '../../../../framework/index.js';
import type { Load } from '../../../process/load-packages.js';
import { useLoaded } from './middleware.js';

/**
 * The app's own copy of `fw` loads parts of itself when they are used, such as those that listen and that serve
 * files, and is interpreted slowly at first. One App with the app's middleware, which answers two requests on a free
 * port and is closed, does both in advance.
 */
export async function touchApp(load: Load, loaded: readonly string[]): Promise<void> {
  if (!loaded.includes('fw')) return;
  const { App: AppClass } = (await load('fw')) as { App: typeof App };
  const app = new AppClass()
    .maxBodySize(1024)
    .trustProxy(['127.0.0.1'])
    .serveStatic('/files', dirname(fileURLToPath(import.meta.url)))
    .get('/touch/:id', (ctx) => ({ id: ctx.req.param('id') }))
    .post('/touch', async (ctx) => ctx.json(await ctx.req.json()));
  await useLoaded(app, load, loaded);
  const server = await app.listen(0);
  try {
    await send(server.port, 'GET', '/touch/1');
    await send(server.port, 'POST', '/touch');
  } finally {
    await server.close();
  }
}

function send(port: number, method: string, path: string): Promise<void> {
  return new Promise((settle, fail) => {
    const headers = method === 'POST' ? { 'Content-Type': 'application/json' } : {};
    http
      .request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
        response.resume().once('end', settle);
      })
      .once('error', fail)
      .end(method === 'POST' ? '{}' : undefined);
  });
}
