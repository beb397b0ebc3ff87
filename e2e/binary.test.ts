// What the binary prints without a project: version, help, placeholders.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { installedFw, run, runFw, temporaryDirectory } from './packed.js';

const commands = ['new', 'dev', 'generate', 'routes', 'doctor', 'completion', 'build', 'test', 'fmt', 'lint'];

test.each(['--version', '-v'])('fw %s prints only the version', async (flag) => {
  expect(await runFw([flag])).toMatchObject({ exitCode: 0, stdout: `${packageJson.version}\n`, stderr: '' });
});

test.each([[[]], [['--help']], [['-h']], [['help']]])('fw %j lists the commands', async (args) => {
  const result = await runFw(args);
  expect(result).toMatchObject({ exitCode: 0, stderr: '' });
  for (const name of commands) {
    expect(result.stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
  }
});

test.each(commands)('fw %s --help shows its usage', async (name) => {
  const result = await runFw([name, '--help']);
  expect(result).toMatchObject({ exitCode: 0, stderr: '' });
  expect(result.stdout).toMatch(new RegExp(`^Usage: fw ${name} `));
  expect((await runFw(['help', name])).stdout).toBe(result.stdout);
});

test('colours are printed to terminals, and if they are forced', async () => {
  const escapeCharacter = '\u001b';
  expect((await runFw(['--help'], { env: { NO_COLOR: '' } })).stdout).not.toContain(escapeCharacter);
  expect((await runFw(['--help'], { env: { NO_COLOR: '', FORCE_COLOR: '1' } })).stdout).toContain(
    escapeCharacter,
  );
});

describe('a placeholder', () => {
  test.each(['build', 'test', 'fmt', 'lint'])('fw %s names the script to run', async (name) => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts: { [name]: 'true' } }));
    const result = await runFw([name], { cwd });
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(result.stdout).toBe(`fw ${name} is a placeholder; run: npm run ${name}\n`);
  });
});

test.skipIf(process.platform === 'win32')('a reader that closes the pipe early is not an error', async () => {
  const result = await run('sh', ['-c', `"${process.execPath}" "${installedFw()}" --help | true`]);
  expect(result).toMatchObject({ exitCode: 0, stderr: '' });
});
