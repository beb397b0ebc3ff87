// One server for the bench of slow subscribers: publishes to a topic when it is asked, and tells what it held at most.
import { setImmediate, setTimeout } from 'node:timers/promises';
import { App } from '../../../dist/framework/index.js';
import {
  ChannelManager,
  type WebSocketConnection,
  websocket,
} from '../../../dist/framework/websocket/index.js';

const slow = process.env.SLOW as 'drop' | 'close';
const channels = new ChannelManager();
const patient = { pingIntervalMs: 600_000, timeoutMs: 600_000 };
const reading = new Set<WebSocketConnection>();
const paused = new Set<WebSocketConnection>();
const countOpen = (sockets: Set<WebSocketConnection>): number =>
  [...sockets].filter(({ isOpen }) => isOpen).length;

const used = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

async function publishAll(): Promise<object> {
  (globalThis as { gc?: () => void }).gc?.();
  const before = used();
  let most = before;
  for (let n = 0; n < 10_000; n += 1) {
    void channels.publish('room', `${String(n).padStart(6, '0')}${'x'.repeat(16 * 1024 - 6)}`);
    await setImmediate();
    // A lot of 8 after the other, as fast as those that read do: nothing waits for them then.
    while (n % 8 === 7 && [...reading].some(({ bufferedBytes }) => bufferedBytes > 0)) await setTimeout(1);
    if (n % 64 === 63) most = Math.max(most, used());
  }
  return { growth: most - before, reading: countOpen(reading), paused: countOpen(paused) };
}

void App.withoutDefaults()
  .get('/publish', publishAll)
  .websocket('/reading', subscribers(reading))
  .websocket('/paused', subscribers(paused))
  .listen(`127.0.0.1:${process.env.PORT}`);
console.log('ready');

function subscribers(sockets: Set<WebSocketConnection>) {
  return websocket(
    {
      onOpen(socket) {
        sockets.add(socket);
        void channels.subscribe(socket, 'room');
      },
    },
    { ...patient, slow, maxBufferedBytes: 1024 * 1024 },
  );
}
