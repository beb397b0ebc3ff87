// The seam between runtimes and the core: what a server hands over for one request.
import type { FwError } from './errors.js';

/** The other end of the connection. */
export interface PeerAddress {
  readonly address: string;
  readonly port: number;
}

/** One request as a runtime sees it. `node/` makes it from an IncomingMessage, `fetch.ts` from a web Request. */
export interface RequestSource {
  /** Method as sent; case-sensitive. */
  readonly method: string;
  /** Path and query as sent, still encoded. */
  readonly target: string;
  /** Scheme and authority for `ctx.req.uri`, for example `http://localhost:3000`. */
  readonly origin: string;
  /** Why the runtime found the request malformed; it is then answered 400. */
  readonly refused: string | undefined;
  readonly peer: PeerAddress | undefined;
  /** Aborts when the client is gone. Made on first use. */
  readonly signal: AbortSignal;
  /** A header field by its lower-case name; several fields of one name are joined. */
  header(lowerName: string): string | undefined;
  /** All header fields by lower-case name, without a prototype. */
  headers(): Record<string, string>;
  /**
   * Set where the body is known to be larger than the App allows: the answer to give in place of the handler's.
   */
  readonly oversized?: FwError | undefined;
  /**
   * The whole body. Called once at most, and not beside `openBody`. With a limit, a body of more bytes rejects
   * with 413 and is not kept.
   */
  readBody(maxBytes?: number): Promise<Uint8Array>;
  /** The unread body. Called once at most, and not beside `readBody`. */
  openBody(): ReadableStream<Uint8Array>;
  /** Gives up what is unread of the body: a connection cannot be used again after that. */
  abandonBody(): void;
}
