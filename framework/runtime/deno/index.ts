// The entry `fw/deno`: serves an App with the server of Deno.

import type { App } from '../../app/app.js';
import type { ListenAddress, RunningServer } from '../node/listen.js';
import { deno } from './runtime.js';

export type { ListenAddress, RunningServer };

/**
 * Serves the App with `Deno.serve`, and resolves when it accepts connections. A number is a port on 127.0.0.1; port 0
 * picks a free one. `close()` of the returned server is a graceful shutdown: event streams and WebSockets end at once, and
 * requests in flight have the App's `shutdownGracePeriod`.
 *
 * ```ts no-run
 * const server = await listen(app, '0.0.0.0:3000');
 * await shutdownSignal();
 * await server.close();
 * ```
 *
 * @throws ConfigError if the process does not run on Deno, or the address is malformed; Error
 * if the port is in use or not permitted.
 */
export function listen<Prefix extends string>(
  app: App<Prefix>,
  address: ListenAddress,
): Promise<RunningServer> {
  if (typeof (app as Partial<App> | null | undefined)?.listenOn !== 'function') {
    throw new Error(`listen() of fw/deno takes an App, got ${app === null ? 'null' : typeof app}`);
  }
  return app.listenOn(deno, address);
}
