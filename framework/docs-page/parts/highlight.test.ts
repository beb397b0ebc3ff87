import { describe, expect, it } from 'vitest';
import { highlight, type Language } from './code.js';

const marks = (code: string, language: Language) =>
  highlight(code, language).flatMap(({ text, mark }) => (mark === undefined ? [] : [`${mark} ${text}`]));

describe('highlight', () => {
  it('marks the parts of TypeScript', () => {
    expect(marks("const a: Task = { id: 1, isDone?: true, 'x': `y` }; // end", 'ts')).toEqual([
      'keyword const',
      'key a',
      'key id',
      'number 1',
      'key isDone',
      'constant true',
      "key 'x'",
      'string `y`',
      'comment // end',
    ]);
  });

  it('marks keys and values of JSON, keywords of SQL and strings of a shell', () => {
    expect(marks('{"a":"b","c":null}', 'json')).toEqual([
      'key "a"',
      'string "b"',
      'key "c"',
      'constant null',
    ]);
    expect(marks("SELECT id FROM tasks WHERE title = 'x: y'", 'sql')).toEqual([
      'keyword SELECT',
      'keyword FROM',
      'keyword WHERE',
      "string 'x: y'",
    ]);
    expect(marks("curl 'http://a.example/' -H 'a: 1'", 'sh')).toEqual([
      "string 'http://a.example/'",
      "string 'a: 1'",
    ]);
  });

  it.each(['/*', '"\\', '`\\`', "'\\'", '/*/', '//', '1.', '\\"'])(
    'reads 50,000 characters of %j once',
    (part) => {
      const code = part.repeat(50_000 / part.length);
      expect(
        highlight(code, 'ts')
          .map(({ text }) => text)
          .join(''),
      ).toBe(code);
    },
  );
});
