// The public names of `fw/websocket`.

export type { EventTypes, WebSocketRoute } from '../extract/socket-route.js';
export { type EventInputs, type EventOutputs, events } from './events.js';
export type { WebSocketConfig } from './socket-config.js';
export type { SocketRpc, SocketSubscriptions, SubscriptionSocket } from './socket-rpc.js';
export { type TicketOptions, type WebSocketTickets, websocketTickets } from './tickets.js';
export { websocket } from './websocket.js';
export { WebSocketConnection } from './websocket-connection.js';
export type { EventHandlers, MessageHandlers } from './websocket-handlers.js';
