// What the binary prints without a project: version and help.
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { installedFw, run, runFw } from './packed.js';

const commands = [
  'new',
  'dev',
  'generate',
  'routes',
  'fuzz',
  'doctor',
  'upgrade',
  'completion',
  'build',
  'test',
  'fmt',
  'lint',
];

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

test.skipIf(process.platform === 'win32')('a reader that closes the pipe early is not an error', async () => {
  const result = await run('sh', ['-c', `"${process.execPath}" "${installedFw()}" --help | true`]);
  expect(result).toMatchObject({ exitCode: 0, stderr: '' });
});
