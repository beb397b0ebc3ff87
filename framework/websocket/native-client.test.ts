// Node's own WebSocket, which is that of browsers, as a client of an App. Node 20 has none.
import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { serve } from '../conformance/websocket/trial-socket.js';
import type { Context } from '../context/context.js';
import { websocket } from './index.js';

/** Its types are not in those of Node 20. */
interface NativeSocket extends EventTarget {
  binaryType: string;
  readonly protocol: string;
  send(message: string | Uint8Array): void;
  close(code: number, reason: string): void;
}
type NativeConstructor = new (url: string, protocols?: string[]) => NativeSocket;

const { WebSocket: Native } = globalThis as { WebSocket?: NativeConstructor };
const name = `Node's own WebSocket${Native === undefined ? `: skipped, Node ${process.versions.node} has none` : ''}`;

it.skipIf(Native === undefined)(name, async () => {
  const closed: unknown[] = [];
  const route = websocket(
    {
      data: (ctx: Context) => ctx.req.header('authorization'),
      onOpen: (socket) => void socket.send(String(socket.data)),
      onMessage: (socket, message) => void socket.send(message),
      onClose: (_socket, code, reason) => void closed.push([code, reason]),
    },
    { protocols: ['chat'], compression: { minSize: 1 } },
  );
  const { url } = await serve(new App().websocket('/', route));
  const token = `fw.bearer.${Buffer.from('secret').toString('base64url')}`;
  const socket = new (Native as NativeConstructor)(url.replace('http', 'ws'), ['other', 'chat', token]);
  socket.binaryType = 'arraybuffer';
  const received: unknown[] = [];
  socket.addEventListener('message', (event) => received.push((event as MessageEvent).data));
  await once(socket as never, 'open');
  expect(socket.protocol).toBe('chat');
  const large = 'ü'.repeat(500_000);
  socket.send('text');
  socket.send(new Uint8Array([1, 2, 3]));
  socket.send(large);
  await vi.waitFor(() => expect(received).toHaveLength(4));
  expect(received).toEqual(['Bearer secret', 'text', new Uint8Array([1, 2, 3]).buffer, large]);
  socket.close(4001, 'done');
  await vi.waitFor(() => expect(closed).toEqual([[4001, 'done']]));
});
