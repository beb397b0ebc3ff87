// The HTML for browsers where something failed: a text, and the scripts that show more and reload the page later.

/** The line that pages of an app write into their HTML, as the variable `FW_LIVE_SCRIPT`. */
export const LIVE_SCRIPT = '<script type="module" src="/_fw/live.js"></script>';

/** What these pages may load: those scripts, and what they ask for. */
export const FAILURE_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'";

/** Of a 503, while no version of the app answers. */
export function failurePage(reason: string): string {
  return page('No version answers', LIVE_SCRIPT, `<body>\n    <pre>${escapeHtml(reason)}</pre>`);
}

/** An error that the app has answered. */
export interface AnsweredFailure {
  /** By which the page asks for the record of its request. */
  readonly id: string;
  readonly status: number;
  /** The standard body, which shows without a script. */
  readonly body: string;
  /** Whether loading the page again does nothing else than that. */
  readonly isRepeatable: boolean;
}

/** It has nothing in it that the standard body does not have: the scripts load the rest, from whom may see it. */
export function errorPage({ id, status, body, isRepeatable }: AnsweredFailure): string {
  const live = isRepeatable ? LIVE_SCRIPT : LIVE_SCRIPT.replace('live.js', 'live.js?reload=off');
  const scripts = `${live}\n    <script type="module" src="/_fw/error.js"></script>`;
  return page(
    `${status}`,
    scripts,
    `<body data-request="${escapeHtml(id)}">\n    <pre>${escapeHtml(body)}</pre>`,
  );
}

function page(title: string, scripts: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="data:," />
    <title>${title} · fw dev</title>
    ${scripts}
  </head>
  ${body}
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
