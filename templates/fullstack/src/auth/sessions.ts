// Sessions: where a user is signed in, and how to end that from elsewhere.
import { logAccountEvent } from 'fw/accounts';
import { RpcRegistry } from 'fw/rpc';
import { z } from 'zod';

export interface SignedIn {
  /** Names the session, and is not its secret. */
  id: string;
  /** Such as Firefox on Linux. */
  browser: string;
  signedInAt: string;
  usedAt: string;
  /** Whether it is the session that asks. */
  isCurrent: boolean;
}

export const sessions = RpcRegistry.group('sessions');

/** The sessions of the user, the last used one first. */
sessions.query('all', async (_: undefined, { ctx }): Promise<SignedIn[]> => {
  const all = await ctx.session().list();
  return all.map(({ id, label = 'Unknown browser', createdAtMs, usedAtMs, isCurrent }) => ({
    id,
    browser: label,
    signedInAt: new Date(createdAtMs).toISOString(),
    usedAt: new Date(usedAtMs).toISOString(),
    isCurrent,
  }));
});

/** Ends a session of the user, with all that its windows have open. One that has ended already is none. */
sessions.mutation(
  'end',
  { input: z.object({ id: z.string().max(100) }) },
  async ({ id }, { ctx }): Promise<void> => {
    if (await ctx.session().end(id)) logAccountEvent(ctx, 'sign-out', { userId: ctx.principal()?.id });
  },
);

/** Ends all sessions of the user but this one. */
sessions.mutation('endOthers', async (_: undefined, { ctx }): Promise<void> => {
  if ((await ctx.session().endOthers()) > 0)
    logAccountEvent(ctx, 'sign-out', { userId: ctx.principal()?.id });
});
