// A port for a server of a test.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to clients, and to servers without a port of their own, as nobody else is given them. */
const FIRST = 10_000;
const LAST = 32_000;

/** A port of 127.0.0.1 that nobody held a moment ago, and that hardly any other test is given. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve, reject) => {
      server.once('listening', () => resolve(true));
      server.once('error', (error: NodeJS.ErrnoException) => {
        // Others hold it, or Windows keeps it for itself.
        if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
        else reject(error);
      });
      server.listen(port, '127.0.0.1');
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
