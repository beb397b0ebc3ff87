// API keys, by which machines call the API for a user. Only users manage them: a key cannot make another one.
import { randomUUID } from 'node:crypto';
import { App, describeRoute, FwError, Path, requireScope, Valid } from 'fw';
import { generateApiKey, hashApiKey } from 'fw/api-key';
import { z } from 'zod';
import { Line } from '../text.ts';
import { accountScope, currentUser, keyScopes } from './auth.ts';

const Scopes = z.array(z.enum(keyScopes)).min(1);
const NewKey = z.object({ label: Line.min(1).max(100), scopes: Scopes });
const Key = z
  .object({ id: z.uuid(), label: z.string(), scopes: z.array(z.string()), createdAt: z.iso.datetime() })
  .meta({ id: 'ApiKey' });
const MadeKey = Key.extend({
  key: z.string().meta({ description: 'Send it as X-API-Key. It is shown here only.' }),
}).meta({ id: 'MadeApiKey' });

const use = [requireScope(accountScope), currentUser] as const;
const tags = ['api keys'];

export function apiKeys(): App {
  const app = App.withoutDefaults();

  app.post(
    describeRoute('/', { returns: { 201: MadeKey }, use, tags, summary: 'Make an API key' }),
    Valid(NewKey),
    async ({ label, scopes }, { ctx, user }) => {
      const key = generateApiKey('tasks');
      const row = {
        id: randomUUID(),
        ownerId: user.id,
        label,
        keyHash: hashApiKey(key),
        scopes: [...new Set(scopes)].join(' '),
        createdAt: new Date().toISOString(),
      };
      await ctx.db().insertInto('apiKeys').values(row).execute();
      // No cache may keep the key.
      ctx.header('Cache-Control', 'no-store');
      return { ...shown(row), key };
    },
  );

  app.get(
    describeRoute('/', { returns: z.object({ items: z.array(Key) }), use, tags, summary: 'My API keys' }),
    async (ctx, { user }) => {
      const rows = await ctx
        .db()
        .selectFrom('apiKeys')
        .selectAll()
        .where('ownerId', '=', user.id)
        .orderBy('createdAt')
        .orderBy('id')
        .execute();
      return { items: rows.map(shown) };
    },
  );

  app.delete(
    describeRoute('/:id', {
      returns: { 204: null },
      errors: { 404: 'There is no such key.' },
      use,
      tags,
      summary: 'Revoke an API key',
    }),
    Path('id', z.uuid()),
    async (id, { ctx, user }) => {
      const { numDeletedRows } = await ctx
        .db()
        .deleteFrom('apiKeys')
        .where('id', '=', id)
        .where('ownerId', '=', user.id)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw FwError.notFound(`there is no API key ${id}`);
    },
  );

  return app;
}

function shown<Row extends { scopes: string }>(row: Row): Omit<Row, 'scopes'> & { scopes: string[] } {
  return { ...row, scopes: row.scopes.split(' ') };
}
