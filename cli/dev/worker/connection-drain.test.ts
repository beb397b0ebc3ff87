// The connections of a worker from their arrival to the drain, with real sockets.
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readAll } from '../trial-app.js';
import { ConnectionDrain } from './connection-drain.js';

let listener: net.Server;
let app: http.Server;
let connections: ConnectionDrain;
let returned: net.Socket[];
const open: net.Socket[] = [];

beforeEach(async () => {
  returned = [];
  connections = new ConnectionDrain(async (socket) => void returned.push(socket));
  app = http.createServer((_request, response) => response.end('answered'));
  // As in the supervisor: it accepts the connection, and nothing has been read when the socket arrives.
  listener = net.createServer({ pauseOnConnect: true });
  listener.listen(0, '127.0.0.1');
  app.listen(0, '127.0.0.1');
  await Promise.all([once(listener, 'listening'), once(app, 'listening')]);
});
afterEach(() => {
  app.close();
  for (const socket of open.splice(0)) socket.destroy();
  listener.close();
  app.closeAllConnections();
});

/** A connection, and its other end as a worker receives it, which is reading. */
async function connect(): Promise<{ client: net.Socket; arrived: net.Socket }> {
  const arriving = once(listener, 'connection') as Promise<[net.Socket]>;
  const client = net.connect((listener.address() as AddressInfo).port, '127.0.0.1');
  const [arrived] = await arriving;
  open.push(client, arrived);
  arrived.read(0);
  return { client, arrived };
}

const request = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

describe('a connection drain', () => {
  it('passes a socket to the server when the client has sent bytes', async () => {
    connections.serve(app);
    const { client, arrived } = await connect();
    connections.accept(arrived);
    const begun = once(app, 'connection');
    const answer = readAll(client);
    client.write(request);
    expect((await begun)[0]).toBe(arrived);
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*answered/);
  });

  it('returns sockets without bytes at a drain, and ends only after that', async () => {
    connections.serve(app);
    const { arrived } = await connect();
    connections.accept(arrived);
    await connections.drain();
    expect(returned).toEqual([arrived]);
  });

  it('returns sockets that arrive after the drain has begun', async () => {
    connections.serve(app);
    await connections.drain();
    const { arrived } = await connect();
    connections.accept(arrived);
    expect(returned).toEqual([arrived]);
  });

  it('ends a drain only when all requests in flight are answered', async () => {
    let finish: () => void = () => {};
    app.close();
    app = http
      .createServer((_request, response) => {
        finish = () => response.end('late');
      })
      .listen(0, '127.0.0.1');
    await once(app, 'listening');
    connections.serve(app);
    const { client, arrived } = await connect();
    connections.accept(arrived);
    const answer = readAll(client);
    const begun = once(app, 'request');
    client.write(request);
    await begun;
    let isDrained = false;
    const drained = connections.drain().then(() => {
      isDrained = true;
    });
    expect(returned).toEqual([]);
    expect(isDrained).toBe(false);
    finish();
    expect(await answer).toMatch(/late/);
    await drained;
  });

  it('ends event streams and WebSockets at a drain, and streams that begin during it', async () => {
    const ended: string[] = [];
    const exchange = (name: string) => {
      const response = new http.ServerResponse(new http.IncomingMessage(new net.Socket()));
      return { response, isEventStream: () => true, endEventStream: () => void ended.push(name) };
    };
    const { client, arrived } = await connect();
    const frames = readAll(client);
    connections.began(exchange('before'));
    connections.upgraded(arrived);
    const drained = connections.drain();
    connections.began(exchange('during'));
    expect(ended).toEqual(['before', 'during']);
    // RFC 6455: a close frame with code 1012.
    expect(await frames).toBe('\x88\x02\x03\xf4');
    await drained;
  });

  describe('of what does not end', () => {
    beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
    afterEach(() => vi.useRealTimers());

    /** A connection whose client has sent a request, which the server has taken and does not answer. */
    async function asked() {
      app.close();
      app = http.createServer(() => {}).listen(0, '127.0.0.1');
      await once(app, 'listening');
      connections.serve(app);
      const { client, arrived } = await connect();
      connections.accept(arrived);
      const begun = once(app, 'request');
      client.write(request);
      const [, response] = (await begun) as [http.IncomingMessage, http.ServerResponse];
      return { arrived, response };
    }

    it.each([
      ['a WebSocket that does not close', 1000, 'socket'],
      ['a request that is not answered', 30_000, 'request'],
      ['a request for the page about the app', 1000, 'aside'],
    ])('destroys %s after %d ms, and leaves no timer', async (_, limit, kind) => {
      const { arrived, response } = await asked();
      if (kind === 'socket') connections.upgraded(arrived);
      else {
        const exchange = { response, isEventStream: () => false, endEventStream: () => {} };
        connections.began({ ...exchange, isAside: kind === 'aside' });
      }
      let isDrained = false;
      const drained = connections.drain().then(() => {
        isDrained = true;
      });
      await vi.advanceTimersByTimeAsync(limit - 1);
      expect([arrived.destroyed, isDrained]).toEqual([false, false]);
      await vi.advanceTimersByTimeAsync(1);
      expect(arrived.destroyed).toBe(true);
      await drained;
      expect(vi.getTimerCount()).toBe(0);
    });

    it('waits for the app as long as it may, also beside the page about the app', async () => {
      const [aside, other] = [await asked(), await asked()];
      const exchange = { isEventStream: () => false, endEventStream: () => {} };
      connections.began({ ...exchange, response: aside.response, isAside: true });
      connections.began({ ...exchange, response: other.response });
      const drained = connections.drain();
      await vi.advanceTimersByTimeAsync(29_999);
      expect([aside.arrived.destroyed, other.arrived.destroyed]).toEqual([false, false]);
      other.response.end('late');
      await vi.waitFor(() => expect(other.arrived.destroyed).toBe(true));
      await vi.advanceTimersByTimeAsync(1);
      await drained;
      expect(vi.getTimerCount()).toBe(0);
    });
  });

  it('knows the responses that the app makes, without event streams and the page about the app', () => {
    const exchange = (isStream: boolean, more: { isAside?: boolean } = {}) => {
      const response = new http.ServerResponse(new http.IncomingMessage(new net.Socket()));
      connections.began({ response, isEventStream: () => isStream, endEventStream: () => {}, ...more });
      return response;
    };
    const response = exchange(false);
    exchange(true);
    exchange(false, { isAside: true });
    expect([...connections.running()]).toEqual([response]);
    response.emit('close');
    expect([...connections.running()]).toEqual([]);
  });

  it('ignores a client that left during the transfer', async () => {
    connections.accept(undefined);
    await connections.drain();
    expect(returned).toEqual([]);
  });
});
