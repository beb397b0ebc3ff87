// The echo of fw.
import { App } from '../../../dist/framework/index.js';
import { websocket } from '../../../dist/framework/websocket/index.js';

const app = App.withoutDefaults().websocket(
  '/',
  websocket(
    { onMessage: (socket, message) => void socket.send(message) },
    // The clients of the load answer no pings.
    { pingIntervalMs: 600_000, timeoutMs: 600_000 },
  ),
);
await app.listen(Number(process.env.PORT));
console.log('listening');
