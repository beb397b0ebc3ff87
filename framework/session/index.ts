// The public names of `fw/session`.

export type {
  Session,
  SessionData,
  SessionInfo,
  SessionKey,
  SessionValue,
  SignInOptions,
} from '../context/session.js';
export { MemoryStore } from './memory-store.js';
export { type SessionMiddleware, session } from './session.js';
export { SessionConfig, type SessionOptions } from './session-config.js';
export type { SessionChanges, SessionStore, SessionUser, StoredSession } from './session-store.js';
export { type SessionListener, SessionWatchers, type WatchedKey } from './session-watchers.js';
