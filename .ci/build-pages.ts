// Builds what runs in browsers with Vite: the page about the app that is developed (cli/dev/workbench/page/), the
// script for pages of that app (cli/dev/workbench/live/), that of the page that answers an error of it
// (cli/dev/workbench/error-page/), and the page about an API (framework/docs-page/page/). Each becomes one script and at
// most one style sheet, gzipped, in the same place of dist/. Those of the page about an API are in a module, so that a
// bundler of an app finds them.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';

const DOCS_PAGE = 'framework/docs-page/page';

/** Folders with a `main.tsx` or `main.ts`, and what their script is called. */
const pages = [
  ['cli/dev/workbench/page', 'main.tsx', 'page.js'],
  ['cli/dev/workbench/live', 'main.ts', 'live.js'],
  ['cli/dev/workbench/error-page', 'main.ts', 'error.js'],
  [DOCS_PAGE, 'main.tsx', 'page.js'],
] as const;

/** Returns the files that the pages were made of. */
export async function buildPages(root: string, dist: string): Promise<string[]> {
  const inputs: string[] = [];
  for (const page of pages) inputs.push(...(await buildPage(root, page, join(dist, page[0]))));
  return inputs;
}

async function buildPage(
  root: string,
  [page, entry, script]: (typeof pages)[number],
  outDir: string,
): Promise<string[]> {
  const { output } = (await build({
    root: join(root, page),
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      cssCodeSplit: false,
      rolldownOptions: {
        input: join(root, page, entry),
        output: { entryFileNames: script, assetFileNames: 'page.[ext]', codeSplitting: false },
      },
    },
  })) as Rolldown.RolldownOutput;
  mkdirSync(outDir, { recursive: true });
  const zipped = output.map((file) => {
    const text = file.type === 'chunk' ? file.code : file.source;
    return { file, bytes: gzipSync(text, { level: 9 }) };
  });
  if (page === DOCS_PAGE) {
    const lines = zipped.map(({ file, bytes }) =>
      pageFile(file.type === 'chunk' ? 'script' : 'style', bytes),
    );
    writeFileSync(join(outDir, 'files.js'), lines.join(''));
  } else {
    for (const { file, bytes } of zipped) writeFileSync(join(outDir, `${file.fileName}.gz`), bytes);
  }
  const html = join(root, page, 'index.html');
  if (existsSync(html)) writeFileSync(join(outDir, 'index.html'), readFileSync(html));
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

function pageFile(name: 'script' | 'style', bytes: Uint8Array): string {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const gzip = Buffer.from(bytes).toString('base64');
  // Weak, because it is the same for both content codings.
  return `export const ${name} = ${JSON.stringify({ gzip, etag: `W/"${hash}"` })};\n`;
}
