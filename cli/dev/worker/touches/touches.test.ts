// The real packages do what waiting processes ask of them: a process ignores it if they do not.

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { touchApp } from './app.js';
import { touchDatabase } from './database.js';
import { touchSchemas } from './schemas.js';

const libsql = pathToFileURL(createRequire(import.meta.url).resolve('libsql')).href;
const asked: string[] = [];

function load(specifier: string): Promise<unknown> {
  asked.push(specifier);
  if (specifier === 'fw') return import('../../../../framework/index.js');
  if (specifier === 'fw/kysely') return import('../../../../framework/sql/kysely/index.js');
  return import(specifier);
}

it.each([
  ['an App', touchApp, ['fw'], ['fw']],
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
