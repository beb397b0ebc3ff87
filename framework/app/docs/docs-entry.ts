// The page about an API: its routes. What they show is known when the App that listens is sealed, and made at the first
// question, because a start should not wait for it.

import type { RouteHandler } from '../../context/handlers.js';
import type { DocsRoutes } from '../../docs-page/serve-docs.js';
import type { SecuritySchemes } from '../../extract/description.js';
import { checkOptions } from '../../options/check.js';
import { object, type Rules, text } from '../../options/rules.js';
import type { Route } from '../routes/route-table.js';
import { assertSource, type DocsSource } from './docs-source.js';

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

const RULES: Rules<DocsOptions> = {
  title: text,
  version: text,
  description: text,
  security: object('an object of security schemes'),
};

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
  #served: Served | undefined;
  #ready: Promise<DocsRoutes> | undefined;

  constructor(path: string, source: DocsSource, options: DocsOptions) {
    assertSource(source);
    this.#path = path;
    this.#source = source;
    this.#options = checkOptions('serveDocs', options, RULES);
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

  /** What the App that listens has. */
  serve(served: Served): void {
    this.#served = served;
  }

  /** Rejects with a ConfigError if the source cannot be shown. */
  #routes(): Promise<DocsRoutes> {
    this.#ready ??= this.#describe();
    return this.#ready;
  }

  async #describe(): Promise<DocsRoutes> {
    if (this.#served === undefined) throw new Error('the page is asked for before its App is sealed');
    const { docsRoutesOf } = await import('./describe-api.js');
    return docsRoutesOf(this.#source, this.#options, this.#served);
  }
}
