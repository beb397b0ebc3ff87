// The page about an API: its HTML, which loads the script, the style sheet and the API from this server.

/**
 * Allows nothing from other servers and nothing inline. `connect-src` limits the requests that are sent from the page,
 * and WebSockets, to this server; `blob:` is for images of answers.
 */
export const CONTENT_SECURITY_POLICY: string = [
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
export function docsPage(title: string, base: string): string {
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
