// The echo of socket.io, over WebSocket alone.
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const http = createServer();
const server = new Server(http, { transports: ['websocket'], perMessageDeflate: false });
server.on('connection', (socket) => {
  socket.on('m', (text: string) => void socket.emit('m', text));
});
http.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening'));
