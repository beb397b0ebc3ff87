// One process of socket.io whose rooms go through Redis.
import { createServer } from 'node:http';
import { createAdapter } from '@socket.io/redis-adapter';
import { createClient } from 'redis';
import { Server } from 'socket.io';

const publisher = createClient({ url: 'redis://127.0.0.1:6379' });
const subscriber = publisher.duplicate();
await Promise.all([publisher.connect(), subscriber.connect()]);
const http = createServer();
const server = new Server(http, {
  transports: ['websocket'],
  perMessageDeflate: false,
  adapter: createAdapter(publisher, subscriber, { key: String(process.env.PREFIX) }),
});
server.on('connection', (socket) => {
  socket.on('subscribe', async () => {
    await socket.join('room');
    socket.emit('ready');
  });
  socket.on('publish', (text: string) => void server.to('room').emit('m', text));
});
http.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening'));
