// The public names of `fw/testing`.
export type { TestEvent } from './event-parser.js';
export type { FuzzIdentity } from './fuzz/caller.js';
export { type FuzzOptions, fuzz } from './fuzz/fuzz.js';
export type { FuzzCheck } from './fuzz/fuzz-check.js';
export { FuzzError, type FuzzedOperation, type FuzzFailure, type FuzzReport } from './fuzz/fuzz-error.js';
export { TestAnswer } from './test-answer.js';
export {
  type Testable,
  TestClient,
  type TestClientOptions,
  type TestEventsOptions,
  type TestStreamOptions,
} from './test-client.js';
export { type TestDatabase, testDatabase } from './test-database.js';
export { TestEvents } from './test-events.js';
export {
  type TestMail,
  TestMailbox,
  type TestMailFilter,
  type TestMailOptions,
} from './test-mailbox.js';
export type { FormValue, QueryValue, TestRequestOptions } from './test-request.js';
export { TestResponse } from './test-response.js';
export { type Listenable, startServer, type TestServer, withServer } from './test-server.js';
export { TestStream } from './test-stream.js';
