// Servers: says how an App is served on the runtime of this process, where something else was called.
import { ConfigError } from '../config-error.js';
import { type RuntimeName, THIS_RUNTIME } from '../this-runtime.js';

const REMEDIES: Readonly<Record<RuntimeName, string>> = {
  'Node.js': 'use app.listen()',
  Bun: "use listen(app, …), with import { listen } from 'fw/bun'",
  Deno: "use listen(app, …), with import { listen } from 'fw/deno'",
  Workers: 'the platform starts the server, so write: export default app',
};

/** How an App is served here, for messages. */
export function howToServe(runtime: RuntimeName = THIS_RUNTIME): string {
  return REMEDIES[runtime];
}

/** For the server of another runtime. */
export function notHere(name: RuntimeName): ConfigError {
  return new ConfigError('FW_RUNTIME', `this process does not run on ${name}; ${howToServe()}`);
}

/**
 * For what starts a server of `node:http`. That of Bun cannot be closed without an error, and Workers have none.
 *
 * @throws ConfigError on these.
 */
export function assertNodeServer(call: string, runtime: RuntimeName = THIS_RUNTIME): void {
  if (runtime !== 'Bun' && runtime !== 'Workers') return;
  throw new ConfigError('FW_RUNTIME', `${call} does not work on ${runtime}; ${howToServe(runtime)}`);
}
