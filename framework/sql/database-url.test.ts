// Which databases URLs name, and what is said about those that name none.

import { pgTable, serial } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { readDatabaseUrl } from './database-url.js';
import { drizzleFromUrl } from './drizzle/index.js';
import { kyselyFromUrl } from './kysely/index.js';
import { missingDriver } from './load-driver.js';

describe('a URL of a database', () => {
  it.each([
    ['postgres://u:p@h:5433/d?sslmode=disable', 'postgres', 'postgres://u:p@h:5433/d?sslmode=disable'],
    ['postgresql://h/d', 'postgres', 'postgres://h/d'],
    // Its driver takes them as they are.
    ['postgres://u:100%zz@h/d', 'postgres', 'postgres://u:100%zz@h/d'],
    ['POSTGRES://h/d', 'postgres', 'postgres://h/d'],
    ['mysql://u:p@h/d', 'mysql', 'mysql://u:p@h/d'],
    ['mariadb://u@h/d', 'mysql', 'mysql://u@h/d'],
    [':memory:', 'sqlite', ':memory:'],
    ['sqlite::memory:', 'sqlite', ':memory:'],
    ['file:data.db', 'sqlite', 'data.db'],
    ['file:./a%20b.db', 'sqlite', './a b.db'],
    ['file:/var/data.db', 'sqlite', '/var/data.db'],
    ['file:///var/data.db', 'sqlite', '/var/data.db'],
    ['sqlite:data.db', 'sqlite', 'data.db'],
  ])('%s', (url, engine, location) => {
    expect(readDatabaseUrl('x', url)).toEqual({ engine, location });
  });

  it.each([
    ['file:///C:/data/app.db', 'C:/data/app.db'],
    ['file:/c:/a%20b.db', 'c:/a b.db'],
    ['file:C:\\data\\app.db', 'C:\\data\\app.db'],
    ['file:data.db', 'data.db'],
    ['file:///data/c:/app.db', '/data/c:/app.db'],
  ])('%s, with a drive of Windows', (url, location) => {
    expect(readDatabaseUrl('x', url, 'win32')).toEqual({ engine: 'sqlite', location });
    expect(readDatabaseUrl('x', 'file:///C:/app.db', 'linux').location).toBe('/C:/app.db');
  });

  it.each([
    ['mongodb://u:secret@h/d', "x: got a URL of the scheme 'mongodb:'; use postgres://"],
    ['', 'x: got an empty URL; use postgres://'],
    [undefined, 'x: got undefined; use'],
    ['u:secret@host/db', "x: got a URL of the scheme 'u:'"],
    ['//u:secret@host/db', 'x: got a URL without a scheme'],
    ['postgres://u:sec/ret@host:x/db', 'x: the postgres: URL is malformed: percent-encode'],
    ['postgres://u:12345678/ret@host/db', "malformed: percent-encode characters such as '@', '/' and '#'"],
    ['postgres://u:sec#ret@host/db', 'x: the postgres: URL is malformed: percent-encode'],
    ['postgres://x:99999/a', 'x: the postgres: URL is malformed: its port is not a number up to 65535; use'],
    ['mariadb://u:secret@h:port/a', 'x: the mariadb: URL is malformed: its port is not a number up to 65535'],
    ['postgres://u:secret@[::1]:70000/a', 'malformed: its port is not a number up to 65535'],
    ['postgres://[::1/a', 'x: the postgres: URL is malformed: its host is not valid'],
    ['postgres://u:secret@a b/a', 'x: the postgres: URL is malformed: its host is not valid'],
    ['postgres://u:secret@/d', 'x: the postgres: URL is malformed: it has no host'],
    ['postgres://:5432/d', 'x: the postgres: URL is malformed: it has no host'],
    ['postgres:d', 'x: the postgres: URL is malformed: it has no host'],
    ['mysql:///d', 'x: the mysql: URL is malformed: it has no host'],
    [
      'mysql://u:sec%ret@h/d',
      "x: the mysql: URL is malformed: write a '%' of its user, password or path as '%25'",
    ],
    ['file:', 'x: the URL names no file'],
    ['file://host/data.db', 'x: the URL names no file'],
    ['file:%zz', 'x: the path of the file is not percent-encoded correctly'],
  ])('%s is refused', (url, message) => {
    const read = () => readDatabaseUrl('x', url as string);
    expect(read).toThrow(message);
    expect(read).toThrow(expect.objectContaining({ code: 'FW_DATABASE_URL' }));
    expect(read).not.toThrow(/sec\/?ret/);
  });

  it.each([
    [{ maxConnections: 0 }, 'maxConnections is 0; give a whole number'],
    [{ maxConnections: 1.5 }, 'maxConnections is 1.5'],
    [{ acquireTimeoutMs: 0 }, 'acquireTimeoutMs is 0; give a whole number of milliseconds from 1'],
    [{ idleTimeoutMs: -1 }, 'idleTimeoutMs is -1'],
    [{ statementTimeoutMs: Number.NaN }, 'statementTimeoutMs is NaN'],
    [{ slowQueryMs: -1 }, 'kyselyFromUrl: slowQueryMs is -1'],
  ])('options %j are refused', async (options, message) => {
    await expect(kyselyFromUrl(':memory:', options)).rejects.toThrow(message);
  });

  it('must fit the tables of the schema', async () => {
    const schema = { notes: pgTable('notes', { id: serial() }) };
    await expect(drizzleFromUrl('file:data.db', { schema })).rejects.toThrow(
      'the URL names a database of sqlite, and the schema has tables for postgres',
    );
  });
});

it('says what to install if the package of a driver is missing', async () => {
  const missing = 'fw-no-such-package';
  const load = (): Promise<unknown> => import(missing).catch(missingDriver('kyselyFromUrl', 'pg@8'));
  await expect(load()).rejects.toThrow(
    'kyselyFromUrl needs a package that is not installed; run: npm install pg@8',
  );
  const inWorkers = new Error('No such module "pg".');
  expect(() => missingDriver('kyselyFromUrl', 'pg@8')(inWorkers)).toThrow('npm install pg@8');
  expect(() => missingDriver('kyselyFromUrl', 'pg@8')(new TypeError('broken'))).toThrow(TypeError);
});
