// The echo of raw ws, as its README has it.
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ port: Number(process.env.PORT), host: '127.0.0.1' });
server.on('connection', (ws) => {
  ws.on('error', console.error);
  ws.on('message', (data, isBinary) => ws.send(data, { binary: isBinary }));
});
server.on('listening', () => console.log('listening'));
