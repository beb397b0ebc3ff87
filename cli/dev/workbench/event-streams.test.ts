// Event streams of pages that do not read.
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { EventStreams } from './event-streams.js';

it('cuts off a page that does not read, and goes on with the others', async () => {
  const counts: number[] = [];
  const streams = new EventStreams((count) => counts.push(count));
  const opened: http.ServerResponse[] = [];
  const server = http.createServer((_, response) => {
    opened.push(response);
    streams.add(response, 'hello', {});
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const slow = net.connect(port, '127.0.0.1').pause();
  slow.on('error', () => {});
  slow.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  let read = 0;
  const [reader] = (await once(http.get({ port, agent: false }), 'response')) as [http.IncomingMessage];
  reader.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  await expect.poll(() => counts.at(-1)).toBe(2);
  // More than the buffers of the system take.
  for (let sent = 0; sent < 200 && counts.at(-1) === 2; sent += 1) {
    streams.send('requests', 'x'.repeat(100_000));
    await new Promise((done) => setImmediate(done));
  }
  await expect.poll(() => counts.at(-1)).toBe(1);
  const before = read;
  streams.send('last', 'x');
  await expect.poll(() => read).toBeGreaterThan(before);
  expect(opened.filter(({ destroyed }) => destroyed)).toHaveLength(1);
  streams.close();
  await once(reader, 'end');
  slow.destroy();
  server.close();
});
