// `fw new` on a terminal: it asks for missing values, and writes nothing if it is ended by Ctrl+C.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listTemplates } from '../cli/new/templates.js';
import { installedFw, temporaryDirectory } from './packed.js';
import { keys, openTerminal, type Terminal, terminalMissing } from './terminal.js';

const missing = terminalMissing();

describe.skipIf(missing)(`on a terminal${missing ? ` (skipped: ${missing})` : ''}`, () => {
  function fwNew(cwd: string, ...args: string[]): Terminal {
    return openTerminal([process.execPath, installedFw(), 'new', ...args], cwd);
  }

  test('asks for name, template and installation, and prints the command that does the same', async () => {
    const parent = temporaryDirectory();
    const terminal = fwNew(parent, '--no-git');
    await terminal.see('Where should the app go?');
    terminal.type('My App');
    terminal.type(keys.enter);
    await terminal.see('not a valid package name');
    terminal.type(`${keys.clearLine}web/site`);
    terminal.type(keys.enter);
    await terminal.see('Which template?');
    // The description of the last template is shown, too, and not only that of the selected one.
    await terminal.see(listTemplates().at(-1)?.description ?? '');
    terminal.type(keys.enter);
    await terminal.see('Install the dependencies');
    terminal.type('n');
    const { exitCode, output } = await terminal.end();
    expect(exitCode).toBe(0);
    expect(output).toContain('fw new web/site --template basic --no-install --no-git');
    expect(existsSync(join(parent, 'web/site/src/app.ts'))).toBe(true);
  });

  test('asks nothing if nothing is missing', async () => {
    const { exitCode, output } = await fwNew(temporaryDirectory(), 'x', '-t', 'basic', '--no-install').end();
    expect(exitCode).toBe(0);
    expect(output).not.toContain('?');
  });

  test.each(['Where should the app go?', 'Which template?', 'Install the dependencies'])(
    'Ctrl+C at "%s"',
    async (question) => {
      const parent = temporaryDirectory();
      const terminal = fwNew(parent);
      for (const next of ['Where should the app go?', 'Which template?', 'Install the dependencies']) {
        await terminal.see(next);
        terminal.type(next === question ? keys.ctrlC : keys.enter);
        if (next === question) break;
      }
      const { exitCode, output } = await terminal.end();
      expect(exitCode).toBe(130);
      expect(output).toContain('Nothing was written');
      expect(readdirSync(parent)).toEqual([]);
    },
  );
});
