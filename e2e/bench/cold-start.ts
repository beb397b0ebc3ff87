// Cold start to the first 200 of fw beside node:http and the other frameworks: `npm run start [-- --rounds 15 --json file]`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { copyFramework } from './copy-framework.js';
import { interleave, median, printTable } from './measure.js';
import { writeSeries } from './series.js';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, json: { type: 'string' } },
});
const here = fileURLToPath(new URL('.', import.meta.url));
const dir = mkdtempSync(join(here, '.servers-'));
process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
copyFramework(dir);

const apps: Record<string, string> = {
  'node:http': `
    import { createServer } from 'node:http';
    createServer((req, res) => res.end('Hello')).listen(PORT, '127.0.0.1');`,
  fw: `
    import { App } from './framework/index.js';
    await new App().get('/', (ctx) => ctx.text('Hello')).listen(PORT);`,
  hono: `
    import { serve } from '@hono/node-server';
    import { Hono } from 'hono';
    serve({ fetch: new Hono().get('/', (c) => c.text('Hello')).fetch, port: PORT, hostname: '127.0.0.1' });`,
  fastify: `
    import Fastify from 'fastify';
    await Fastify().get('/', () => 'Hello').listen({ port: PORT, host: '127.0.0.1' });`,
  h3: `
    import { H3, serve } from 'h3';
    serve(new H3().get('/', () => 'Hello'), { port: PORT, hostname: '127.0.0.1', silent: true });`,
  elysia: `
    import { node } from '@elysiajs/node';
    import { Elysia } from 'elysia';
    new Elysia({ adapter: node() }).get('/', () => 'Hello').listen({ port: PORT, hostname: '127.0.0.1' });`,
  koa: `
    import Koa from 'koa';
    import Router from '@koa/router';
    const router = new Router().get('/', (ctx) => { ctx.body = 'Hello'; });
    new Koa().use(router.routes()).listen(PORT, '127.0.0.1');`,
  express: `
    import express from 'express';
    express().get('/', (req, res) => res.send('Hello')).listen(PORT, '127.0.0.1');`,
};

/** Milliseconds from spawning node to the first byte of a 200. */
async function measure(contender: string): Promise<number> {
  const port = 4000 + Math.floor(Math.random() * 900);
  const file = join(dir, `${contender.replace(':', '-')}.mjs`);
  writeFileSync(file, (apps[contender] as string).replaceAll('PORT', String(port)));
  const start = process.hrtime.bigint();
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    for (;;) {
      const status = await ask(port);
      if (status === 200) return Number(process.hrtime.bigint() - start) / 1e6;
      if (status !== undefined || child.exitCode !== null) throw new Error(`${contender} answered ${status}`);
      // A short pause: polling without one would take the second core from the process that starts.
      await new Promise((resume) => setTimeout(resume, 1));
    }
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

function ask(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => resolve(undefined));
    socket.on('connect', () =>
      socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`),
    );
    socket.once('data', (chunk) => {
      resolve(Number(chunk.toString('latin1').slice(9, 12)));
      socket.destroy();
    });
  });
}

const results = await interleave(Object.keys(apps), Number(values.rounds), measure);
writeSeries(values.json, [
  {
    name: 'cold start to the first 200',
    unit: 'ms',
    better: 'less',
    base: 'node:http',
    rounds: Object.fromEntries(results),
  },
]);
const base = median(results.get('node:http') as number[]);
printTable(
  ['', 'ms to first 200', '÷ node:http'],
  [...results].map(([name, of]) => [name, median(of).toFixed(0), (median(of) / base).toFixed(2)]),
);
