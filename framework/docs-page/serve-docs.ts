// The page about an API: the handlers of its routes, for `app.serveDocs`.
import type { Context } from '../context/context.js';
import type { FwResponse } from '../http/response.js';
import { assetResponse } from './docs-asset.js';
import { CONTENT_SECURITY_POLICY, docsPage } from './docs-page.js';

type Handler = (ctx: Context) => FwResponse | Promise<FwResponse>;

export interface DocsRoutes {
  readonly page: Handler;
  /** The OpenAPI document. */
  readonly specification: Handler;
  /** What the page shows. */
  readonly api: Handler;
  readonly script: Handler;
  readonly style: Handler;
}

/** The parts of an OpenAPI document that are read here; the others may be anything. */
export interface OpenApiObject {
  readonly openapi?: unknown;
  readonly info?: { readonly title?: unknown };
  readonly servers?: unknown;
  readonly paths?: unknown;
  readonly components?: unknown;
}

/** @param api what the page gets; its document may be another one than that for other programs */
export function docsRoutes(document: OpenApiObject, api: { readonly document: unknown }): DocsRoutes {
  const title = String(document.info?.title ?? 'API');
  return {
    page(ctx) {
      const response = ctx.html(docsPage(title, ctx.req.uri.pathname.replace(/\/$/, '')));
      response.headers.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
      return response;
    },
    specification: (ctx) => ctx.json(withOrigin(document, ctx.req.uri.origin)),
    api: (ctx) => {
      const shown = withOrigin(api.document as OpenApiObject, ctx.req.uri.origin);
      return ctx.json({ ...api, document: shown });
    },
    script: (ctx) => assetResponse(ctx, 'script', 'text/javascript; charset=utf-8'),
    style: (ctx) => assetResponse(ctx, 'style', 'text/css; charset=utf-8'),
  };
}

/** The origin of this request, for `servers`: requests are sent there. */
function withOrigin(document: OpenApiObject, origin: string): OpenApiObject {
  const { servers } = document;
  if (!Array.isArray(servers)) return document;
  return {
    ...document,
    servers: servers.map((server: { url?: unknown } | null) =>
      typeof server?.url === 'string' ? { ...server, url: origin + pathOf(server.url) } : server,
    ),
  };
}

function pathOf(url: string): string {
  if (!URL.canParse(url, 'http://localhost')) return '';
  const path = new URL(url, 'http://localhost').pathname;
  return path === '/' ? '' : path;
}
