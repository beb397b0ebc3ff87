import { promises as fs } from 'node:fs';
import path from 'node:path';
import autoload from '@fastify/autoload';
import fastify from 'fastify';
import { FileMigrationProvider } from 'kysely';
import { Piscina } from 'piscina';
import { registry } from './registry.ts';

const folder = import.meta.dirname;
const migrations = new FileMigrationProvider({ fs, path, migrationFolder: path.join(folder, 'tables') });
const pool = new Piscina<readonly number[], number>({
  filename: path.join(folder, 'work/sum.ts'),
  maxThreads: 1,
});

const app = fastify();
app.register(autoload, { dir: path.join(folder, 'plugins') });
app.get('/', async () => ({
  migrations: Object.keys(await migrations.getMigrations()),
  registry,
  sum: await pool.run([1, 2, 3]),
}));
await app.listen({ port: Number(process.env.PORT) });
