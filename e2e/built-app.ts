// An app that was built, started as in production on a port of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { answering } from './free-port.js';

export interface BuiltApp {
  url: string;
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<void>;
}

export async function startBuilt(app: string, port: number, env: NodeJS.ProcessEnv = {}): Promise<BuiltApp> {
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(process.execPath, ['--enable-source-maps', 'dist/main.js'], {
    cwd: app,
    env: {
      ...process.env,
      PORT: String(port),
      PUBLIC_URL: url,
      NODE_ENV: 'production',
      MIGRATE: 'true',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(server, 'exit');
  await answering(`${url}/health`);
  return {
    url,
    async stop() {
      server.kill('SIGTERM');
      await ended;
    },
  };
}
