// The database of the app of the pictures, in memory.
import { kyselyFromUrl } from 'fw/kysely';
import { type Generated, type Kysely, sql } from 'kysely';

interface Database {
  products: { id: Generated<number>; name: string; price: number; stock: number };
}

export const db: Kysely<Database> = await kyselyFromUrl<Database>(':memory:');

await sql`create table products (id integer primary key, name text, price real, stock integer)`.execute(db);
await db
  .insertInto('products')
  .values([
    { name: 'Desk lamp', price: 49.9, stock: 12 },
    { name: 'Notebook, dotted', price: 12.5, stock: 230 },
    { name: 'Fountain pen', price: 89, stock: 7 },
  ])
  .execute();
