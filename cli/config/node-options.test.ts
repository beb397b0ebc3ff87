import { describe, expect, it } from 'vitest';
import { inspectorFlags, nodeConditions, nodeOptionWords, withoutInspector } from './node-options.js';

describe('NODE_OPTIONS', () => {
  it.each([
    [undefined, []],
    ['  --a=1\t-C  b ', ['--a=1', '-C', 'b']],
    ['--require "./my file.js" --x="a \\"b\\" \\\\"', ['--require', './my file.js', '--x=a "b" \\']],
    ['"open', ['open']],
  ])('%j are words', (text, words) => {
    expect(nodeOptionWords(text)).toEqual(words);
  });

  it('have conditions in three spellings', () => {
    const text = '--conditions="a b" -C "c\\\\d" --conditions e --conditionsf -C';
    expect(nodeConditions(text)).toEqual(['a b', 'c\\d', 'e']);
  });

  it.each(['a b', 'a"b', 'a\\b', '\\', '"'])('give children the word %j as it was', (word) => {
    const quoted = `"${word.replace(/["\\]/g, '\\$&')}"`;
    const { NODE_OPTIONS: kept } = withoutInspector({ NODE_OPTIONS: `--inspect -r ${quoted}` });
    expect(nodeOptionWords(kept)).toEqual(['-r', word]);
  });

  it.each([
    ['--inspect', undefined],
    ['--inspect-brk=0.0.0.0:9230 --no-warnings', '--no-warnings'],
    ['--inspect-port 9333 --require "./a b.js"', '--require "./a b.js"'],
    ['--inspect-wait --inspect-publish-uid=http --debug-port=1 -C x', '-C x'],
    ['--inspector-like --conditions=inspect', '--inspector-like --conditions=inspect'],
  ])('%s is %j for children', (text, kept) => {
    expect(withoutInspector({ A: '1', NODE_OPTIONS: text })).toEqual({
      A: '1',
      ...(kept !== undefined && { NODE_OPTIONS: kept }),
    });
    expect(inspectorFlags(kept)).toEqual([]);
  });
});
