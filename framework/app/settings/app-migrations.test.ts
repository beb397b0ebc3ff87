// What the migrations of an App do at its start: in production, where it is told to run them, and under `fw dev`.
import diagnostics from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MigrationStatus, Migrations } from '../../sql/migrations/migrations.js';
import { TestClient } from '../../testing/test-client.js';
import { subscribe, type TracingEvent } from '../../tracing/index.js';
import { App } from '../app.js';
import type { MigrationsNews } from './app-migrations.js';

/** As in a database, without one. */
class Book {
  ran: string[] = [];
  fails: unknown;
  readonly states: Record<string, MigrationStatus['state']>;
  constructor(states: Record<string, MigrationStatus['state']>) {
    this.states = states;
  }
  get url() {
    return 'file:app.db';
  }
  status = async (): Promise<MigrationStatus[]> => {
    if (this.fails !== undefined) throw this.fails;
    return Object.entries(this.states).map(([name, state]) => ({ name, state }));
  };
  up = async (): Promise<string[]> => {
    const names = Object.keys(this.states).filter((name) => this.states[name] === 'pending');
    for (const name of names) this.states[name] = 'applied';
    this.ran.push(...names);
    return names;
  };
}

const made = (states: Book['states']) => {
  const book = new Book(states);
  const log: string[] = [];
  const app = new App()
    .get('/', () => 'x')
    .withMigrations(book as unknown as Migrations)
    .onStart(() => log.push(`started with ${Object.values(book.states)}`));
  return { app, book, log };
};

afterEach(() => vi.unstubAllEnvs());

describe('in production', () => {
  it('starts if all have run, and not if some have not', async () => {
    const { app, log } = made({ a: 'applied' });
    await (await app.listen(0)).close();
    expect(log).toEqual(['started with applied']);
    const other = made({ a: 'applied', b: 'pending', c: 'pending' });
    await expect(other.app.listen(0)).rejects.toThrow(
      '2 migrations have not run: b, c in file:app.db; run them before the app starts, such as by node dist/migrate.js, or start it with MIGRATE=true',
    );
    expect([other.log, other.book.ran]).toEqual([[], []]);
    await expect(made({ a: 'interrupted' }).app.listen(0)).rejects.toThrow(
      "the migration 'a' was interrupted, and a part of it may have run",
    );
  });

  it.each(['true', '1', 'TRUE'])('runs them with MIGRATE=%s', async (value) => {
    vi.stubEnv('MIGRATE', value);
    const { app, book, log } = made({ a: 'pending' });
    await (await app.listen(0)).close();
    expect([book.ran, log]).toEqual([['a'], ['started with applied']]);
  });

  it.each(['false', '0', ''])('does not with MIGRATE=%s', async (value) => {
    vi.stubEnv('MIGRATE', value);
    await expect(made({ a: 'pending' }).app.listen(0)).rejects.toThrow('has not run');
  });

  it('does not guess', async () => {
    vi.stubEnv('MIGRATE', 'on');
    await expect(made({ a: 'pending' }).app.listen(0)).rejects.toThrow(
      "the environment variable MIGRATE is 'on'; give true or false",
    );
  });

  it('says what is wrong with the database, and starts with more than it has, with a warning', async () => {
    const { app, book } = made({ a: 'applied' });
    const cause = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
    book.fails = new Error('the database is away', { cause });
    await expect(app.listen(0)).rejects.toThrow(
      'the migrations of the database cannot be read: ECONNREFUSED; check that the database is there, and its URL',
    );
    const events: TracingEvent[] = [];
    const end = subscribe((event) => void events.push(event));
    await (await made({ a: 'applied', b: 'missing' }).app.listen(0)).close();
    end();
    expect(events.find(({ level }) => level === 'warn')).toMatchObject({
      message: 'migrations have run that this app does not have',
      fields: { migrations: 'b' },
    });
  });

  it('never looks where nothing listens', async () => {
    const { app, book } = made({ a: 'pending' });
    book.fails = new Error('asked');
    (await new TestClient(app).get('/')).assertText('x');
    expect(() => new App().route('/x', made({}).app)).toThrow(
      'sets withMigrations; set it on the App that listens',
    );
    expect(() => app.withMigrations(book as never)).toThrow();
    expect(() => made({}).app.withMigrations(book as never)).toThrow('this App has migrations already');
    expect(() => new App().withMigrations({} as never)).toThrow(
      'withMigrations: the argument is an object; give the migrations of an app',
    );
  });
});

describe('under fw dev', () => {
  let news: MigrationsNews[];
  const hear = (message: unknown) => void news.push(message as MigrationsNews);
  beforeEach(() => {
    news = [];
    diagnostics.subscribe('fw:migrations', hear);
  });
  afterEach(() => {
    diagnostics.unsubscribe('fw:migrations', hear);
    vi.restoreAllMocks();
  });
  const client = (url: string) => new TestClient(url);

  it('runs all on an empty database', async () => {
    const { app, book, log } = made({ a: 'pending', b: 'pending' });
    await (await app.listen(0)).close();
    expect([book.ran, log, news]).toEqual([['a', 'b'], ['started with applied,applied'], []]);
  });

  it('listens, and answers 503 until they are run; what is behind them waits', async () => {
    const errors: unknown[] = [];
    const end = subscribe(({ fields }) => void (fields.error === undefined || errors.push(fields.error)));
    const { app, book, log } = made({ a: 'applied', b: 'pending' });
    const server = await app.listen(0);
    (await client(server.url).get('/')).assertStatus(503).assertJson({
      error: 'ServiceUnavailable',
      message: 'a migration has not run: b',
    });
    end();
    expect(errors).toMatchObject([{ stack: 'FwError: a migration has not run: b' }]);
    expect([log, book.ran, news.length]).toEqual([[], [], 1]);
    expect(await news[0]?.up()).toEqual(['b']);
    (await client(server.url).get('/')).assertText('x');
    await vi.waitFor(() => expect(log).toEqual(['started with applied,applied']));
    await server.close();
  });

  it('finds that others have run them', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { app, book } = made({ a: 'applied', b: 'pending' });
    const server = await app.listen(0);
    (await client(server.url).get('/')).assertStatus(503);
    await book.up();
    await vi.waitFor(async () => (await client(server.url).get('/')).assertText('x'), {
      interval: 100,
    });
    await server.close();
  });

  it('answers on if some were edited or are missing, and tells of it', async () => {
    const { app, log } = made({ a: 'edited', b: 'missing', c: 'applied' });
    const server = await app.listen(0);
    (await client(server.url).get('/')).assertText('x');
    await server.close();
    expect(log).toHaveLength(1);
    expect(news[0]?.status.map(({ state }) => state)).toEqual(['edited', 'missing', 'applied']);
  });

  it('ends the process if what is behind them fails', async () => {
    const { app } = made({ a: 'applied', b: 'pending' });
    app.onStart(() => Promise.reject(new Error('the queue is away')));
    const server = await app.listen(0);
    const thrown = new Promise((resolve) => {
      const real = process.listeners('uncaughtException');
      process.removeAllListeners('uncaughtException');
      process.once('uncaughtException', (error) => {
        for (const listener of real) process.on('uncaughtException', listener);
        resolve(error);
      });
    });
    await news[0]?.up();
    expect(await thrown).toMatchObject({ message: 'the queue is away' });
    await server.close();
  });
});
