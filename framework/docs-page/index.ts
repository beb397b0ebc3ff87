// The entry `fw/docs-page`: the page of `app.serveDocs`, for bundles that have it only if something imports it.
import { docsRoutesOf } from '../app/docs/describe-api.js';
import type { DocsPage } from '../app/docs/docs-entry.js';

export type { DocsPage } from '../app/docs/docs-entry.js';

/**
 * The page about an API, for the option `page` of `app.serveDocs`. Workers need it; elsewhere `fw` finds the page itself.
 *
 * ```ts no-run
 * app.serveDocs('/docs', app, { title: 'Tasks', page: docsPage });
 * ```
 */
export const docsPage: DocsPage = { docsRoutesOf };
