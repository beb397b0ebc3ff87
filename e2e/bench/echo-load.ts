// The load of the echo bench: connections that each keep some messages on the way, on raw sockets.
// Prints messages a second and the processor time of the server for one, as JSON.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const [contender = '', port = '', pid = '', connections = '50', depth = '8', seconds = '2', size = '64'] =
  process.argv.slice(2);
const isSocketIo = contender.endsWith('socketio');
const text = 'x'.repeat(Number(size));
const sent = isSocketIo ? `42["m","${text}"]` : text;
const request = masked(sent);
/** What the server answers with: the same payload, unmasked. */
const answerLength = request.length - 4;
let count = 0;

function masked(payload: string): Buffer {
  const bytes = Buffer.from(payload);
  const mask = randomBytes(4);
  const body = Buffer.from(bytes.map((byte, index) => byte ^ (mask[index & 3] as number)));
  const head =
    bytes.length < 126
      ? Buffer.from([0x81, 0x80 | bytes.length])
      : Buffer.from([0x81, 0xfe, bytes.length >> 8, bytes.length & 255]);
  return Buffer.concat([head, mask, body]);
}

async function open(): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1').setNoDelay(true);
  await once(socket, 'connect');
  const path = isSocketIo ? '/socket.io/?EIO=4&transport=websocket' : '/';
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  );
  await once(socket, 'data');
  if (isSocketIo) {
    socket.write(masked('40'));
    await delay(20);
    socket.read();
  }
  return socket;
}

const sockets = await Promise.all(Array.from({ length: Number(connections) }, open));
await delay(isSocketIo ? 300 : 100);
for (const socket of sockets) {
  socket.removeAllListeners('data');
  let rest = 0;
  socket.on('data', (chunk: Buffer) => {
    rest += chunk.length;
    const whole = Math.floor(rest / answerLength);
    rest -= whole * answerLength;
    count += whole;
    if (whole > 0) socket.write(whole === 1 ? request : Buffer.concat(Array(whole).fill(request)));
  });
  socket.write(Buffer.concat(Array(Number(depth)).fill(request)));
}

/** User and system time of the server, in µs. */
const TICK_US = 1e6 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
function serverTime(): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

await delay(500);
const [beforeCount, beforeTime, started] = [count, serverTime(), performance.now()];
await delay(Number(seconds) * 1000);
const answered = count - beforeCount;
const perSecond = answered / ((performance.now() - started) / 1000);
process.stdout.write(JSON.stringify({ perSecond, cpu: (serverTime() - beforeTime) / answered }));
process.exit(0);
