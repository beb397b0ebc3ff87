// Bench of fan-out: the naive loop on raw ws.
import { type WebSocket, WebSocketServer } from 'ws';

const subscribers = new Set<WebSocket>();
const server = new WebSocketServer({ port: Number(process.env.PORT), host: '127.0.0.1' });
server.on('connection', (socket, request) => {
  if (request.url !== '/publish') {
    subscribers.add(socket);
    socket.on('close', () => subscribers.delete(socket));
    return;
  }
  socket.on('message', (message) => {
    const { count, text } = JSON.parse(String(message)) as { count: number; text: string };
    for (let n = 0; n < count; n += 1) for (const subscriber of subscribers) subscriber.send(text);
  });
});
server.on('listening', () => console.log('ready'));
