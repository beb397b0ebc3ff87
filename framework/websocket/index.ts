// The public names of `fw/websocket`.

export type { EventTypes, WebSocketRoute } from '../extract/socket-route.js';
export type {
  ChannelBroker,
  HistoryBroker,
  HistoryLimits,
  HistoryListener,
  HistoryMessage,
  HistorySubscription,
  PresenceBroker,
} from '../streaming/channel-broker.js';
export type { ChannelMember } from './channel-member.js';
export { type AnyEvents, ChannelManager, type ChannelManagerOptions } from './channels/channel-manager.js';
export type { HistoryBounds, HistoryOptions, HistoryRule } from './channels/history-rules.js';
export { type EventInputs, type EventOutputs, events } from './events.js';
export type {
  SocketRpc,
  SocketSubscriptions,
  SubscriptionSocket,
  WebSocketOptions,
} from './socket-config.js';
export { type TicketOptions, type WebSocketTickets, websocketTickets } from './tickets.js';
export { websocket } from './websocket.js';
export { WebSocketConnection } from './websocket-connection.js';
export type { EventHandlers, MessageHandlers } from './websocket-handlers.js';
