import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testSetup } from './test-setup.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fw-setup-'));
  mkdirSync(join(root, 'src'));
  write('package.json', '{"devDependencies":{"vitest":"^4.1.0"}}');
  write('tsconfig.json', '{"compilerOptions":{"allowImportingTsExtensions": true}}');
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, text: string): void {
  writeFileSync(join(root, file), text);
}

const setup = () => testSetup(root, join(root, 'src/main.ts'));

describe('testSetup', () => {
  it('prefers the function that makes an App for tests', () => {
    write('src/app.ts', 'export const app = new App();\n');
    expect(setup()).toEqual({ runner: 'vitest', gives: 'app', file: 'src/app.ts', module: './app.ts' });
    write('src/test-app.ts', 'export interface TestApp {}\nexport async function testApp() {}\n');
    expect(setup()).toMatchObject({ gives: 'testApp', file: 'src/test-app.ts', module: './test-app.ts' });
  });

  it('writes the extension that the compiler accepts', () => {
    write('tsconfig.json', '{}');
    write('src/app.mts', 'const app = new App();\nexport { rpc, app };\n');
    expect(setup()).toMatchObject({ gives: 'app', file: 'src/app.mts', module: './app.mjs' });
    rmSync(join(root, 'src/app.mts'));
    write('src/app.js', 'export default app;\n');
    expect(setup()).toMatchObject({ gives: 'default', module: './app.js' });
  });

  it('takes the runner of Node.js for a project without Vitest', () => {
    write('package.json', '{"devDependencies":{"typescript":"*"}}');
    expect(setup()).toMatchObject({ runner: 'node:test', gives: 'unknown', file: 'src/app.ts' });
  });

  it('finds the file from which the entry imports the App', () => {
    mkdirSync(join(root, 'src/web'));
    write('src/server.ts', 'export const app = new App();\n');
    for (const from of ['./server.ts', './server.js', './server']) {
      write(
        'src/main.ts',
        `import { log } from 'fw/tracing';\nimport {\n  app,\n  other } from '${from}';\n`,
      );
      expect(setup(), from).toEqual({
        runner: 'vitest',
        gives: 'app',
        file: 'src/server.ts',
        module: './server.ts',
      });
    }
    write('src/web/index.ts', 'const app = new App();\nexport default app;\n');
    write('src/main.ts', "import app from './web/index.ts';\napp.listen(3000);\n");
    expect(setup()).toMatchObject({ gives: 'default', file: 'src/web/index.ts', module: './index.ts' });
  });

  it.each([
    "import { app } from 'elsewhere';",
    "import { apple } from './server.ts';",
    "import { app } from './missing.ts';",
    "import { app } from './server.ts';",
    `import { ${'app, '.repeat(100_000)}} from './server.ts';`,
    'import {'.repeat(100_000),
  ])('names the entry where no file exports the App: %#', (text) => {
    write('src/server.ts', 'export const server = 1;\nexport const apple = 1;\n');
    write('src/main.ts', `${text}\nconst app = new App();\n`);
    expect(setup()).toEqual({
      runner: 'vitest',
      gives: 'unknown',
      file: 'src/app.ts',
      module: './app.ts',
      entry: 'src/main.ts',
    });
  });
});
