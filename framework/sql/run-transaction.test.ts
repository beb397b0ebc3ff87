// What a transaction waits for and leaves behind, without a database.
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { FwResponse } from '../http/response.js';
import * as drizzle from './drizzle/index.js';
import * as kysely from './kysely/index.js';
import { type Ask, isSuccess, runTransaction, TransactionGuard } from './run-transaction.js';

/** The steps of a database that commits and rolls back at once, and what was done. */
function database(connected: Promise<void> = Promise.resolve()) {
  const done: string[] = [];
  let guard: TransactionGuard | undefined;
  return {
    done,
    guard: () => guard,
    steps: {
      database: done,
      async begin(inside: (trx: string) => Promise<unknown>) {
        await connected;
        done.push('begin');
        try {
          const result = await inside('trx');
          done.push('commit');
          return result;
        } catch (error) {
          done.push('rollback');
          throw error;
        }
      },
      probe: async () => {},
      guard(_trx: string, given: TransactionGuard) {
        guard = given;
      },
    },
  };
}

const listeners = ({ signal }: AbortController) => getEventListeners(signal, 'abort').length;

describe('runTransaction', () => {
  it.each<[string, () => unknown, string[]]>([
    ['succeeds', () => 'result', ['begin', 'commit']],
    ['fails', () => Promise.reject(new Error('no')), ['begin', 'rollback']],
    ['gives what is not a success', () => new Error('no'), ['begin', 'rollback']],
  ])('leaves no listener, and ends the transaction, if the work %s', async (_, work, steps) => {
    const request = new AbortController();
    const { done, guard, steps: given } = database();
    const during: number[] = [];
    const result = runTransaction(
      request.signal,
      given,
      async () => {
        during.push(listeners(request));
        guard()?.check();
        return work();
      },
      isSuccess,
    );
    await result.catch((error: unknown) => expect(error).toEqual(new Error('no')));
    expect(done).toEqual(steps);
    // It is heard by the work alone.
    expect(during).toEqual([1]);
    expect(listeners(request)).toBe(0);
    expect(() => guard()?.check()).toThrow('the transaction has ended');
  });

  it('answers what is not a success, though nothing of it is committed', async () => {
    const { done, steps } = database();
    const answer = new FwResponse('', 422, undefined);
    const { signal } = new AbortController();
    expect(await runTransaction(signal, steps, () => answer, isSuccess)).toBe(answer);
    expect(done).toEqual(['begin', 'rollback']);
  });

  it('is not committed after a statement has failed that gives it up, though the work has caught it', async () => {
    const failure = Object.assign(new Error('duplicate key'), { code: '23505' });
    for (const isGivenUp of [true, false]) {
      const { done, guard, steps } = database();
      const probed: string[] = [];
      const probe = async (trx: string) => {
        probed.push(trx);
        if (isGivenUp) throw new Error('25P02');
      };
      const result = runTransaction(new AbortController().signal, { ...steps, probe }, async () => {
        await guard()?.failed(failure, unasked);
        return 'done';
      });
      if (isGivenUp) await expect(result).rejects.toMatchObject({ cause: failure });
      else expect(await result).toBe('done');
      expect([done.at(-1), probed]).toEqual([isGivenUp ? 'rollback' : 'commit', ['trx']]);
    }
  });

  it('fails if it cannot be guarded, before any work', async () => {
    const { done, steps } = database();
    let hasRun = false;
    const unguarded = { ...steps, guard: () => Promise.reject(new Error('no guard')) };
    const result = runTransaction(new AbortController().signal, unguarded, () => {
      hasRun = true;
    });
    await expect(result).rejects.toThrow('no guard');
    expect([done, hasRun]).toEqual([['begin', 'rollback'], false]);
  });

  it('begins none for a request that was aborted before', async () => {
    const request = new AbortController();
    request.abort(new Error('left'));
    const { done, steps } = database();
    await expect(runTransaction(request.signal, steps, () => 'result')).rejects.toThrow('left');
    expect(done).toEqual([]);
    expect(listeners(request)).toBe(0);
  });

  it('gives up at once if the request is aborted while it waits for a connection', async () => {
    const request = new AbortController();
    let connect = () => {};
    const connected = new Promise<void>((resolve) => {
      connect = resolve;
    });
    const { done, steps } = database(connected);
    let hasRun = false;
    const result = runTransaction(request.signal, steps, () => {
      hasRun = true;
    });
    request.abort(new Error('left'));
    await expect(result).rejects.toThrow('left');
    connect();
    await expect.poll(() => done).toEqual(['begin', 'rollback']);
    expect(hasRun).toBe(false);
    expect(listeners(request)).toBe(0);
  });

  it('leaves no listener if it cannot begin', async () => {
    const request = new AbortController();
    const { steps } = database(Promise.reject(new Error('away')));
    await expect(runTransaction(request.signal, steps, () => {})).rejects.toThrow('away');
    expect(listeners(request)).toBe(0);
  });
});

describe('a transaction inside of another one', () => {
  const { signal } = new AbortController();
  const nested = 'a transaction was begun inside of another one of the same database';

  it('is refused before it has a connection, however deep it is', async () => {
    const [one, other] = [database(), database()];
    const inner = () => runTransaction(signal, one.steps, () => 'inner');
    const result = runTransaction(signal, one.steps, () => runTransaction(signal, other.steps, inner));
    await expect(result).rejects.toThrow(nested);
    expect([one.done, other.done]).toEqual([
      ['begin', 'rollback'],
      ['begin', 'rollback'],
    ]);
  });

  it('is neither one beside it, nor one after it, nor one of another database', async () => {
    const [one, other] = [database(), database()];
    const run = () => runTransaction(signal, one.steps, async () => 'done');
    expect(await Promise.all([run(), run()])).toEqual(['done', 'done']);
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let later: Promise<string> | undefined;
    const work = () => {
      later = ended.then(run);
      return runTransaction(signal, other.steps, () => {});
    };
    await runTransaction(signal, one.steps, work);
    end();
    expect(await later).toBe('done');
  });
});

it('refuses a transaction without work', () => {
  const ctx = { db: () => ({}) as never, signal: new AbortController().signal };
  for (const { transaction } of [kysely, drizzle] as { transaction(...args: unknown[]): unknown }[]) {
    for (const work of [undefined, null, 'select 1']) {
      expect(() => transaction(ctx, work)).toThrow('transaction: the work is');
    }
  }
});

function unasked(): Promise<never> {
  throw new Error('asked');
}

describe('the outcome of a transaction in which a statement has failed', () => {
  const outcome = async (failure: unknown, probe: () => Promise<unknown>, ask: Ask = unasked) => {
    const guard = new TransactionGuard(new AbortController().signal);
    await guard.failed(failure, ask);
    return guard.checkOutcome(probe);
  };
  const lost = 'nothing was committed';

  it('is asked for where the database may have given it up', async () => {
    const failure = Object.assign(new Error('duplicate key'), { code: '23505' });
    await expect(outcome(failure, () => Promise.reject(new Error('25P02')))).rejects.toMatchObject({
      message: expect.stringContaining(lost),
      cause: failure,
    });
    await expect(outcome(failure, async () => {})).resolves.toBeUndefined();
    const never = () => Promise.reject(new Error('asked'));
    for (const code of [23_505, undefined, 'ER_DUP_ENTRY', '2350', '23505x', 'XSQLITE_FULL']) {
      await expect(outcome(Object.assign(new Error(), { code }), never)).resolves.toBeUndefined();
    }
  });

  it.each([
    ['a deadlock', 1213],
    ['a row that has changed since the snapshot', 1020],
  ])('is known after %s in MySQL or MariaDB, and nothing runs after it', async (_, errno) => {
    const error = new Error('', { cause: Object.assign(new Error('driver'), { errno }) });
    await expect(outcome(error, async () => {})).rejects.toThrow(lost);
    const guard = new TransactionGuard(new AbortController().signal);
    const ran: string[] = [];
    const failing = () => guard.noting(() => Promise.reject(error), unasked);
    const all = [
      guard.inTurn(async () => ran.push('before'), false),
      guard.inTurn(failing, false),
      guard.inTurn(async () => ran.push('behind'), false),
      guard.inTurn(async () => ran.push('rollback'), true),
    ];
    const results = await Promise.allSettled(all);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(ran).toEqual(['before', 'rollback']);
    // Another failure behind it does not hide it.
    await guard.failed(Object.assign(new Error('another'), { errno: 1213 }), unasked);
    await guard.failed(Object.assign(new Error('duplicate'), { errno: 1062 }), unasked);
    expect(() => guard.check()).toThrow(lost);
    await expect(guard.checkOutcome(async () => {})).rejects.toMatchObject({ cause: error });
  });

  it.each<[string, Ask, boolean]>([
    ['rolls back', async () => [{ is_rolled_back: 1 }], true],
    ['rolls back, as a text', async () => [{ is_rolled_back: '1' }], true],
    ['goes on', async () => [{ is_rolled_back: 0 }], false],
    ['does not tell', async () => [], true],
    ['is gone', () => Promise.reject(new Error('gone')), true],
  ])('is asked for after a long wait for a lock of a MySQL that %s', async (_, answer, isLost) => {
    const asked: string[] = [];
    const ask = (sql: string) => {
      asked.push(sql);
      return answer(sql);
    };
    const ended = outcome(Object.assign(new Error('too long'), { errno: 1205 }), async () => {}, ask);
    if (isLost) await expect(ended).rejects.toThrow(lost);
    else await ended;
    expect(asked).toEqual(['select @@innodb_rollback_on_timeout as is_rolled_back']);
  });

  it.each([
    ['has ended the transaction', true],
    ['goes on', false],
  ])('is asked for after a failure of a SQLite that %s', async (_, isLost) => {
    const ask = async (sql: string) => {
      expect(sql).toBe('begin');
      if (!isLost) throw new Error('cannot start a transaction within a transaction');
      return [];
    };
    const ended = outcome(Object.assign(new Error('full'), { code: 'SQLITE_FULL' }), async () => {}, ask);
    if (isLost) await expect(ended).rejects.toThrow(lost);
    else await ended;
  });
});

it('sends one statement of a transaction after another, whether they fail or not', async () => {
  const guard = new TransactionGuard(new AbortController().signal);
  const done: string[] = [];
  const step = (name: string) => async () => {
    done.push(name);
    await new Promise((resolve) => setImmediate(resolve));
    done.push(`${name} ended`);
    if (name === 'first') throw new Error('failed');
  };
  const all = ['first', 'second', 'commit'].map((name) => guard.inTurn(step(name), name === 'commit'));
  await Promise.allSettled(all);
  expect(done).toEqual(['first', 'first ended', 'second', 'second ended', 'commit', 'commit ended']);
});

it('closes what is open when a transaction ends, but nothing that was forgotten', () => {
  const guard = new TransactionGuard(new AbortController().signal);
  const closed: string[] = [];
  guard.closes(() => void closed.push('open'));
  guard.closes(() => void closed.push('forgotten'))();
  guard.end();
  expect(closed).toEqual(['open']);
});

describe('a success', () => {
  it.each([
    [200, true],
    [399, true],
    [400, false],
    [500, false],
  ])('is a response with the status %d: %s', (status, expected) => {
    expect(isSuccess(new FwResponse('', status, undefined))).toBe(expected);
  });

  it('is every result but an error', () => {
    for (const result of [undefined, null, 0, { error: 'x' }]) expect(isSuccess(result)).toBe(true);
    expect(isSuccess(new TypeError('no'))).toBe(false);
  });
});
