// The page about an API: its routes, whose code is loaded when they are registered; what they show is known when the App
// that listens is sealed.
import type { RouteHandler } from '../../context/handlers.js';
import type { DocsRoutes } from '../../docs-page/serve-docs.js';
import type { SecuritySchemes } from '../../extract/description.js';
import type { Route } from '../route-table.js';

/**
 * What the page is about: an App, an `RpcRegistry`, or an OpenAPI document, as an object or as an object whose
 * `toJson()` returns one.
 */
export type DocsSource = { toJson(): string } | object;

/** Options of `serveDocs` for an App or a registry. */
export interface DocsOptions {
  /** Title of the API; `API` by default. */
  readonly title?: string;
  /** Version of the API; `1.0.0` by default. */
  readonly version?: string;
  /** What the API is for: text, with the simple parts of Markdown. */
  readonly description?: string;
  /** Schemes that every route requires, because middleware checks them. */
  readonly security?: SecuritySchemes;
}

/** What the App that listens knows. */
export interface Served {
  readonly routes: readonly Route[];
  /** The contract of `app.useContract()`, if there is one. */
  readonly contract: unknown;
}

/** One page. */
export class DocsEntry {
  readonly #source: DocsSource;
  readonly #options: DocsOptions;
  readonly #path: string;
  readonly #code: Promise<typeof import('./describe-api.js')>;
  #ready: Promise<DocsRoutes> | undefined;

  constructor(path: string, source: DocsSource, options: DocsOptions) {
    this.#path = path;
    this.#source = source;
    this.#options = options;
    this.#code = import('./describe-api.js');
    // A failure is reported by `describe`.
    this.#code.catch(() => {});
  }

  /** The patterns of the page with their handlers. */
  routes(): readonly (readonly [pattern: string, handler: RouteHandler])[] {
    const below = this.#path === '/' ? '' : this.#path;
    const answer =
      (name: keyof DocsRoutes): RouteHandler =>
      async (ctx) =>
        (await this.#routes())[name](ctx);
    return [
      [this.#path, answer('page')],
      [`${below}/openapi.json`, answer('specification')],
      [`${below}/api.json`, answer('api')],
      [`${below}/page.js`, answer('script')],
      [`${below}/page.css`, answer('style')],
    ];
  }

  /** Reads the source. Rejects with a ConfigError if it cannot be shown. */
  describe(served: Served): Promise<unknown> {
    this.#ready ??= this.#code.then(({ docsRoutesOf }) => docsRoutesOf(this.#source, this.#options, served));
    return this.#ready;
  }

  #routes(): Promise<DocsRoutes> {
    if (this.#ready === undefined) throw new Error('the page is asked for before its App is sealed');
    return this.#ready;
  }
}
