// What is still due once nobody else migrates: another process may have done a part of it meanwhile.
import { afterEach, expect, it, vi } from 'vitest';
import { runMigrations } from './run.js';
import type { Direction, MigrationTarget, RunSql } from './target.js';

afterEach(() => void vi.unstubAllEnvs());

/** A database in which `a` has run, and `b` has not. */
function played() {
  const done: unknown[] = [];
  const sql: RunSql = async () => [];
  const target: MigrationTarget = {
    engine: 'sqlite',
    place: undefined,
    schemas: [],
    sql,
    list: async () => ['a', 'b'].map((name) => ({ name, checksum: undefined, hasDown: true })),
    applied: async () => [{ name: 'a', at: undefined }],
    prepare: async () => {},
    record: async (_, name, isApplied) => void done.push([name, isApplied]),
    alone: (work) =>
      work({ read: sql, write: sql, step: async (direction, name) => void done.push([direction, name]) }),
    onOne: (work) => work(sql),
    downName: (name) => name,
  };
  return { target, done };
}

it.each<[Direction, string, boolean]>([
  ['up', 'b', true],
  ['down', 'a', false],
])('%s leaves out what another process has done meanwhile', async (direction, name, isApplied) => {
  vi.stubEnv('NODE_ENV', 'production');
  const { target, done } = played();
  expect(await runMigrations(target, direction, ['a', 'b'])).toEqual([name]);
  expect(done).toEqual([
    [direction, name],
    [name, isApplied],
  ]);
});
