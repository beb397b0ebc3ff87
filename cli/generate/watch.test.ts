// `fw generate --watch` as a process: which files it follows, and that a program that hangs does not block it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isRunning } from '../bundle/bundle-folder.js';
import { builtBinary, makeWorkspace } from '../dev/trial-session.js';

let root: string;
let child: ChildProcess;
let output: string;
let look: () => void;

afterEach(() => {
  child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

/** A program that writes this text as the client. */
const writing = (text: string, more = ''): string =>
  `${more}\nimport { writeFileSync } from 'node:fs';\nwriteFileSync(process.argv[2] ?? '', ${text});\n`;
/** Prints its process id, then does not continue. */
const hanging = {
  waits: "console.log('pid', process.pid); setInterval(() => {}, 1e3); await new Promise(() => {});",
  loops: "console.log('pid', process.pid); for (;;) {}",
};

async function start(files: Record<string, string>): Promise<void> {
  root = makeWorkspace(files);
  output = '';
  look = () => {};
  const args = [await builtBinary(), 'generate', '--watch', '--output', 'client.ts'];
  child = spawn(process.execPath, args, { cwd: root, env: { PATH: process.env.PATH, NO_COLOR: '1' } });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      look();
    });
  }
}

/** Resolves to the match of the pattern in the output since `from`. */
function says(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
  return new Promise((settle) => {
    look = () => {
      const found = pattern.exec(output.slice(from));
      if (found) settle(found);
    };
    look();
  });
}

function save(file: string, text: string): number {
  const from = output.length;
  writeFileSync(join(root, file), text);
  return from;
}

const client = (): string => readFileSync(join(root, 'client.ts'), 'utf8');

describe('fw generate --watch', () => {
  it.each(['waits', 'loops'] as const)('aborts a program that %s at the next save', async (kind) => {
    await start({ 'src/generate-client.ts': writing("'one'") });
    await says(/started · /);
    expect(client()).toBe('one');
    const from = save('src/generate-client.ts', hanging[kind]);
    const pid = Number((await says(/pid (\d+)/, from))[1]);
    await says(/changed · \d+ ms/, save('src/generate-client.ts', writing("'two'")));
    expect(client()).toBe('two');
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(output).not.toMatch(/failed|left for/);
  });

  it.each(['waits', 'loops'] as const)('aborts a program that %s at the end', async (kind) => {
    await start({ 'src/generate-client.ts': hanging[kind] });
    const pid = Number((await says(/pid (\d+)/))[1]);
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('follows files outside of src from its start, and changed settings', async () => {
    await start({
      'src/generate-client.ts': writing('j + process.env.WORD', "import { j } from '../data/j.ts';"),
      'data/j.ts': "export const j = 'one';",
      '.env': 'WORD=!',
    });
    await says(/started · /);
    await says(/changed · \d+ ms/, save('data/j.ts', "export const j = 'two';"));
    expect(client()).toBe('two!');
    await says(/changed · \d+ ms/, save('.env', 'WORD=?'));
    expect(client()).toBe('two?');
  });
});
