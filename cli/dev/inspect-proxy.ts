// One stable address for debuggers, although every worker opens its inspector on another port.
import net from 'node:net';
import { portOwner } from '../process/port-owner.js';
import { CliError } from '../terminal/errors.js';
import type { Listener } from './listener.js';

export interface InspectProxy {
  port: number;
  close(): void;
}

/** Forwards connections on `127.0.0.1:port` to the inspector port that `target` returns at that moment. */
async function openInspectProxy(port: number, target: () => number | undefined): Promise<InspectProxy> {
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
  }).catch((cause) => {
    const owner = portOwner(port);
    throw new CliError(`the inspector's port ${port} is in use${owner ? ` by ${owner}` : ''}`, {
      help: `stop the process that uses it, or choose another: fw dev --inspect ${port + 1}`,
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

/** That of a session, if one is asked for; the port of the app is closed if it cannot be opened. */
export async function openInspector(
  port: number | undefined,
  listener: Listener,
  target: () => number | undefined,
): Promise<InspectProxy | undefined> {
  if (port === undefined) return undefined;
  return openInspectProxy(port, target).catch((error) => {
    listener.close();
    throw error;
  });
}
