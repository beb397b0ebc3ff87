// The database in a file.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePrivate, migrationsOf, openDatabase } from './database.ts';

test.skipIf(process.platform === 'win32')('nobody else can read its files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'database-'));
  try {
    const url = `file:${join(folder, 'app.db')}`;
    makePrivate(url);
    const db = await openDatabase(url);
    await migrationsOf(db).up();
    const modes = readdirSync(folder)
      .filter((name) => /^app\.db(?:-wal|-shm)?$/.test(name))
      .map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
    expect(modes).toEqual(['app.db', 'app.db-shm', 'app.db-wal'].map((name) => [name, 0o600]));
    await db.destroy();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a file that cannot be opened is named, with the variable and the remedy', () => {
  expect(() => makePrivate('file:/nonexistent/a%20b.db?mode=rwc')).toThrow(
    'DATABASE_URL names the file /nonexistent/a b.db, which cannot be opened (ENOENT): its folder must exist',
  );
  expect(() => makePrivate(`file:${tmpdir()}`)).toThrow(/which cannot be opened \(E\w+\): its folder/);
});
