// The documentation page: its HTML, which loads the viewer and the OpenAPI document from this server.

/** RapiDoc adds one style element for the attributes below; the policy allows it by its hash. */
const THEME_HASH = 'sha256-56Ph23MXZvE0Fm5vsseYLb0YVfbbtYUzgZr0LSmubpY=';

/**
 * Allows nothing from other servers and no inline scripts. `connect-src` limits the requests of "try it" to this
 * server. Style attributes, which RapiDoc sets, are allowed, because they cannot run scripts.
 */
export const CONTENT_SECURITY_POLICY: string = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src '${THEME_HASH}'`,
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * @param base the path of the page; the viewer and the OpenAPI document are below it.
 * @param hasSecurity whether the document has security schemes.
 */
export function docsPage(title: string, base: string, hasSecurity: boolean): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<script type="module" src="${escapeHtml(base)}/rapidoc.js"></script>
</head>
<body>
<rapi-doc spec-url="${escapeHtml(base)}/openapi.json" load-fonts="false" show-header="false" render-style="view" schema-style="table" sort-endpoints-by="path" allow-authentication="${hasSecurity}" allow-spec-url-load="false" allow-spec-file-load="false" regular-font="system-ui, sans-serif" mono-font="ui-monospace, monospace"></rapi-doc>
<noscript>This page needs JavaScript; the specification is <a href="${escapeHtml(base)}/openapi.json">openapi.json</a>.</noscript>
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
