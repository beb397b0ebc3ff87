// The echo of fw.
import { App } from '../../../dist/framework/index.js';
import { websocket } from '../../../dist/framework/websocket/index.js';

const app = App.withoutDefaults().websocket(
  '/',
  websocket({ onMessage: (socket, message) => void socket.send(message) }),
);
await app.listen(Number(process.env.PORT));
console.log('listening');
