import { describe, expect, it } from 'vitest';
import { describedText, docCommentIn } from './doc-comment.js';

describe('a documentation comment', () => {
  it('has a description and tags, without asterisks and empty ends', () => {
    expect(
      docCommentIn(`
/**
 * Lists users.
 *
 *   - by name
 * @param input not shown
 * @deprecated use
 *   findUsers
 * @example
 * await client.listUsers({ page: 1 });
 * @example second()
 * @default 10
 */
`),
    ).toEqual({
      description: 'Lists users.\n\n  - by name',
      deprecated: 'use\n  findUsers',
      examples: ['await client.listUsers({ page: 1 });', 'second()'],
      default: '10',
    });
    expect(docCommentIn('/** One line. */')).toEqual({ description: 'One line.', examples: [] });
    expect(docCommentIn('/** @defaultValue 20 */')).toEqual({ default: '20', examples: [] });
    expect(docCommentIn('/** @deprecated */')).toEqual({ deprecated: true, examples: [] });
    expect(docCommentIn('/**\r\n * a\r\n * b\r\n */')).toEqual({ description: 'a\nb', examples: [] });
  });

  it('may have a tag after its text in the same line, as editors read it', () => {
    expect(docCommentIn('/** Old. @deprecated use `b @x` @default 1 */')).toEqual({
      description: 'Old.',
      deprecated: 'use `b @x`',
      default: '1',
      examples: [],
    });
  });

  it('may have code, in which @ is not a tag', () => {
    const code = '```ts\n@decorated\nclass A {}\n```';
    expect(docCommentIn(`/**\n * ${code.replaceAll('\n', '\n * ')}\n * @deprecated\n */`)).toEqual({
      description: code,
      deprecated: true,
      examples: [],
    });
    expect(docCommentIn('/** Mail to a@b.example, see {@link Other}. */')?.description).toBe(
      'Mail to a@b.example, see {@link Other}.',
    );
  });

  it('is the last one before the code, and not one that ends the line before', () => {
    expect(docCommentIn('\n/** a */\n// note /** b */\n/* c */\n')?.description).toBe('a');
    expect(docCommentIn('\n/** a */\n/** b */')?.description).toBe('b');
    expect(docCommentIn(' /** of the line before */\n')).toBeUndefined();
    expect(docCommentIn('/** of the file */\n', true)?.description).toBe('of the file');
    expect(docCommentIn(' /** of an argument */ ')?.description).toBe('of an argument');
  });

  it('is neither a plain comment, nor an empty one, nor an internal one', () => {
    for (const text of [
      '\n/* a */',
      '\n/**/',
      '\n/*** a */',
      '\n/** */',
      '\n/** a',
      '\n/** a\n@internal */',
      '',
    ]) {
      expect(docCommentIn(text), text).toBeUndefined();
    }
  });

  it('is read in linear time', () => {
    const long = `/** ${' @'.repeat(100_000)}${'*'.repeat(100_000)}${' \t'.repeat(100_000)} */`;
    expect(docCommentIn(long)?.description?.startsWith('@ @')).toBe(true);
    expect(docCommentIn(`/** a ${' @b'.repeat(100_000)} */`)?.description).toBe('a');
  });
});

describe('the text of a comment', () => {
  it('ends with its examples as code', () => {
    expect(describedText({ description: 'a', examples: ['b()', 'So:\n```js\nc()\n```'] })).toBe(
      'a\n\nExample:\n\n```ts\nb()\n```\n\nExample:\n\nSo:\n```js\nc()\n```',
    );
    expect(describedText({ examples: ['b()'] })).toBe('Example:\n\n```ts\nb()\n```');
    expect(describedText({ examples: [] })).toBeUndefined();
  });
});
