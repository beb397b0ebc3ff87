// The page about an API: the handlers of its routes, for `app.serveDocs`.
import type { Context } from '../context/context.js';
import type { FwResponse } from '../http/response.js';
import { assetResponse } from './docs-asset.js';

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

/**
 * Allows nothing from other servers and nothing inline. `connect-src` limits the requests that are sent from the page,
 * and WebSockets, to this server; `blob:` is for images of answers.
 */
const CONTENT_SECURITY_POLICY: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** @param base the path of the page; everything else is below it */
function docsPage(title: string, base: string): string {
  const below = escapeHtml(base);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${below}/page.css">
<script type="module" src="${below}/page.js"></script>
</head>
<body data-base="${below}">
<noscript>This page needs JavaScript; the specification is <a href="${below}/openapi.json">openapi.json</a>.</noscript>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
