// One stable address for debuggers, although every worker opens its inspector on another port.
import net from 'node:net';
import { freePort, portOwner } from '../process/port-owner.js';
import { CliError } from '../terminal/errors.js';

/** Of the inspector of Node.js. */
const DEFAULT_PORT = 9229;

export interface InspectProxy {
  port: number;
  close(): void;
}

/**
 * Forwards connections on `127.0.0.1:port` to the inspector port that `target` returns at that moment. Undefined without a
 * port.
 */
export async function openInspectProxy(
  port: number | undefined,
  target: () => number | undefined,
): Promise<InspectProxy | undefined> {
  if (port === undefined) return undefined;
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const to = target();
    client.on('error', () => client.destroy());
    if (to === undefined) return client.destroy();
    const worker = net.connect(to, '127.0.0.1');
    worker.on('error', () => client.destroy());
    client.on('close', () => worker.destroy());
    worker.on('close', () => client.destroy());
    for (const socket of [client, worker]) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    }
    client.pipe(worker).pipe(client);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  }).catch(async (cause: NodeJS.ErrnoException) => {
    const owner = cause.code === 'EADDRINUSE' ? portOwner(port) : undefined;
    const what =
      cause.code === 'EADDRINUSE'
        ? `is in use${owner ? ` by ${owner}` : ''}`
        : `cannot be opened: ${cause.message}`;
    const other = (await freePort(port < 1024 ? DEFAULT_PORT : port + 1, '127.0.0.1')) ?? DEFAULT_PORT;
    throw new CliError(`the inspector's port ${port} ${what}`, {
      help: `${owner ? 'stop the process that uses it, or ' : ''}choose another: fw dev --inspect ${other}`,
      cause,
    });
  });
  return {
    port: (server.address() as net.AddressInfo).port,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
