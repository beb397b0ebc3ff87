// The message about a port that is in use.
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import type { CliError } from '../terminal/errors.js';
import { whyTaken } from './port-free.js';
import { freePort, listenError, listeningProcess, portOwner, taskName } from './port-owner.js';

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

it('does not take a client for the process that listens', async () => {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(client, 'connect');
  const { localPort = 0 } = client;
  expect(portOwner(localPort)).toBeUndefined();
  client.destroy();
  server.close();
});

it('looks for a free port up to the last one', async () => {
  const isFree = (await whyTaken(65_535, '127.0.0.1')) === undefined;
  expect(await freePort(65_535, '127.0.0.1')).toBe(isFree ? 65_535 : undefined);
  expect(await freePort(65_536, '127.0.0.1')).toBeUndefined();
});

it('names no port behind the last one', async () => {
  const cause = Object.assign(new Error('a reason of Node'), { code: 'EADDRINUSE' });
  const error = await listenError(cause, 65_535, '127.0.0.1');
  expect((error as CliError).help).toBe('stop the process that uses it, or choose another port with --port');
});

it.each([
  ['EACCES', 'port 80 needs more rights than this user has'],
  ['EADDRNOTAVAIL', "cannot listen on host '10.9.9.9': it is not an address of this machine"],
  ['EAI_AGAIN', "cannot listen on host '10.9.9.9': it is not an address of this machine"],
  // A link-local address of IPv6 without the name of its network.
  ['EINVAL', "cannot listen on host '10.9.9.9': it is not an address of this machine"],
  ['ENOTFOUND', "cannot listen on host '10.9.9.9': it is not an address of this machine"],
  ['EMFILE', 'cannot listen on 10.9.9.9:80: a reason of Node'],
])('explains %s', async (code, message) => {
  const cause = Object.assign(new Error('a reason of Node'), { code });
  expect((await listenError(cause, 80, '10.9.9.9', 'linux')).message).toBe(message);
});

it('explains EACCES of Windows, and names a free port', async () => {
  const cause = Object.assign(new Error('a reason of Node'), { code: 'EACCES' });
  const error = await listenError(cause, 3000, '127.0.0.1', 'win32');
  expect(error.message).toBe('port 3000 is reserved by Windows, or another program has it for itself');
  expect((error as CliError).help).toMatch(
    /^run: fw dev --port \d+; to list what is reserved: netsh int ipv4 show excludedportrange protocol=tcp$/,
  );
});

it('reads which process listens, and its name, on Windows', () => {
  const table = [
    '',
    'Aktive Verbindungen',
    '',
    '  Proto  Lokale Adresse         Remoteadresse          Status           PID',
    '  TCP    127.0.0.1:3000         127.0.0.1:50123        HERGESTELLT      77',
    '  TCP    127.0.0.1:13000        0.0.0.0:0              ABHÖREN          78',
    '  TCP    0.0.0.0:3000           0.0.0.0:0              ABHÖREN          4312',
    '  TCP    [::]:5000              [::]:0                 LISTENING        99',
    '  UDP    0.0.0.0:5353           *:*                                     12',
  ].join('\r\n');
  expect([3000, 13000, 5000, 5353, 1].map((port) => listeningProcess(table, port))).toEqual([
    '4312',
    '78',
    '99',
    undefined,
    undefined,
  ]);
  expect(taskName('"node.exe","4312","Console","1","45.000 K"\r\n')).toBe('node');
  expect(taskName('INFO: No tasks are running which match the specified criteria.\r\n')).toBeUndefined();
});
