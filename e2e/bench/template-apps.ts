// An app of each template, scaffolded by the checkout's binary, with the checkout's packages.
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Question } from './template-load.js';

export const checkout = fileURLToPath(new URL('../..', import.meta.url));

interface Template {
  /** Answered by the app itself, and without a first load of a page. */
  readonly question: Question;
  /** A file with procedures, and an edit of a type, in which COUNT stands for the number of the save. */
  readonly procedures?: { readonly file: string; readonly edit: readonly [from: string, to: string] };
}

export const templates: Record<string, Template> = {
  basic: { question: { path: '/notes' } },
  rpc: {
    question: { path: '/rpc', call: '{"jsonrpc":"2.0","id":1,"method":"countTasks"}' },
    procedures: {
      file: 'src/rpc.ts',
      edit: ['input: { id: number }', 'input: { id: number; noteCOUNT?: string }'],
    },
  },
  'api-only': { question: { path: '/health' } },
  fullstack: {
    question: { path: '/health' },
    procedures: { file: 'src/lists/lists.ts', edit: ['id: string;', 'id: string; noteCOUNT?: string;'] },
  },
  production: { question: { path: '/health/ready' } },
};

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fw-bench-templates-')));

export function removeApps(): void {
  rmSync(folder, { recursive: true, force: true });
}

/** An app whose responses carry the number of the last save, see `template-load.ts`. */
export function makeApp(template: string): string {
  const app = join(folder, template);
  execFileSync(
    process.execPath,
    [join(checkout, 'dist/cli/main.js'), 'new', app, '--template', template, '--no-install', '--no-git'],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  linkPackages(join(app, 'node_modules'));
  writeFileSync(
    join(app, 'src/bench-observer.ts'),
    `import { subscribe } from 'node:diagnostics_channel';
import './bench-version.ts';
subscribe('http.server.request.start', (message) => {
  const { response } = message as { response: import('node:http').ServerResponse };
  response.setHeader('X-Bench-Version', String((globalThis as { benchVersion?: number }).benchVersion));
});
`,
  );
  writeFileSync(join(app, 'src/bench-version.ts'), 'Object.assign(globalThis, { benchVersion: 0 });\n');
  const main = join(app, 'src/main.ts');
  writeFileSync(
    main,
    readFileSync(main, 'utf8').replace(/^import /m, "import './bench-observer.ts';\nimport "),
  );
  return app;
}

/** A folder of links: what tools write into node_modules must not be found in the checkout. */
function linkPackages(to: string): void {
  const from = join(checkout, 'node_modules');
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (!name.startsWith('.')) symlinkSync(realpathSync(join(from, name)), join(to, name));
  }
}
