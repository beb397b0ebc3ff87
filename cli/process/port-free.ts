// Whether a port is free, which on macOS and Windows takes more than an attempt to listen.
import net from 'node:net';

/** How long a connection to this machine may take, in milliseconds. */
const CONNECT_TIMEOUT = 500;

/** A program that listens on all addresses answers on these. */
const ownAddresses = ['127.0.0.1', '::1'];

/**
 * True if a program answers on the port, on a system where `listen` would succeed all the same: there, a port of
 * 127.0.0.1 can be taken although a program holds it on all addresses, whose requests would then come here.
 */
export async function isAnswered(
  port: number,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  if (port === 0 || (platform !== 'darwin' && platform !== 'win32')) return false;
  const answers = await Promise.all(ownAddresses.map((host) => connects(port, host)));
  return answers.includes(true);
}

/** @throws an error with the code EADDRINUSE, as that of `listen`, if a program answers on the port */
export async function checkUnanswered(
  port: number,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  if (!(await isAnswered(port, platform))) return;
  throw Object.assign(new Error(`another program answers on port ${port}`), { code: 'EADDRINUSE' });
}

/** Why nothing can listen there, as the error of `listen`; undefined if it is free. */
export async function whyTaken(
  port: number,
  host: string,
  platform: NodeJS.Platform = process.platform,
): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await checkUnanswered(port, platform);
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
  return new Promise((settle) => {
    const probe = net.createServer();
    probe.once('error', settle);
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => settle(undefined)));
  });
}

function connects(port: number, host: string): Promise<boolean> {
  return new Promise((settle) => {
    const socket = net.connect({ port, host });
    const end = (answers: boolean): void => {
      socket.destroy();
      settle(answers);
    };
    // A system without IPv6 says so by an error.
    socket.once('connect', () => end(true)).once('error', () => end(false));
    socket.setTimeout(CONNECT_TIMEOUT, () => end(false));
  });
}
