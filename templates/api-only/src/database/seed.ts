// Data for development, by `npm run seed` and after `npm run migrate reset`. Running it again changes nothing.
import { hashPassword } from 'fw/password';
import type { Db } from './database.ts';

const email = 'ada@example.org';
const password = 'correct horse battery';

/** @throws Error in production, because everybody knows the password */
export async function seed(db: Db): Promise<void> {
  if (process.env.NODE_ENV === 'production') {
    throw new Error(`data for development is not for production: everybody knows the password of ${email}`);
  }
  const ownerId = '00000000-0000-4000-8000-000000000000';
  const day = (number: number): string => new Date(Date.UTC(2026, 0, number)).toISOString();

  await db
    .insertInto('users')
    .values({ id: ownerId, email, passwordHash: await hashPassword(password), createdAt: day(1) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

  const owner = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const rows = Array.from({ length: 30 }, (_, index) => ({
    id: `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`,
    ownerId: owner.id,
    title: `Task ${index + 1}`,
    notes: '',
    status: index % 3 === 0 ? ('done' as const) : ('open' as const),
    version: 1,
    createdAt: day(index + 1),
    updatedAt: day(index + 1),
  }));
  await db
    .insertInto('tasks')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  console.log(
    `The database has the account ${email} with the password '${password}', and ${rows.length} tasks`,
  );
}
