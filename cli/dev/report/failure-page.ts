// The HTML of a 503 for browsers: the text of the failure, and the script that shows it and reloads the page later.

/** The line that pages of an app write into their HTML, as the variable `FW_LIVE_SCRIPT`. */
export const LIVE_SCRIPT = '<script type="module" src="/_fw/live.js"></script>';

/** What this page may load: that script alone. */
export const FAILURE_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

export function failurePage(reason: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="data:," />
    <title>No version answers · fw dev</title>
    ${LIVE_SCRIPT}
  </head>
  <body>
    <pre>${escapeHtml(reason)}</pre>
  </body>
</html>
`;
}

/** Whether a browser asks for a page, and not a script or a style. */
export function wantsPage(accept: string | undefined): boolean {
  return /(?:^|,)[ \t]*text\/html\b/i.test(accept ?? '');
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };
  return text.replace(/[&<>"]/g, (one) => `&${names[one]};`);
}
