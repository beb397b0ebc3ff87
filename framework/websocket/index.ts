// The public names of `fw/websocket`.

export type { EventTypes, SocketEvents, WebSocketRoute } from '../extract/socket-route.js';
// Names of before.
export type {
  ChannelBroker,
  HistoryBroker,
  /** @deprecated Use `HistoryBroker`. */
  HistoryBroker as ReplayBroker,
  HistoryLimits,
  /** @deprecated Use `HistoryLimits`. */
  HistoryLimits as KeptLimits,
  HistoryListener,
  /** @deprecated Use `HistoryListener`. */
  HistoryListener as ChannelFollower,
  HistoryMessage,
  /** @deprecated Use `HistoryMessage`. */
  HistoryMessage as KeptMessage,
  HistorySubscription,
  /** @deprecated Use `HistorySubscription`. */
  HistorySubscription as Following,
  PresenceBroker,
} from '../streaming/channel-broker.js';
export type { ChannelMember } from './channel-member.js';
export { type AnyEvents, ChannelManager, type ChannelManagerOptions } from './channels/channel-manager.js';
export type { HistoryBounds, HistoryOptions, HistoryRule } from './channels/history-rules.js';
export { type EventInputs, type EventOutputs, events, eventTypes } from './events.js';
export type {
  SocketRpc,
  SocketSubscriptions,
  SubscriptionSocket,
  WebSocketOptions,
  /** @deprecated Use `WebSocketOptions`. */
  WebSocketOptions as WebSocketConfig,
} from './socket-config.js';
export { type TicketOptions, type WebSocketTickets, websocketTickets } from './tickets.js';
export { websocket } from './websocket.js';
export { WebSocketConnection } from './websocket-connection.js';
export type { EventHandlers, MessageHandlers } from './websocket-handlers.js';
