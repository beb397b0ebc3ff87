// Packages that load the app's TypeScript by names that they make at run time, under fw dev.
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type DevSession, save, startDev } from './dev-session.js';
import { checkout, installedFw, temporaryDirectory } from './packed.js';

const source = join(checkout, 'e2e/run-time-files');
const hasPackages = existsSync(join(source, 'node_modules'));
if (process.env.CI && !hasPackages) throw new Error('npm ci --prefix e2e/run-time-files was not run');

let session: DevSession | undefined;
afterEach(() => session?.end('SIGTERM'));

describe.skipIf(!hasPackages)('@fastify/autoload, FileMigrationProvider and piscina', () => {
  test('load files as under node, with one copy of each module', async () => {
    const app = join(temporaryDirectory(), 'app');
    cpSync(source, app, { recursive: true });
    session = await startDev({ app, binary: installedFw() });
    const { port, printed, says } = session;
    const get = async (path: string): Promise<unknown> =>
      (await fetch(`http://127.0.0.1:${port}${path}`)).json();
    expect(await get('/hello'), printed()).toEqual({ hello: 'from a plugin' });
    const answer = { migrations: ['001-users'], registry: ['hello', 'users'], sum: 28 };
    expect(await get('/'), printed()).toEqual(answer);

    const double = join(app, 'src/work/double.ts');
    const from = save(session, double, readFileSync(double, 'utf8').replace('* 2', '* 3'));
    await says(/double\.ts changed.*ready in/, from);
    expect(await get('/'), printed()).toEqual({ ...answer, sum: 42 });
  });
});
