// The documentation page: the handlers of its routes, for `app.serveDocs`.

import { ConfigError } from '../config-error.js';
import type { Context } from '../context/context.js';
import { negotiate } from '../http/accept-encoding.js';
import { FwResponse } from '../http/response.js';
import { VERSION } from '../version.js';
import { docsAsset, unzipped } from './docs-asset.js';
import { CONTENT_SECURITY_POLICY, docsPage } from './docs-page.js';

/** An OpenAPI document: an `OpenApiSpec`, or the document itself as an object. */
export type DocsSource = { toJson(): string } | object;

export interface DocsRoutes {
  page(ctx: Context): FwResponse;
  specification(ctx: Context): FwResponse;
  reader(ctx: Context): Promise<FwResponse>;
}

interface Document {
  readonly openapi?: unknown;
  readonly info?: { readonly title?: unknown };
  readonly components?: { readonly securitySchemes?: unknown };
  readonly servers?: readonly { readonly url?: unknown }[];
}

/** @throws ConfigError when `spec` is not an OpenAPI document. */
export function docsRoutes(spec: DocsSource): DocsRoutes {
  const document = JSON.parse('toJson' in spec ? spec.toJson() : JSON.stringify(spec)) as Document;
  if (typeof document.openapi !== 'string' || typeof document.info?.title !== 'string') {
    throw new ConfigError(
      'FW_OPENAPI',
      'serveDocs takes an OpenAPI document: an OpenApiSpec, or an object with openapi and info.title',
    );
  }
  const { title } = document.info;
  return {
    page(ctx) {
      const base = ctx.req.uri.pathname.replace(/\/$/, '');
      const response = ctx.html(docsPage(title, base, document.components?.securitySchemes !== undefined));
      response.headers.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
      return response;
    },
    specification: (ctx) => ctx.json(withOrigin(document, originOf(ctx))),
    async reader(ctx) {
      // Weak, because it is the same for both content codings.
      const etag = `W/"rapidoc-${VERSION}"`;
      if (ctx.req.header('if-none-match') === etag) {
        const unchanged = new FwResponse('', 304, undefined);
        unchanged.headers.set('ETag', etag);
        return unchanged;
      }
      const zipped = await docsAsset();
      const takesGzip = negotiate(ctx.req.header('accept-encoding'), ['gzip']) === 'gzip';
      const response = new FwResponse(takesGzip ? zipped : await unzipped(zipped), 200, undefined);
      if (takesGzip) response.headers.set('Content-Encoding', 'gzip');
      response.headers.set('Vary', 'Accept-Encoding');
      response.headers.set('Content-Type', 'text/javascript; charset=utf-8');
      response.headers.set('ETag', etag);
      response.headers.set('Cache-Control', 'no-cache');
      return response;
    },
  };
}

/** The origin of this request, for `servers`: the page sends its requests there. */
function withOrigin(document: Document, origin: string): Document {
  const { servers } = document;
  if (servers === undefined) return document;
  return {
    ...document,
    servers: servers.map((server) =>
      typeof server.url === 'string' ? { ...server, url: origin + pathOf(server.url) } : server,
    ),
  };
}

function originOf(ctx: Context): string {
  const { protocol, host } = ctx.req.uri;
  const isForwarded = ctx.scope.settings.readClientIp !== undefined;
  const forwarded = isForwarded ? ctx.req.header('x-forwarded-proto') : undefined;
  return `${forwarded === 'https' || forwarded === 'http' ? `${forwarded}:` : protocol}//${host}`;
}

function pathOf(url: string): string {
  const path = new URL(url, 'http://localhost').pathname;
  return path === '/' ? '' : path;
}
