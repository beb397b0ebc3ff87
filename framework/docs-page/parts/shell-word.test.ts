import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { shellWord } from './shell-word.js';

const texts = [
  '',
  'plain',
  "o'neil",
  '$(x) `y` "z" \\ !a',
  'two\nlines',
  'x\u001b[201~\rtouch PWNED\r',
  "\u0007'\\\n1",
  '\u001b1',
  'tab\there',
  '\u009b31m \u202e \u2066',
];

describe('shellWord', () => {
  it.each(['bash', 'zsh'])('gives %s the text, and no control character on the way', (shell) => {
    if (spawnSync(shell, ['-c', 'exit 0']).status !== 0) return;
    for (const text of texts) {
      const word = shellWord(text);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(word).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      const env = { ...process.env, LC_ALL: 'C.UTF-8' };
      const { stdout } = spawnSync(shell, ['-c', `printf '%s' ${word}`], { encoding: 'utf8', env });
      expect(stdout).toBe(text);
    }
  });
});
