// The page at `/`: replace it with your own.

// Set by `fw dev`: this script shows a failed build over the page, and loads the page again after a change.
const { FW_LIVE_SCRIPT = '' } = process.env;

export const homePage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>It works</title>
    <style>
      :root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
      body { max-width: 36rem; margin: 15vh auto 0; padding: 0 1.5rem; }
      h1 { font-size: 2.5rem; line-height: 1.2; letter-spacing: -0.02em; }
      code { padding: 0.1em 0.35em; border-radius: 0.3em; background: rgb(127 127 127 / 0.16); }
      a { color: light-dark(#0a58ca, #7db4ff); }
      li { margin: 0.4rem 0; }
    </style>
  </head>
  <body>
    <h1>It works.</h1>
    <p>Open <code>src/app.ts</code>, change a route and save: the next request is answered by the new code.</p>
    <ul>
      <li><a href="/hello/world">/hello/world</a> answers with JSON and uses a parameter of its path</li>
      <li><a href="/notes">/notes</a> lists what <code>POST /notes</code> has stored</li>
      <li><a href="/notes/7">/notes/7</a> does not exist: this is what an error looks like</li>
    </ul>
    <p>This page is in <code>src/home.ts</code>.</p>
    ${FW_LIVE_SCRIPT}
  </body>
</html>
`;
