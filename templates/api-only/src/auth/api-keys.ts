// API keys, by which machines call the API for a user. Only users manage them: a key cannot make another one.
import { App, describeRoute, FwError, Path, requireScope, Valid } from 'fw';
import type { ApiKeyInfo } from 'fw/accounts';
import { z } from 'zod';
import { Line } from '../text.ts';
import { accountScope, currentUser, keyScopes, keysOf } from './auth.ts';

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
    async (newKey, { ctx, user }) => {
      const { key, ...made } = await keysOf(ctx.db()).create(user.id, newKey);
      // No cache may keep the key.
      ctx.header('Cache-Control', 'no-store');
      return { ...shown(made), key };
    },
  );

  app.get(
    describeRoute('/', { returns: z.object({ items: z.array(Key) }), use, tags, summary: 'My API keys' }),
    async (ctx, { user }) => ({ items: (await keysOf(ctx.db()).list(user.id)).map(shown) }),
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
      const isRevoked = await keysOf(ctx.db()).revoke(user.id, id);
      if (!isRevoked) throw FwError.notFound(`there is no API key ${id}`);
    },
  );

  return app;
}

function shown({ id, label, scopes, createdAtMs }: ApiKeyInfo): z.input<typeof Key> {
  return { id, label, scopes: [...scopes], createdAt: new Date(createdAtMs).toISOString() };
}
