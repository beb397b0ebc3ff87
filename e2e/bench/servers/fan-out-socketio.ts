// Bench of fan-out: a room of socket.io.
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const http = createServer();
const io = new Server(http, {
  transports: ['websocket'],
  serveClient: false,
  pingInterval: 600_000,
});
io.on('connection', (socket) => {
  if (socket.handshake.query.publish === undefined) {
    void socket.join('room');
    return;
  }
  socket.on('publish', ({ count, text }: { count: number; text: string }) => {
    for (let n = 0; n < count; n += 1) io.to('room').emit('m', text);
  });
});
http.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
