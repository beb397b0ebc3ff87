// Tests of Redis: the server of the machine, and servers of their own that can be stopped.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createClient } from 'redis';

export const SHARED: string = 'redis://127.0.0.1:6379';

/** Whether what the tests need is there; without it they are skipped, and fail in CI. */
export async function hasRedis(): Promise<boolean> {
  const missing = (await canConnect())
    ? hasBinary()
      ? undefined
      : 'redis-server'
    : 'Redis on 127.0.0.1:6379';
  if (missing === undefined) return true;
  if (process.env.CI) throw new Error(`the tests of fw/redis need ${missing}, which is missing`);
  console.warn(`the tests of fw/redis are skipped: ${missing} is missing`);
  return false;
}

/** A prefix that no other run uses. */
export const newPrefix = (): string => `fw-test:${randomUUID()}:`;

/** Removes what a test has stored. */
export async function removePrefix(prefix: string): Promise<void> {
  const client = await createClient({ url: SHARED }).connect();
  for (const key of await client.keys(`${prefix}*`)) await client.del(key);
  await client.close();
}

/** A server of its own, on a port that was free. */
export class OwnServer {
  readonly port: number;
  #child: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
  }

  static async open(): Promise<OwnServer> {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const server = new OwnServer(port);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const options = ['--port', String(this.port), '--save', '', '--bind', '127.0.0.1', '--dir', '/tmp'];
    const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child = child;
    for await (const chunk of child.stdout) if (`${chunk}`.includes('Ready to accept')) break;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

/** A way to the server that can stop answering, with open connections. */
export class Blackhole {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #silent = new WeakSet<Socket>();
  #isSilent = false;
  #open = 0;
  #port: number;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
  }

  static async open(port: number): Promise<Blackhole> {
    const server = createServer((near) => {
      const far = connect(hole.#port, '127.0.0.1');
      hole.#sockets.add(near).add(far);
      hole.#open += 1;
      near.on('close', () => {
        hole.#open -= 1;
      });
      const isSilent = () => hole.#isSilent || hole.#silent.has(near);
      near.on('data', (data) => isSilent() || far.write(data));
      far.on('data', (data) => isSilent() || near.write(data));
      for (const socket of [near, far]) socket.on('error', () => {});
    });
    const hole = new Blackhole(server, port);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return hole;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The number of open connections. */
  get open(): number {
    return this.#open;
  }

  swallow(): void {
    this.#isSilent = true;
  }

  /** What is open stays so and answers nothing any more, as if the machine were gone. */
  swallowOpen(): void {
    this.#silent = new WeakSet(this.#sockets);
  }

  /** Where new connections go. */
  leadTo(port: number): void {
    this.#port = port;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

async function canConnect(): Promise<boolean> {
  const socket = connect(6379, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function hasBinary(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
