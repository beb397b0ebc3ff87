// The page about an API: its routes. What they show is known when the App that listens is sealed, and made at the first
// question, because a start should not wait for it.

import { ConfigError } from '../../config-error.js';
import type { RouteHandler } from '../../context/handlers.js';
import type { DocsRoutes } from '../../docs-page/serve-docs.js';
import type { SecuritySchemes } from '../../extract/description.js';
import { checkOptions } from '../../options/check.js';
import { object, objectWith, type Rules, text } from '../../options/rules.js';
import { type RuntimeName, THIS_RUNTIME } from '../../this-runtime.js';
import type { Route } from '../routes/route-table.js';
import { assertSource, type DocsSource, isDescribedHere } from './docs-source.js';

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
  /**
   * `docsPage` of `fw/docs-page`. Workers need it, because their bundles have the page only if something imports it.
   */
  readonly page?: DocsPage;
}

/** The page with what describes APIs for it. */
export interface DocsPage {
  /** @internal */
  readonly docsRoutesOf: (source: DocsSource, options: DocsOptions, served: Served) => DocsRoutes;
}

const RULES: Rules<DocsOptions> = {
  title: text,
  version: text,
  description: text,
  security: object('an object of security schemes'),
  page: objectWith(['docsRoutesOf'], "docsPage of 'fw/docs-page'"),
};

/** What the App that listens knows. */
export interface Served {
  readonly routes: readonly Route[];
  /** The contract of `app.loadContract()`, if there is one. */
  readonly contract: unknown;
}

/** @throws ConfigError if an option describes an API whose document is finished */
function assertForSource(source: DocsSource, { page: _, ...described }: DocsOptions): void {
  if (isDescribedHere(source)) return;
  const [name] = Object.entries(described).find(([, value]) => value !== undefined) ?? [];
  if (name === undefined) return;
  throw new ConfigError(
    'FW_DOCS_OPTION',
    `the option '${name}' of serveDocs is for an App or a registry; the document has its own, write it there`,
  );
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
    assertForSource(source, this.#options);
    assertPage(path, this.#options.page);
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
    const { docsRoutesOf } = this.#options.page ?? (await import('./describe-api.js'));
    return docsRoutesOf(this.#source, this.#options, this.#served);
  }
}

/** @throws ConfigError if there is none, and the bundle has none either. */
export function assertPage(
  path: string,
  page: DocsPage | undefined,
  runtime: RuntimeName = THIS_RUNTIME,
): void {
  if (page !== undefined || runtime !== 'Workers') return;
  throw new ConfigError(
    'FW_RUNTIME',
    `serveDocs('${path}'): bundles for Workers have no page by themselves; import { docsPage } from 'fw/docs-page', and give it as the option page`,
  );
}
