// A generated client whose subscription a server cuts off because it has missed messages of a `PubSub`.
import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { serving } from '../conformance/live-events.js';
import { loadClient, type TrialSocket } from '../conformance/socket-client.js';
import { route } from '../extract/route.js';
import { App, PubSub } from '../index.js';
import { RpcMode, RpcRegistry } from '../rpc/index.js';
import { websocket } from '../websocket/index.js';
import { clientFromApp } from './app/client-from-app.js';

interface Client {
  live(): TrialSocket;
  follow(input: object, options?: object): AsyncGenerator<number, void, undefined>;
}

/** Also on a machine that is busy. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000 });
const reconnect = { minDelayMs: 1, maxDelayMs: 5 };

describe.each([RpcMode.JsonRpc, RpcMode.Rest])('a subscription that is cut off, in mode %s', (mode) => {
  const given = async (
    test: (client: Client, changes: PubSub<number>, reported: () => unknown[]) => Promise<void>,
    socketsOnly: boolean,
  ) => {
    const changes = new PubSub<number>({ capacity: 1 });
    const rpc = RpcRegistry.withMode(mode).subscription(
      'follow',
      { input: z.object({}), output: z.number() },
      (_, { signal }) => changes.subscribe('a', { signal }),
    );
    const app = new App().websocket(route('/live', { operationId: 'live' }), websocket({}, { rpc }));
    if (mode === RpcMode.Rest) app.mountRest('/rpc', rpc);
    else app.mountRpc('/rpc', rpc);
    const { FwRpcClient } = await loadClient(clientFromApp(app, { rpc }).toString());
    const report = vi.spyOn(console, 'error').mockImplementation(() => {});
    await serving(app, async (url) => {
      const options = {
        sockets: { WebSocket, reconnect },
        ...(socketsOnly && { fetch: () => expect.fail('it goes over the socket') }),
      };
      const client = new FwRpcClient(`${url}/rpc`, options) as unknown as Client;
      await test(client, changes, () => report.mock.calls);
    });
    report.mockRestore();
    expect(changes.count()).toBe(0);
  };

  it.each([
    ['a connection of its own', false],
    ['a WebSocket', true],
  ])('continues by itself over %s', async (_way, isSocket) => {
    await given(async (client, changes, reported) => {
      const socket = isSocket ? client.live() : undefined;
      const [states, heard]: [string[], number[]] = [[], []];
      const onState = (state: string) => void states.push(state);
      const events = client.follow({}, { socket, reconnect, onState });
      const loop = (async () => {
        for await (const message of events) heard.push(message);
      })();
      for (const last of [9, 19]) {
        await until(() => expect([changes.count(), states.at(-1)]).toEqual([1, 'open']));
        for (let message = last - 8; message <= last; message += 1) changes.publish('a', message);
        await until(() => expect([changes.count(), states.at(-1)]).toEqual([1, 'open']));
        changes.publish('a', last + 1);
        await until(() => expect(heard.at(-1)).toBe(last + 1));
      }
      expect(states).toEqual(['open', 'lost', 'open', 'lost', 'open']);
      expect(reported()).toEqual([]);
      await events.return();
      await loop;
      socket?.close();
      await until(() => expect(changes.count()).toBe(0));
    }, isSocket);
  });
});
