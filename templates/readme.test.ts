// The code in the READMEs of the templates passes the linter of the app that it is copied into.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listTemplateFolders } from '../cli/new/templates.js';

const root = fileURLToPath(new URL('.', import.meta.url));
const biome = join(
  dirname(createRequire(import.meta.url).resolve('@biomejs/biome/package.json')),
  'bin/biome',
);

/** The code of a README, without the indentation of the list that it is in. */
const blocks = listTemplateFolders(root).flatMap(({ name }) => {
  const text = readFileSync(join(root, name, 'README.md'), 'utf8');
  return [...text.matchAll(/^( *)```(tsx?)\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', language = '', code = '']) => ({
      name,
      language,
      code: code.replace(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
});

test.each(blocks)('$name: $code', ({ name, language, code }) => {
  const args = [biome, 'format', `--stdin-file-path=src/x.${language}`];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: join(root, name),
    input: code,
    encoding: 'utf8',
  });
  expect(stdout, stderr).toBe(code);
});
