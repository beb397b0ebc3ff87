// Fetch: what the server of a fetch runtime knows of a request besides the Request itself.

import { ConfigError } from '../config-error.js';
import type { PeerAddress } from '../http/request-source.js';
import { type RuntimeName, THIS_RUNTIME } from '../this-runtime.js';

/** One for each server. */
export interface ServingSide {
  /** The other end of the connection. @param info what the runtime passed with the Request */
  readPeer(request: Request, info: unknown): PeerAddress | undefined;
  /** What handlers get as `ctx.platform`, besides the Request; by default, what the runtime passed is its `env`. */
  platform?(info: unknown): object;
  /** Called when a stream is about to be sent, which may be idle for any time. */
  streams?(request: Request, info: unknown): void;
  /**
   * Whether the runtime passes on requests with a malformed Host field, which are answered 400: in a URL that is made of
   * it, one with a slash in it would change the path.
   */
  readonly checksHost: boolean;
  /** The event streams that a drain ends. */
  readonly eventStreams: OpenStreams;
  /** The other open streams, which are cut at the end of the grace period. */
  readonly otherStreams?: OpenStreams;
}

/** Open streams of a server: they may never end by themselves, so a drain ends them. */
export class OpenStreams {
  readonly #ends = new Set<() => void>();
  #isDraining = false;

  /** Returns what must be called when the stream has ended. */
  add(end: () => void): () => void {
    if (this.#isDraining) {
      end();
      return () => {};
    }
    this.#ends.add(end);
    return () => this.#ends.delete(end);
  }

  /** Ends all, and those that begin afterwards. */
  drain(): void {
    this.#isDraining = true;
    for (const end of this.#ends) end();
    this.#ends.clear();
  }
}

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
