// Which databases are of this machine, and may be reset; what messages show of their URLs.
import { expect, it } from 'vitest';
import { drizzleFromUrl, migrations as ofDrizzle } from '../drizzle/index.js';
import { kyselyFromUrl, migrations } from '../kysely/index.js';

/** At a port on which no server listens, because a reset would be one. */
const LOCAL = [
  'postgres://ada:hush@localhost:1/shop?sslmode=disable',
  'postgres://ada@127.0.0.1:1/shop',
  'postgres://ada@[::1]:1/shop',
  'mysql://ada@127.3.2.1:1/shop',
  'postgres://ada@localhost:1/shop?host=/nowhere/postgresql',
];
const REMOTE = [
  'postgres://ada:hush@db.example/shop',
  'postgres://ada@localhost.example/shop',
  'postgres://ada@127.0.0.1.example/shop',
  'postgres://ada@10.0.0.7/shop',
  'postgres://ada@db/shop',
  'mysql://ada@mysql/shop',
  'postgres://ada@localhost/shop?host=db.example',
  'postgres://ada@localhost/shop?host=localhost&host=db.example',
];

it.each(LOCAL)('%s is one of this machine', async (url) => {
  const db = await kyselyFromUrl(url);
  // It is tried.
  await expect(migrations(db, {}).reset()).rejects.toThrow('the database is not available');
  await db.destroy();
});

it.each(REMOTE)('%s is not, and is never reset', async (url) => {
  const shown = new URL(url);
  shown.password = '';
  shown.search = '';
  const message = `only a database of this machine is reset, and this is ${shown.href}`;
  const db = await kyselyFromUrl(url);
  const all = migrations(db, {});
  await expect(all.reset()).rejects.toThrow(message);
  expect(all.url).toBe(shown.href);
  await db.destroy();
  const other = await drizzleFromUrl(url, { schema: {} });
  await expect(ofDrizzle(other, 'drizzle').reset()).rejects.toThrow(message);
});

it('is not known of a database that was made otherwise', async () => {
  const db = await kyselyFromUrl(':memory:');
  const { Kysely } = await import('kysely');
  const { adapter } = db.getExecutor();
  const other = new Kysely<unknown>({
    dialect: {
      createAdapter: () => Object.create(adapter) as typeof adapter,
      createDriver: () => ({}) as never,
      createIntrospector: () => ({}) as never,
      createQueryCompiler: () => ({}) as never,
    },
  });
  const all = migrations(other, {});
  expect(all.url).toBeUndefined();
  await expect(all.reset()).rejects.toThrow('only a database that was made from a URL is reset');
  expect(migrations(db, {}).url).toBe(':memory:');
  await db.destroy();
});
