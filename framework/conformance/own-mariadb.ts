// A MariaDB of its own for tests of TLS, with a certificate that nobody trusts, and with settings that a running one keeps.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { freePort } from './free-port.js';
import { selfSigned } from './self-signed.js';

const INSTALL = 'mariadb-install-db';
/** On Debian it is where only administrators look. */
const SERVER = ['mariadbd', '/usr/sbin/mariadbd'].find(
  (name) => spawnSync(name, ['--no-defaults', '--version']).status === 0,
);

/** Why its tests are skipped; undefined if they run. */
export const noOwnMariaDb: string | undefined =
  SERVER === undefined ? 'there is no mariadbd to start with a certificate' : undefined;
if (noOwnMariaDb !== undefined) {
  if (process.env.CI !== undefined) throw new Error(`${noOwnMariaDb}, and CI needs one`);
  console.warn(`skipped: ${noOwnMariaDb}`);
}

export class OwnMariaDb {
  readonly url: string;
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(url: string, folder: string, child: ChildProcess) {
    this.url = url;
    this.#folder = folder;
    this.#child = child;
  }

  /** @param settings more options of the server */
  static async start(settings: readonly string[] = []): Promise<OwnMariaDb> {
    const folder = mkdtempSync(join(tmpdir(), 'fw-mariadb-'));
    const [data, key, cert] = ['data', 'key.pem', 'cert.pem'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(key, `${selfSigned.key}\n`);
    writeFileSync(cert, `${selfSigned.cert}\n`);
    // It refuses to run as root, and must read these as whom it runs.
    chmodSync(folder, 0o755);
    const asOther = process.getuid?.() === 0 ? ['--user=nobody'] : [];
    const made = spawnSync(INSTALL, [
      '--no-defaults',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      ...asOther,
    ]);
    if (made.status !== 0) throw new Error(`${INSTALL}: ${made.stdout}${made.stderr}`);
    const port = await freePort();
    const child = spawn(
      SERVER ?? '',
      [
        '--no-defaults',
        ...asOther,
        `--datadir=${data}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        `--socket=${join(data, 'socket')}`,
        `--ssl-cert=${cert}`,
        `--ssl-key=${key}`,
        ...settings,
      ],
      { stdio: 'ignore' },
    );
    const own = new OwnMariaDb(`mysql://root@127.0.0.1:${port}/mysql`, folder, child);
    await own.#answers();
    return own;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL');
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
    rmSync(this.#folder, { recursive: true });
  }

  async #answers(): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await (await createConnection(this.url)).end();
        return;
      } catch (error) {
        if (tries === 200 || this.#child.exitCode !== null) throw error;
        await wait(100);
      }
    }
  }
}
