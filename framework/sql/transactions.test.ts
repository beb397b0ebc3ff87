// Transactions of both toolkits on every database: they end with the outcome and the abort of their request.
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { App } from '../app/app.js';
import { databaseKinds, type TestDatabase } from '../conformance/databases.js';
import { createNotes, type Handle, type Opened, toolkits } from '../conformance/sql-toolkits.js';
import { route } from '../extract/route.js';
import { FwError } from '../http/errors.js';
import { RpcRegistry } from '../rpc/registry/registry.js';
import { TestClient } from '../testing/test-client.js';

const SLEEP = { postgres: 'select pg_sleep(1)', mysql: 'select sleep(1)', sqlite: 'select 1' };

function gate(): { given: Promise<void>; give: () => void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

for (const kind of databaseKinds) {
  describe.skipIf(kind.missing !== undefined)(kind.engine, () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await kind.create();
      await createNotes(toolkits[0] as never, database);
    });
    afterAll(() => database.drop());

    describe.each(toolkits)('with $name', (toolkit) => {
      let opened: Opened;
      let client: TestClient;
      let onHandler: (handle: Handle, signal: AbortSignal) => unknown;

      beforeAll(async () => {
        // One connection: what a transaction leaves behind on it meets the next query.
        opened = await toolkit.open(database, { maxConnections: 1, acquireTimeoutMs: 5_000 });
        const use = [opened.transactional] as const;
        const rpc = new RpcRegistry().mutation('work', { use }, async (_: undefined, call) => {
          await onHandler(opened.handle(call.trx), call.signal);
        });
        const app = opened
          .attach(new App().requestTimeout(500))
          .mountRpc('/rpc', rpc)
          .post(
            route('/work', { use }),
            (_, { trx, signal }) => onHandler(opened.handle(trx), signal) as object,
          )
          .post(route('/checked', { use, returns: { 200: z.object({ id: z.number() }) } }), ((
            _: unknown,
            { trx, signal }: { trx: unknown; signal: AbortSignal },
          ) => onHandler(opened.handle(trx), signal)) as never)
          .post(route('/inner', { use }), (ctx) =>
            opened.transaction(ctx, async (inner) => onHandler(inner, ctx.signal) as object),
          )
          .post('/own', (ctx) =>
            opened.transaction(ctx, async (handle) => onHandler(handle, ctx.signal) as object),
          );
        client = new TestClient(app);
      });
      beforeEach(() => opened.own.run('delete from notes'));
      afterAll(() => opened.close());

      it.each(['/work', '/own'])('commits at success (%s)', async (path) => {
        onHandler = async (trx) => {
          await trx.insert('kept');
          expect(await trx.names()).toEqual(['kept']);
          return { id: 1 };
        };
        (await client.post(path)).assertStatus(200);
        expect(await opened.own.names()).toEqual(['kept']);
      });

      it.each(['/work', '/own'])(
        'says that nothing was committed after a caught failure (%s)',
        async (path) => {
          onHandler = async (trx) => {
            await trx.insert('one');
            await trx.insert('one').catch(() => {});
            return { id: 1 };
          };
          // Others go on after a statement that has failed.
          const isGivenUp = kind.engine === 'postgres';
          (await client.post(path)).assertStatus(isGivenUp ? 500 : 200);
          expect(await opened.own.names()).toEqual(isGivenUp ? [] : ['one']);
        },
      );

      it.runIf(kind.engine === 'mysql')('commits nothing of a transaction that met a deadlock', async () => {
        const table = `rows_${toolkit.name}`;
        await opened.own.run(`create table ${table} (id int primary key, n int)`);
        await opened.own.run(`insert into ${table} values (1, 0), (2, 0)`);
        const change = (trx: Handle, id: number) => trx.run(`update ${table} set n = n + 1 where id = ${id}`);
        const other = await toolkit.open(database);
        const ctx = { signal: new AbortController().signal };
        const [hasOne, hasTwo] = [gate(), gate()];
        const winner = other.transaction(ctx, async (trx) => {
          // It has changed more rows, so that the server gives up the other one.
          await trx.run(`insert into ${table} values (11, 0), (12, 0), (13, 0), (14, 0)`);
          await change(trx, 2);
          hasTwo.give();
          await hasOne.given;
          await change(trx, 1);
        });
        const loser = opened.transaction(ctx, async (trx) => {
          await hasTwo.given;
          await trx.insert('lost');
          await change(trx, 1);
          hasOne.give();
          // The second one is sent before the first one has failed.
          await Promise.allSettled([change(trx, 2), trx.insert('behind')]);
          await trx.insert('after').catch(() => {});
        });
        await expect(loser).rejects.toThrow('nothing was committed');
        await winner;
        await other.close();
        expect(await opened.own.names()).toEqual([]);
      });

      it.runIf(kind.engine === 'sqlite')(
        'commits nothing of a transaction that a statement has rolled back',
        async () => {
          const ctx = { signal: new AbortController().signal };
          await opened.own.run(
            "create trigger refusing before insert on notes when new.name = 'refused' begin select raise(rollback, 'no'); end",
          );
          const lost = opened.transaction(ctx, async (trx) => {
            await trx.insert('lost');
            await trx.insert('refused').catch(() => {});
            await trx.insert('after').catch(() => {});
          });
          await expect(lost).rejects.toThrow();
          await opened.own.run('drop trigger refusing');
          expect(await opened.own.names()).toEqual([]);
          await opened.transaction(ctx, (trx) => trx.insert('next'));
          expect(await opened.own.names()).toEqual(['next']);
        },
      );

      describe.runIf(kind.engine === 'mysql' || (toolkit.name === 'kysely' && kind.engine === 'sqlite'))(
        'a stream of rows',
        () => {
          const names = Array.from({ length: 300 }, (_, index) => `n${100 + index}`);
          const fill = () =>
            opened.own.run(`insert into notes (name) values ${names.map((name) => `('${name}')`)}`);

          it('has all of them', async () => {
            const ctx = { signal: new AbortController().signal };
            const read: unknown[] = [];
            await fill();
            await opened.transaction(ctx, async (trx) => {
              for await (const row of trx.stream()) read.push(row);
            });
            expect(read).toEqual(names.map((name) => ({ name })));
          });

          it('ends at an abort, whatever waits in its loop', async () => {
            const [controller, goesOn] = [new AbortController(), gate()];
            const outcome: unknown[] = [];
            await fill();
            const reading = opened.transaction(controller, async (trx) => {
              try {
                for await (const _ of trx.stream()) {
                  controller.abort(new Error('gone'));
                  await goesOn.given;
                }
                outcome.push('all rows');
              } catch (error) {
                outcome.push((error as Error).message);
              }
            });
            await expect(reading).rejects.toThrow('gone');
            // The only connection is free again.
            expect(await opened.own.names()).toEqual(names);
            goesOn.give();
            await expect.poll(() => outcome).toEqual([expect.stringMatching(/^gone$|has ended/)]);
          });

          it('can be left before its end', async () => {
            const ctx = { signal: new AbortController().signal };
            await fill();
            await opened.transaction(ctx, async (trx) => {
              for await (const row of trx.stream()) {
                expect(row).toEqual({ name: 'n100' });
                break;
              }
              await trx.insert('after');
            });
            expect(await opened.own.names()).toEqual([...names, 'after']);
          });

          it('does not begin once the transaction has ended', async () => {
            const ctx = { signal: new AbortController().signal };
            const late = await opened.transaction(ctx, async (trx) => [trx.stream()]);
            await expect(late[0]?.[Symbol.asyncIterator]().next()).rejects.toThrow(
              /has ended|already committed/,
            );
          });
        },
      );

      it.each(['/work', '/own'])('rolls back what a handler throws, and passes it on (%s)', async (path) => {
        onHandler = async (trx) => {
          await trx.insert('lost');
          throw FwError.forbidden('no');
        };
        (await client.post(path)).assertStatus(403);
        expect(await opened.own.names()).toEqual([]);
      });

      it.each([
        ['a response with an error status', () => new Response('no', { status: 422 })],
        ['an error that is returned', () => FwError.forbidden('no')],
        ['a value that JSON cannot represent', () => ({ id: 1n })],
      ])('rolls back if the answer is %s', async (_, answer) => {
        onHandler = async (trx) => {
          await trx.insert('lost');
          return answer();
        };
        expect((await client.post('/work')).status).toBeGreaterThanOrEqual(400);
        expect(await opened.own.names()).toEqual([]);
      });

      it('rolls back if the schema of the answer refuses it', async () => {
        onHandler = async (trx) => {
          await trx.insert('lost');
          return { id: 'no number' };
        };
        (await client.post('/checked')).assertStatus(500);
        expect(await opened.own.names()).toEqual([]);
      });

      it('covers procedures', async () => {
        const call = { jsonrpc: '2.0', method: 'work', id: 1 };
        onHandler = (trx) => trx.insert('kept');
        await client.post('/rpc', { json: call });
        onHandler = async (trx) => {
          await trx.insert('lost');
          throw new Error('failed');
        };
        await client.post('/rpc', { json: call });
        expect(await opened.own.names()).toEqual(['kept']);
      });

      it.each(['/work', '/own'])(
        'commits nothing after a 408, and refuses later queries (%s)',
        async (path) => {
          let late: Promise<unknown> = Promise.resolve();
          const ended = new Promise<void>((resolve) => {
            onHandler = async (trx, signal) => {
              await trx.insert('lost');
              await once(signal, 'abort');
              late = trx.insert('late');
              late.catch(() => resolve());
              return { id: 1 };
            };
          });
          (await client.post(path)).assertStatus(408);
          await ended;
          await expect(late).rejects.toThrow();
          expect(await opened.own.names()).toEqual([]);
        },
      );

      it.runIf(kind.engine !== 'sqlite')('waits for the query that runs at the abort', async () => {
        let after: Promise<unknown> = Promise.resolve();
        onHandler = async (trx) => {
          await trx.insert('lost');
          const sleeping = trx.run(SLEEP[kind.engine]);
          after = sleeping.then(() => trx.insert('after'));
          after.catch(() => {});
          await after;
          return { id: 1 };
        };
        (await client.post('/own')).assertStatus(408);
        // The only connection is free again when the query has ended and everything is rolled back.
        expect(await opened.own.names()).toEqual([]);
        await expect(after).rejects.toThrow();
        expect(await opened.own.names()).toEqual([]);
      });

      it('stops waiting for a connection at the abort, and begins nothing then', async () => {
        const controller = new AbortController();
        let release = () => {};
        const held = new Promise<void>((resolve) => {
          release = resolve;
        });
        let isHolding = () => {};
        const holding = new Promise<void>((resolve) => {
          isHolding = resolve;
        });
        const holder = opened.transaction({ signal: new AbortController().signal }, async (trx) => {
          await trx.names();
          isHolding();
          await held;
        });
        await holding;
        let hasBegun = false;
        const waiting = opened.transaction(controller, async () => {
          hasBegun = true;
        });
        controller.abort(new Error('gone'));
        await expect(waiting).rejects.toThrow('gone');
        release();
        await holder;
        expect(await opened.own.names()).toEqual([]);
        expect(hasBegun).toBe(false);
      });

      it('is refused inside of another one, which would deadlock a full pool', async () => {
        const ctx = { signal: new AbortController().signal };
        const outer = opened.transaction(ctx, async (trx) => {
          await trx.insert('lost');
          await opened.transaction(ctx, (inner) => inner.insert('lost'));
        });
        const message = 'pass `trx` of the outer transaction on';
        await expect(outer).rejects.toThrow(message);
        onHandler = (inner) => inner.insert('lost');
        (await client.post('/inner')).assertStatus(500);
        expect(await opened.own.names()).toEqual([]);
      });

      it('may be given to another one if the toolkit has savepoints', async () => {
        const ctx = { signal: new AbortController().signal };
        const outer = opened.transaction(ctx, async (trx) => {
          await trx.insert('outer');
          const lost = opened.within(trx, ctx, async (inner) => {
            await inner.insert('lost');
            throw new Error('only the inner one');
          });
          await expect(lost).rejects.toThrow(
            toolkit.name === 'kysely' ? 'pass `trx` of the outer' : 'only the inner one',
          );
          await trx.insert('after');
          if (toolkit.name === 'kysely') return;
          await opened.within(trx, ctx, (inner) => opened.within(inner, ctx, (it) => it.insert('inner')));
          await trx.insert('end');
        });
        await outer;
        const kept = toolkit.name === 'kysely' ? ['outer', 'after'] : ['outer', 'after', 'inner', 'end'];
        expect(await opened.own.names()).toEqual(kept);
      });

      it('refuses queries after the end of the transaction', async () => {
        let kept: Handle | undefined;
        await opened.transaction({ signal: new AbortController().signal }, async (trx) => {
          kept = trx;
          await trx.insert('kept');
        });
        await expect(kept?.insert('late')).rejects.toThrow();
        expect(await opened.own.names()).toEqual(['kept']);
      });
    });
  });
}
