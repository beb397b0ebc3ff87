// The page at `/`: replace it with your own.

// Set by `fw dev`: this script shows a failed build over the page, and loads the page again after a change.
const { FW_LIVE_SCRIPT = '' } = process.env;

const workbench =
  FW_LIVE_SCRIPT &&
  '<li><a href="/_fw/">The workbench</a> shows every request, with its log, errors and time</li>';

export const homePage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>It works</title>
    <link rel="icon" href="data:,">
    <style>
      :root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
      main { max-width: 36rem; margin: 15vh auto 0; padding: 0 1.5rem; }
      h1 { font-size: 2.5rem; line-height: 1.2; letter-spacing: -0.02em; }
      code { padding: 0.1em 0.35em; border-radius: 0.3em; background: rgb(127 127 127 / 0.16); }
      a { color: light-dark(#0a58ca, #7db4ff); }
      li { margin: 0.4rem 0; }
    </style>
  </head>
  <body>
    <main>
      <h1>It works.</h1>
      <p>Open <code>src/app.ts</code>, change something and save: the next request is answered by the new code.</p>
      <ul>
        <li><a href="/docs">The documentation</a> lists what this app answers, and calls it</li>
        ${workbench}
      </ul>
      <p>The guide to <code>fw</code> is in <code>node_modules/fw/README.md</code>. This page is in <code>src/home.ts</code>.</p>
    </main>
    ${FW_LIVE_SCRIPT}
  </body>
</html>
`;
