// Programs that the app starts from its TypeScript files: threads and child processes.
import { symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startTrialApp, type TrialApp } from '../trial-app.js';

const esbuildFolder = dirname(createRequire(import.meta.url).resolve('esbuild/package.json'));

let app: TrialApp | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const server = (answer: string, more = ''): string => `
import http from 'node:http';
${more}
http.createServer((request, response) => { ${answer} }).listen(4567);
`;

describe('a worker thread', () => {
  it('runs from its TypeScript file', async () => {
    app = await startTrialApp({
      'src/main.ts': server(
        "new Worker(new URL('./job.ts', import.meta.url)).once('message', (text) => response.end(text));",
        "import { Worker } from 'node:worker_threads';",
      ),
      'src/job.ts':
        "import { parentPort } from 'node:worker_threads'; import { text } from './text.js'; parentPort?.postMessage(text as string);",
      'src/text.ts': "export const text: string = 'from the thread';",
    });
    symlinkSync(esbuildFolder, join(app.root, 'node_modules/esbuild'));
    expect((await app.get('/')).text).toBe('from the thread');
  });
});

describe('a child process', () => {
  it('runs from its TypeScript file, with arguments, options and a channel', async () => {
    app = await startTrialApp({
      'src/main.ts': server(
        "fork(new URL('./job.ts', import.meta.url), ['word'], { env: { A: '1' } }).once('message', (text) => response.end(text));",
        "import { fork } from 'node:child_process';",
      ),
      'src/job.ts': `import { text } from './text.js';
        process.send?.([text as string, process.argv[2], process.env.A, import.meta.dirname].join(' '));`,
      'src/text.ts': "export const text: string = 'from the child';",
    });
    symlinkSync(esbuildFolder, join(app.root, 'node_modules/esbuild'));
    expect((await app.get('/')).text).toBe(`from the child word 1 ${join(app.root, 'src')}`);
  });

  it('runs from JavaScript as without fw, and from a path relative to its `cwd`', async () => {
    app = await startTrialApp({
      'src/main.ts': server(
        "const file = request.url === '/js' ? 'plain.js' : 'job.js'; fork(file, { cwd: 'src' }).once('message', (text) => response.end(text));",
        "import { fork } from 'node:child_process';",
      ),
      'src/job.ts': "const text: string = 'typed'; process.send?.(text);",
      'src/plain.js': "process.send('plain');",
    });
    symlinkSync(esbuildFolder, join(app.root, 'node_modules/esbuild'));
    expect((await app.get('/')).text).toBe('typed');
    expect((await app.get('/js')).text).toBe('plain');
  });
});
