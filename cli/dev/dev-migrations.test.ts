// What `fw dev` says about migrations, once, and how it runs them for a key and for the page.
import { beforeEach, expect, it, vi } from 'vitest';
import type { AppError, MigrationsState } from '../process/messages.js';
import type { WorkerProcess } from '../process/worker-process.js';
import { DevMigrations } from './dev-migrations.js';
import { migrationTexts } from './report/migrations-text.js';

const NONE: MigrationsState = { pending: [], interrupted: [], edited: [], missing: [] };
const PENDING: MigrationsState = { ...NONE, pending: ['a'], url: 'file:app.db' };
const ERROR: AppError = { title: "Error: the migration 'a' failed: x", frames: [], details: '' };

function makeWorker() {
  let exit = (_: string): void => {};
  const exited = new Promise<string>((resolve) => {
    exit = resolve;
  });
  const sent: unknown[] = [];
  const worker = { send: (message: unknown) => sent.push(message), exited } as unknown as WorkerProcess;
  return { worker, sent, exit };
}

let live: ReturnType<typeof makeWorker> | undefined;
const report = { note: vi.fn(), warn: vi.fn(), migrations: vi.fn(), migrationFailed: vi.fn() };
const make = (limitMs?: number) =>
  new DevMigrations({
    report,
    live: () => live?.worker,
    runScript: 'npm run',
    hasKeys: () => true,
    ...(limitMs !== undefined && { limitMs }),
  });

beforeEach(() => {
  vi.clearAllMocks();
  live = makeWorker();
});

it('says what is to be done once, and again after it was done', () => {
  const migrations = make();
  const worker = live?.worker as WorkerProcess;
  migrations.hear(worker, { fw: 'migrations', state: PENDING });
  migrations.hear(worker, { fw: 'migrations', state: PENDING });
  expect(report.migrations).toHaveBeenCalledOnce();
  expect(migrations.state).toBe(PENDING);
  migrations.hear(worker, { fw: 'migrations', state: NONE, ran: ['a'] });
  expect(report.note).toHaveBeenLastCalledWith('migrated: a');
  expect(migrations.state).toBeUndefined();
  migrations.hear(worker, { fw: 'migrations', state: PENDING });
  expect(report.migrations).toHaveBeenCalledTimes(2);
});

it('knows nothing of a process that answers no more', () => {
  const migrations = make();
  migrations.hear(live?.worker as WorkerProcess, { fw: 'migrations', state: PENDING });
  live = makeWorker();
  expect(migrations.state).toBeUndefined();
  migrations.started();
  migrations.hear(live.worker, { fw: 'migrations', state: PENDING });
  expect(report.migrations).toHaveBeenCalledTimes(2);
});

it('runs them for the key, if there is an app', () => {
  const migrations = make();
  migrations.run();
  expect(live?.sent).toEqual([{ fw: 'migrate' }]);
  migrations.hear(live?.worker as WorkerProcess, { fw: 'migrations', state: PENDING, error: ERROR });
  expect(report.migrationFailed).toHaveBeenCalledWith(ERROR);
  live = undefined;
  migrations.run();
  expect(report.note).toHaveBeenLastCalledWith('the app does not run, so its migrations cannot');
});

it('runs them for the page, which hears how it went', async () => {
  const migrations = make();
  const worker = live?.worker as WorkerProcess;
  const ran = migrations.runForPage();
  migrations.hear(worker, { fw: 'migrations', state: PENDING });
  migrations.hear(worker, { fw: 'migrations', state: NONE, ran: ['a'] });
  expect(await ran).toEqual({ ran: ['a'] });
  const failed = migrations.runForPage();
  migrations.hear(worker, { fw: 'migrations', state: PENDING, error: ERROR });
  await expect(failed).rejects.toMatchObject({ status: 500, message: "the migration 'a' failed: x" });
  const left = migrations.runForPage();
  live?.exit('exited with code 1');
  await expect(left).rejects.toMatchObject({
    status: 504,
    message: 'the app exited with code 1 while its migrations ran',
  });
  live = undefined;
  await expect(migrations.runForPage()).rejects.toMatchObject({ status: 503 });
});

it('does not keep the page waiting for ever', async () => {
  await expect(make(20).runForPage()).rejects.toMatchObject({ status: 504 });
});

it('says what to do in each case', () => {
  const hints = { runScript: 'pnpm run', hasKeys: false };
  const texts = migrationTexts(
    { pending: ['a', 'b'], interrupted: ['c'], edited: ['d'], missing: ['e'], url: 'file:app.db' },
    hints,
  );
  expect(texts.map(({ what }) => what)).toEqual([
    'the migration c was interrupted, and a part of it may have run',
    '2 migrations have not run, so the app answers 503: a, b',
    'the migration d was edited after it ran',
    'the migration e has run, and this app does not have it; is it of another branch?',
  ]);
  expect(texts.map(({ remedy }) => remedy)[1]).toBe('run pnpm run migrate');
  expect(texts[2]?.remedy).toBe(
    'keep the database as it is: pnpm run migrate keep · begin anew: pnpm run migrate reset (file:app.db)',
  );
  expect(migrationTexts(PENDING, { ...hints, hasKeys: true })[0]?.remedy).toBe('press m to run it');
});
