// Bench of fan-out: a topic of fw.
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { ChannelManager } from '../../../framework/websocket/channels/channel-manager.js';

const channels = new ChannelManager();
const server = new WebSocketServer({ port: Number(process.env.PORT), host: '127.0.0.1' });
server.on('connection', (socket, request) => {
  if (request.url !== '/publish') {
    channels.subscribe(memberOf(socket), 'room');
    return;
  }
  socket.on('message', (message) => {
    const { count, text } = JSON.parse(String(message)) as { count: number; text: string };
    for (let n = 0; n < count; n += 1) channels.publish('room', text);
  });
});
server.on('listening', () => console.log('ready'));

function memberOf(socket: WebSocket): Parameters<typeof channels.subscribe>[0] {
  const raw = (socket as unknown as { _socket: Socket })._socket;
  return {
    isOpen: true,
    sendFrame: ({ bytes }) => raw.write(bytes),
    sendFrames: ({ bytes }) => raw.write(bytes),
    whenClosed: (callback) => void socket.on('close', callback),
    takeResumePoint: () => undefined,
  };
}
