// The message about a port that is in use.
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import type { CliError } from '../terminal/errors.js';
import { listenError, portOwner } from './port-owner.js';

it('names the process that uses the port, and a free port', async () => {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const second = net.createServer();
  const [cause] = await Promise.all([once(second, 'error'), second.listen(port, '127.0.0.1')]);
  const error = await listenError(cause[0], port, '127.0.0.1');
  server.close();
  expect(error.message).toMatch(new RegExp(`^port ${port} is in use by .+ \\(pid ${process.pid}\\)$`));
  expect((error as CliError).help).toMatch(/^stop the process that uses it, or run: fw dev --port \d+$/);
});

it('finds no process if the port is not in use', () => {
  expect(portOwner(1)).toBeUndefined();
});

it.each([
  ['EACCES', 'port 80 needs more rights than this user has'],
  ['EADDRNOTAVAIL', "cannot listen on host '10.9.9.9': it is not an address of this machine"],
  ['ENOTFOUND', "cannot listen on host '10.9.9.9': it is not an address of this machine"],
  ['EMFILE', 'cannot listen on 10.9.9.9:80: a reason of Node'],
])('explains %s', async (code, message) => {
  const cause = Object.assign(new Error('a reason of Node'), { code });
  expect((await listenError(cause, 80, '10.9.9.9')).message).toBe(message);
});
