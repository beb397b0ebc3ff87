// PgBouncer before the PostgreSQL of this machine, for tests: in transaction mode, each transaction may get another
// connection of the server.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.js';

/** On Debian it is where only administrators look. */
const binary = ['pgbouncer', '/usr/sbin/pgbouncer'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

/** Why its tests are skipped; undefined if they run. */
export const noPgBouncer: string | undefined = binary === undefined ? 'there is no pgbouncer' : undefined;
if (noPgBouncer !== undefined) {
  if (process.env.CI !== undefined) throw new Error(`${noPgBouncer}, and CI needs one`);
  console.warn(`skipped: ${noPgBouncer}`);
}

export class PgBouncer {
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #port: number;

  private constructor(folder: string, child: ChildProcess, port: number) {
    this.#folder = folder;
    this.#child = child;
    this.#port = port;
  }

  /** In transaction mode. It serves all databases of the server at this URL. */
  static async start(server: string): Promise<PgBouncer> {
    const folder = mkdtempSync(join(tmpdir(), 'fw-pgbouncer-'));
    // It runs as another user if this is root, whom it refuses.
    chmodSync(folder, 0o755);
    const port = await freePort();
    const { hostname, port: serverPort } = new URL(server);
    writeFileSync(
      join(folder, 'pgbouncer.ini'),
      `[databases]
* = host=${hostname} port=${serverPort} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
server_idle_timeout = 1
`,
    );
    const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const child = spawn(binary ?? '', [...asOther, '-q', join(folder, 'pgbouncer.ini')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const started = new PgBouncer(folder, child, port);
    await started.#answers();
    return started;
  }

  /** The URL of a database through it. */
  urlOf(database: string): string {
    const url = new URL(database);
    url.port = String(this.#port);
    return url.href;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL');
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
    rmSync(this.#folder, { recursive: true });
  }

  async #answers(): Promise<void> {
    for (let tries = 0; ; tries++) {
      const isThere = await new Promise<boolean>((resolve) => {
        const socket = connect(this.#port, '127.0.0.1', () => resolve(true));
        socket.once('error', () => resolve(false));
        socket.once('connect', () => socket.destroy());
      });
      if (isThere) return;
      if (tries === 100 || this.#child.exitCode !== null) throw new Error('pgbouncer does not answer');
      await wait(50);
    }
  }
}
