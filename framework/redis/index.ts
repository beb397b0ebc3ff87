// The public names of `fw/redis`.

export { RedisChannelBroker } from './redis-channel-broker.js';
export type { RedisClient } from './redis-client.js';
export type { RedisOptions } from './redis-connection.js';
export { RedisRateLimitStore } from './redis-rate-limit-store.js';
export { RedisSessionStore } from './redis-session-store.js';
export { RedisStreamBroker } from './redis-stream-broker.js';
