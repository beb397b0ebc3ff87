// The seam between runtimes and the core: what a server hands over for one request.

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
  /** The whole body. Called once at most, and not beside `openBody`. */
  readBody(): Promise<Uint8Array>;
  /** The unread body. Called once at most, and not beside `readBody`. */
  openBody(): ReadableStream<Uint8Array>;
}
