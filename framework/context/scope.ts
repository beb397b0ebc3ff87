// The combined layers of an App and of the Apps around it; computed when registration closes.
import type { TrustedProxies } from '../client-address/trusted-proxies.js';
import type { DefaultHeader } from '../http/response.js';
import type { Context } from './context.js';
import type { ErrorHandler, Middleware, RouteHandler } from './handlers.js';

/** How much of everything a request may take; undefined is unlimited. */
export interface Limits {
  /** In bytes. */
  readonly maxBodySize: number | undefined;
  readonly requestTimeoutMs: number | undefined;
}

/** The settings of the App that listens, as far as they concern a request. */
export interface RequestSettings {
  /** The database that `ctx.db()` gives; undefined if none was attached. */
  readonly database: unknown;
  /** Set if a proxy is trusted; otherwise the peer is the client. */
  readonly proxies: TrustedProxies | undefined;
  /** Whether its servers end. */
  readonly lifeCycle: { readonly isDraining: boolean };
}

/**
 * Answers instead of a 404 for a path inside the App. `notFound` makes that 404; `depends` is true if the answer
 * would differ with a different `Accept` field.
 */
export type SinglePage = (ctx: Context, path: string, notFound: (depends: boolean) => unknown) => unknown;

/** The merged layers around a handler: the layer of its own App inside those of the Apps it is mounted on. */
export interface Scope {
  readonly steps: readonly Middleware[];
  readonly defaultHeaders: readonly DefaultHeader[];
  readonly onError: ErrorHandler | undefined;
  readonly notFound: RouteHandler | undefined;
  /** Asked before `notFound`; `depth` is the number of path segments before the App that it belongs to. */
  readonly singlePage: { readonly answer: SinglePage; readonly depth: number } | undefined;
  readonly settings: RequestSettings;
  /** Those of the route, of its App, or of the nearest App around it that sets them. */
  readonly limits: Limits;
  /** Whether responses to authenticated requests get `Cache-Control: private, no-store`. */
  readonly noStore: boolean;
}
