// The load of the bench of fan-out: subscribers that count bytes, and one client that publishes, in a process.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';

const [contender = '', port = '', serverPid = '', subscriberCount = '', seconds = ''] = process.argv.slice(2);
const isSocketIo = contender === 'fan-out-socketio';
const text = 'x'.repeat(64);
/** Head and payload, as each server frames the text. */
const frameBytes = 2 + (isSocketIo ? `42["m","${text}"]` : text).length;

let received = 0;
let expected = 0;
let onAll: (() => void) | undefined;

const subscribers = await connectAll(Number(subscriberCount));
const publisher = new WebSocket(urlOf('/publish', '&publish=1').replace('http', 'ws'));
await once(publisher, 'open');
if (isSocketIo) {
  publisher.send('40');
  while (!String((await once(publisher, 'message'))[0]).startsWith('40'));
}
await settled();
received = 0;

const figures: Record<string, { perSecond: number; cpu: number }> = {};
for (const [name, count, window] of [
  ['one at a time', 1, 1],
  ['16 on the way', 1, 16],
  ['10 in a turn', 10, 1],
] as const) {
  await run(count, window, 0.3);
  figures[name] = await run(count, window, Number(seconds));
}
console.log(JSON.stringify(figures));
process.exit();

/** Publishes `count` messages at once, as soon as fewer than `window` such lots are on their way. */
async function run(count: number, window: number, duration: number) {
  const [start, cpu] = [performance.now(), cpuMs()];
  let publishes = 0;
  const lot = count * subscribers.length * frameBytes;
  while (performance.now() - start < duration * 1000) {
    publishes += count;
    expected += lot;
    publisher.send(
      isSocketIo ? `42["publish",${JSON.stringify({ count, text })}]` : JSON.stringify({ count, text }),
    );
    await until(expected - (window - 1) * lot);
  }
  await until(expected);
  const deliveries = publishes * subscribers.length;
  return {
    perSecond: deliveries / ((performance.now() - start) / 1000),
    cpu: ((cpuMs() - cpu) * 1000) / deliveries,
  };
}

async function until(bytes: number): Promise<void> {
  while (received < bytes) {
    await new Promise<void>((resolve) => {
      onAll = () => received >= bytes && resolve();
    });
  }
}

async function connectAll(count: number): Promise<Socket[]> {
  const all: Socket[] = [];
  for (let n = 0; n < count; n += 1) all.push(await subscriber());
  return all;
}

async function subscriber(): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1');
  const path = isSocketIo ? '/socket.io/?EIO=4&transport=websocket' : '/';
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  if (!head.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error(head.toString('latin1'));
  // The text '40', masked by zeros: connect to the default namespace.
  if (isSocketIo) {
    socket.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x34, 0x30]));
    await once(socket, 'data');
  }
  socket.on('data', (data) => {
    received += data.length;
    onAll?.();
  });
  return socket;
}

/** Until nothing arrives that belongs to the handshakes. */
async function settled(): Promise<void> {
  let before = -1;
  while (before !== received) {
    before = received;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function urlOf(path: string, query: string): string {
  const rest = isSocketIo ? `/socket.io/?EIO=4&transport=websocket${query}` : path;
  return `http://127.0.0.1:${port}${rest}`;
}

/** User and system time of the server, in milliseconds (proc(5): fields 14 and 15, in ticks of 10 ms). */
function cpuMs(): number {
  const fields = readFileSync(`/proc/${serverPid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
