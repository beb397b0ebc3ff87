// Deno: its server, by the few members that are used; the types of Deno are not needed to compile an app.
import type { Runtime } from '../fetch-server.js';
import { DenoUpgrade, type UpgradeOfDeno } from './sockets.js';

interface DenoServer {
  readonly addr: { readonly port?: number };
  shutdown(): Promise<void>;
}

/** An upgrade has a Response, too. */
type RequestHandler = (request: Request, info: unknown) => Response | Promise<Response>;

interface DenoGlobal {
  readonly upgradeWebSocket: UpgradeOfDeno;
  serve(options: {
    readonly hostname?: string;
    readonly port?: number;
    readonly path?: string;
    readonly handler: RequestHandler;
    /** Without it, Deno prints the address. */
    onListen(): void;
    onError(error: unknown): Response;
  }): DenoServer;
}

const { Deno } = globalThis as { Deno?: DenoGlobal };

export const deno: Runtime = {
  name: 'Deno',
  isHere: Deno !== undefined,
  checksHost: true,
  start(answer, wanted) {
    const place = 'path' in wanted ? { path: wanted.path } : { hostname: wanted.host, port: wanted.port };
    const server = (Deno as DenoGlobal).serve({
      ...place,
      handler: answer as RequestHandler,
      onListen() {},
      onError,
    });
    let giveUp = () => {};
    const givenUp = new Promise<void>((resolve) => {
      giveUp = resolve;
    });
    return {
      port: server.addr.port ?? 0,
      stop: () => Promise.race([server.shutdown(), givenUp]),
      // Deno cannot cut connections once a shutdown has begun: what has no response yet ends with the process.
      cut: giveUp,
    };
  },
  upgradeOf: (request) => new DenoUpgrade(request, (Deno as DenoGlobal).upgradeWebSocket),
  readPeer(_request, info) {
    const { remoteAddr } = info as { remoteAddr: { hostname?: string; port?: number } };
    const { hostname, port } = remoteAddr;
    // A Unix socket has neither.
    return hostname === undefined || port === undefined ? undefined : { address: hostname, port };
  },
};

/** Deno tells here of streams that fail, too, which are reported already, and else prints them. */
function onError(error: unknown): Response {
  if (error !== undefined) console.error(error);
  return new Response('Internal Server Error', { status: 500 });
}
