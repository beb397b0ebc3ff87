// Tests of channels: a process that uses all there is, closes it and has nothing left that keeps it alive.
import { RedisStreamBroker } from '../../redis/redis-stream-broker.js';
import { ChannelManager } from '../../websocket/channels/channel-manager.js';

const [, , url = '', prefix = ''] = process.argv;
const broker = new RedisStreamBroker(url, { prefix });
const channels = new ChannelManager({ broker, history: { messages: 10 }, presence: true });
const member = {
  isOpen: true,
  isResumable: true,
  sendFrame: () => true,
  whenClosed: () => {},
  takeResumePoint: () => undefined,
};
await channels.subscribe(member, 'a');
await channels.emit('a', 'n', 1);
if ((await channels.presence('a')) !== 1) throw new Error('it is not counted');
await channels.close();
await broker.close();
