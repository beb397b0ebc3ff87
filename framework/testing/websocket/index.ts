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
} from './test-web-socket.js';
export { TestWebSocket, type TestWebSocketOf } from './test-web-socket.js';
