// Testing: a server of an App that is there while WebSockets are connected to it.
import type { RunningServer } from '../../runtime/node/listen.js';
import type { Listenable } from '../test-server.js';

/** A server in use. */
export interface ServerLease {
  /** The base URL, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Ends the use; the last one closes the server. Resolves when it is closed. */
  release(): Promise<void>;
}

interface Shared {
  readonly running: Promise<RunningServer>;
  users: number;
}

const servers = new WeakMap<Listenable, Shared>();

/** Starts a server on a free port of 127.0.0.1, or uses the one that other WebSockets of the App have started. */
export async function leaseServer(app: Listenable): Promise<ServerLease> {
  let shared = servers.get(app);
  if (shared === undefined) {
    shared = { running: app.listen(0), users: 0 };
    servers.set(app, shared);
  }
  const own = shared;
  own.users += 1;
  let released: Promise<void> | undefined;
  const release = async (): Promise<void> => {
    own.users -= 1;
    if (own.users > 0) return;
    servers.delete(app);
    await (await own.running).close();
  };
  try {
    const { url } = await own.running;
    return {
      url,
      release() {
        released ??= release();
        return released;
      },
    };
  } catch (error) {
    servers.delete(app);
    throw error;
  }
}
