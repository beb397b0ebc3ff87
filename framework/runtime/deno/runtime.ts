// Deno: its server, by the few members that are used; the types of Deno are not needed to compile an app.
import type { Answer, Runtime } from '../fetch-server.js';

interface DenoServer {
  readonly addr: { readonly port?: number };
  shutdown(): Promise<void>;
}

interface DenoGlobal {
  serve(options: {
    readonly hostname?: string;
    readonly port?: number;
    readonly path?: string;
    readonly handler: Answer;
    /** Without it, Deno prints the address. */
    onListen(): void;
  }): DenoServer;
}

const { Deno } = globalThis as { Deno?: DenoGlobal };

export const deno: Runtime = {
  name: 'Deno',
  isHere: Deno !== undefined,
  checksHost: true,
  start(answer, wanted) {
    const place = 'path' in wanted ? { path: wanted.path } : { hostname: wanted.host, port: wanted.port };
    const server = (Deno as DenoGlobal).serve({ ...place, handler: answer, onListen() {} });
    let giveUp = () => {};
    const givenUp = new Promise<void>((resolve) => {
      giveUp = resolve;
    });
    return {
      port: server.addr.port ?? 0,
      stop: () => Promise.race([server.shutdown(), givenUp]),
      // Deno cannot cut connections once a shutdown has begun: they end with the process.
      cut: giveUp,
    };
  },
  readPeer(_request, info) {
    const { remoteAddr } = info as { remoteAddr: { hostname?: string; port?: number } };
    const { hostname, port } = remoteAddr;
    // A Unix socket has neither.
    return hostname === undefined || port === undefined ? undefined : { address: hostname, port };
  },
};
