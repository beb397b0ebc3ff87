// The public names of `fw/testing/websocket`.
export {
  connectWebSocket,
  refusedWebSocket,
  type TestWebSocketOptions,
  type TestWebSocketTarget,
} from './connect-websocket.js';
export type {
  TestSocketClose,
  TestSocketEvent,
  TestSocketRefusal,
  UntypedEvents,
} from './socket-events.js';
export { TestWebSocket, type TestWebSocketOf } from './test-web-socket.js';
