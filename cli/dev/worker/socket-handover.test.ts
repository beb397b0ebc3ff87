// Sockets that are handed over and withdrawn remain unread, with real sockets.
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHandover } from './socket-handover.js';

let server: net.Server;
let client: net.Socket;
let accepted: net.Socket;

beforeEach(async () => {
  server = net.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const arrived = once(server, 'connection') as Promise<[net.Socket]>;
  client = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  [accepted] = await arrived;
});
afterEach(() => {
  client.destroy();
  accepted.destroy();
  server.close();
});

it('reads nothing before the socket is taken, and everything after', async () => {
  const handover = createHandover();
  handover.hold(1, accepted);
  await new Promise((sent) => client.write('early', sent));
  // When a second connection was answered, the first one would have been read too.
  const other = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [second] = (await once(server, 'connection')) as [net.Socket];
  other.write('x');
  await once(second, 'data');
  other.destroy();
  second.destroy();
  expect(accepted.readableLength).toBe(0);
  const taken = handover.take(1);
  expect(taken).toBe(accepted);
  expect(String((await once(accepted, 'data'))[0])).toBe('early');
});

it('closes its copy of a withdrawn socket, once', async () => {
  const handover = createHandover();
  handover.hold(7, accepted);
  handover.drop(7);
  await once(accepted, 'close');
  expect(handover.take(7)).toBeUndefined();
});

it('keeps nothing if the client left during the transfer', () => {
  const handover = createHandover();
  handover.hold(3, undefined);
  expect(handover.take(3)).toBeUndefined();
});
