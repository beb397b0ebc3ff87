// SIGTERM under load, on the packed package: requests in flight are answered, none is lost, and the exit code is 0.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installFw, temporaryDirectory } from './packed.js';

const app = `
import { createServer } from 'node:net';
import { once } from 'node:events';
import { App, shutdownSignal } from 'fw';

const app = new App()
  .get('/', () => 'quick')
  .get('/slow', async () => {
    await new Promise((resolve) => setTimeout(resolve, 40));
    return 'slow';
  })
  .post('/', async (ctx) => String((await ctx.req.bytes()).length));

const listener = createServer().listen(0, '127.0.0.1');
await once(listener, 'listening');
console.log(listener.address().port);
await app.serveWithShutdown(listener, shutdownSignal());
console.log('drained');
`;

test('SIGTERM under load loses no request', async () => {
  const directory = temporaryDirectory();
  installFw(directory);
  writeFileSync(join(directory, 'app.mjs'), app);
  const server = spawn(process.execPath, ['app.mjs'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  let output = '';
  server.stdout.on('data', (text) => {
    output += text;
  });
  await once(server.stdout, 'data');
  const port = Number(output);
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const answers = { complete: 0, afterSignal: 0, refused: 0 };
  const lost: string[] = [];
  let isTerminated = false;

  const ask = (method: string, path: string, body: string | undefined, expected: string) =>
    new Promise<void>((resolve) => {
      const outgoing = request({ host: '127.0.0.1', port, method, path, agent }, async (incoming) => {
        let text = '';
        for await (const chunk of incoming) text += chunk;
        if (text === expected) answers.complete += 1;
        else lost.push(`${method} ${path} got '${text}'`);
        if (isTerminated) answers.afterSignal += 1;
        resolve();
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // A connection that was not accepted carried no request.
        if (error.code === 'ECONNREFUSED') answers.refused += 1;
        else lost.push(`${method} ${path} ${error.code}`);
        resolve();
      });
      outgoing.end(body);
    });
  const body = 'x'.repeat(200_000);
  const client = async () => {
    while (answers.refused === 0) {
      await ask('GET', '/', undefined, 'quick');
      await ask('GET', '/slow', undefined, 'slow');
      await ask('POST', '/', body, String(body.length));
    }
  };
  const clients = Array.from({ length: 20 }, client);
  while (answers.complete < 300) await new Promise(setImmediate);
  isTerminated = true;
  server.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  await Promise.all(clients);
  agent.destroy();
  expect(lost).toEqual([]);
  expect(answers.afterSignal).toBeGreaterThan(0);
  expect(output).toContain('drained');
});
