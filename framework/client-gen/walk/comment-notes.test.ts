import { expect, it } from 'vitest';
import { commentNotes } from './comment-notes.js';

const text = { kind: 'string' } as const;

it('takes a text without quotes as the default of a string, and no code', () => {
  const noted = (value: string) => commentNotes(undefined, { examples: [], default: value }, text);
  expect(noted('plain')).toEqual({ notes: { default: 'plain' } });
  expect(noted('undefined')).toEqual({ description: 'Default: undefined' });
});

it('keeps an example of several lines in the description', () => {
  const code = 'const name = read();\nsend(name);';
  expect(commentNotes('A name.', { examples: [code, 'Ann'] }, text)).toEqual({
    description: `A name.\n\nExample:\n\n\`\`\`ts\n${code}\n\`\`\``,
    notes: { examples: ['Ann'] },
  });
});
