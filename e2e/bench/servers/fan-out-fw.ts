// Bench of fan-out: a topic of fw.
import { App } from '../../../dist/framework/index.js';
import { ChannelManager, websocket } from '../../../dist/framework/websocket/index.js';

// The clients of the load answer no pings.
const patient = { pingIntervalMs: 600_000, timeoutMs: 600_000 };
const channels = new ChannelManager();
const app = new App()
  .websocket('/', websocket({ onOpen: (socket) => channels.subscribe(socket, 'room') }, patient))
  .websocket(
    '/publish',
    websocket({
      onMessage(_socket, message) {
        const { count, text } = JSON.parse(String(message)) as { count: number; text: string };
        for (let n = 0; n < count; n += 1) channels.publish('room', text);
      },
    }),
  );
await app.listen(`127.0.0.1:${process.env.PORT}`);
console.log('ready');
