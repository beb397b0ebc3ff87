// The interface between runtimes and the core: what a server provides for one request.

/** The other end of the connection: the client, or a proxy. */
export interface PeerAddress {
  /** IPv4 or IPv6 address, as text. */
  readonly address: string;
  /** TCP port, 1 to 65,535; 0 if the platform does not tell it. */
  readonly port: number;
}

/** One request as a runtime provides it: `node/` from an IncomingMessage, `fetch.ts` from a web Request. */
export interface RequestSource {
  /** The method as sent; methods are case-sensitive. */
  readonly method: string;
  /** Path and query as sent, still encoded. */
  readonly target: string;
  /** Scheme and authority for `ctx.req.uri`, for example `http://localhost:3000`. */
  readonly origin: string;
  /** True if the request asks for the WebSocket protocol, and the server can switch to it. */
  readonly isUpgrade?: boolean;
  /** What the platform has passed with the request, and the Request itself; undefined on servers of Node.js. */
  readonly platform?: object;
  /** Set if the request is malformed: the reason, with which it is answered 400. */
  readonly refused: string | undefined;
  readonly peer: PeerAddress | undefined;
  /** Aborts when the client disconnects. Created on first use. */
  readonly signal: AbortSignal;
  /**
   * Calls the function when the client disconnects, or another response was sent, unless what it returns is called
   * before.
   */
  whenOver(callback: () => void): () => void;
  /** A header field by its lower-case name; several fields of one name are joined. */
  header(lowerName: string): string | undefined;
  /** Whether there is more than one field of the name, of which `header` may give only the first. */
  isRepeated(lowerName: string): boolean;
  /** All header fields by lower-case name, without a prototype. */
  headers(): Record<string, string>;
  /**
   * Reads the whole body. May be called once, and not together with `openBody`. If the body has more than
   * `maxBytes`, it rejects with 413 and the bytes are not kept.
   */
  readBody(maxBytes?: number): Promise<Uint8Array>;
  /**
   * Reads the whole body as UTF-8, without a byte order mark, where that takes less than `readBody`. Malformed text has
   * U+FFFD in it. May be called once, instead of `readBody`.
   */
  readText?(): Promise<string>;
  /** Whether the request has a body, which may be empty. */
  readonly hasBody: boolean;
  /** The unread body. May be called once, and not together with `readBody`. */
  openBody(): ReadableStream<Uint8Array>;
  /** Stops reading the body: the connection cannot be reused after that. */
  abandonBody(): void;
}
