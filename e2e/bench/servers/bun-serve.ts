// Bun's own server, as far as the benches use it: its types are not installed here.

interface BunServer {
  serve(options: {
    fetch: (request: Request) => Response | Promise<Response>;
    hostname: string;
    port: number;
  }): unknown;
}

/** Serves on the port that the bench has chosen, and says when it accepts connections. */
export function bunServe(fetch: (request: Request) => Response | Promise<Response>): void {
  const { Bun } = globalThis as unknown as { Bun: BunServer };
  Bun.serve({ fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) });
  console.log('ready');
}
