// The real packages do what waiting processes ask of them: a process ignores it if they do not.

import { AsyncLocalStorage } from 'node:async_hooks';
import diagnostics from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { expect, it, vi } from 'vitest';
import { touchApp } from './app.js';
import { touchDatabase } from './database.js';
import { touchSchemas } from './schemas.js';

const libsql = pathToFileURL(createRequire(import.meta.url).resolve('libsql')).href;
const asked: string[] = [];

const ofFw: Readonly<Record<string, () => Promise<unknown>>> = {
  fw: () => import('../../../../framework/index.js'),
  'fw/kysely': () => import('../../../../framework/sql/kysely/index.js'),
  'fw/middleware': () => import('../../../../framework/middleware/index.js'),
  'fw/compression': () => import('../../../../framework/compression/index.js'),
  'fw/session': () => import('../../../../framework/session/index.js'),
  'fw/csrf': () => import('../../../../framework/csrf/index.js'),
  'fw/jwt': () => import('../../../../framework/auth/jwt/index.js'),
  'fw/api-key': () => import('../../../../framework/auth/api-key/index.js'),
};
const middleware = ['fw/middleware', 'fw/compression', 'fw/session', 'fw/csrf', 'fw/jwt', 'fw/api-key'];

function load(specifier: string): Promise<unknown> {
  asked.push(specifier);
  return ofFw[specifier]?.() ?? import(specifier);
}

it.each([
  ['an App', touchApp, ['fw'], ['fw']],
  ['an App with middleware', touchApp, ['fw', ...middleware], ['fw', ...middleware]],
  ['schemas', touchSchemas, ['fw', 'zod'], ['zod']],
  ['a database', touchDatabase, ['kysely', 'fw/kysely', libsql], ['fw/kysely', 'kysely']],
])('%s', async (_what, touch, loaded, packages) => {
  asked.length = 0;
  await touch(load, loaded);
  expect(asked).toEqual(packages);
});

it.each([
  ['an App', touchApp, ['zod']],
  ['schemas', touchSchemas, ['fw']],
  ['a database without its driver', touchDatabase, ['kysely', 'fw/kysely']],
  ['a database without fw/kysely', touchDatabase, ['kysely', libsql]],
])('%s is left alone if the app does not use it', async (_what, touch, loaded) => {
  asked.length = 0;
  await touch(load, loaded);
  expect(asked).toEqual([]);
});

it('an App answers both requests, with all that middleware adds, and opens no span', async () => {
  const run = vi.spyOn(AsyncLocalStorage.prototype, 'run');
  const answers: Record<string, unknown>[] = [];
  const listen = (message: unknown): void => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
    const { 'set-cookie': cookie, ...headers } = response.headers;
    answers.push({
      method: request.method,
      status: response.statusCode,
      headers: Object.keys(headers),
      cookie,
    });
  };
  diagnostics.subscribe('http.client.response.finish', listen);
  await touchApp(load, ['fw', ...middleware]);
  diagnostics.unsubscribe('http.client.response.finish', listen);
  expect(run).not.toHaveBeenCalled();
  const headers = expect.arrayContaining(['x-frame-options', 'ratelimit', 'vary']);
  const cookie = expect.arrayContaining([expect.stringMatching(/^csrf=/)]);
  expect(answers).toEqual([
    { method: 'GET', status: 200, headers, cookie },
    { method: 'POST', status: 200, headers, cookie: undefined },
  ]);
});
