// One process of fw whose channels go through Redis; BROKER is `channel` or `stream`.
import { App } from '../../../dist/framework/index.js';
import { RedisChannelBroker, RedisStreamBroker } from '../../../dist/framework/redis/index.js';
import { ChannelManager, websocket } from '../../../dist/framework/websocket/index.js';

const prefix = String(process.env.PREFIX);
const url = 'redis://127.0.0.1:6379';
const channels =
  process.env.BROKER === 'stream'
    ? new ChannelManager({
        broker: new RedisStreamBroker(url, { prefix }),
        history: { maxMessages: 1_000, maxAgeMs: 60_000 },
      })
    : new ChannelManager({ broker: new RedisChannelBroker(url, { prefix }) });

await App.withoutDefaults()
  .websocket(
    '/subscribe',
    websocket({
      onOpen: async (socket) => {
        await channels.subscribe(socket, 'room');
        socket.send('ready');
      },
    }),
  )
  .websocket(
    '/publish',
    websocket({ onMessage: (_socket, message) => void channels.publish('room', message) }),
  )
  .listen(Number(process.env.PORT));
console.log('listening');
