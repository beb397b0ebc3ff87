// What texts from outside look like in a terminal.
import { describe, expect, it } from 'vitest';
import { printable, printableColored, printableSource } from './printable.js';

describe('printable', () => {
  it.each([
    ['a\nb', 'a\nb'],
    ['\u001b[31mred', '\\x1b[31mred'],
    ['a\rb\u0000\u0007\t', 'a\\x0db\\x00\\x07\\x09'],
    ['\u007f\u0080\u009b2J\u009f\u00a0', '\\x7f\\x80\\x9b2J\\x9f\u00a0'],
    ['user\u202etxt.exe\u202c', 'user\\u202etxt.exe\\u202c'],
    ['\u2066x\u2069', '\\u2066x\\u2069'],
    ['Grüße 日本 👩‍👧', 'Grüße 日本 👩‍👧'],
  ])('shows %j as %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});

describe('printableColored', () => {
  it.each([
    ['\u001b[1m\u001b[38;5;10mgreen\u001b[39m\tx', '\u001b[1m\u001b[38;5;10mgreen\u001b[39m\tx'],
    ['\u001b[2J\u001b[H\u001b]0;title\u0007', '\\x1b[2J\\x1b[H\\x1b]0;title\\x07'],
    ['a\rb\u001b', 'a\\x0db\\x1b'],
    [`\u001b[${'1;'.repeat(11)}m`, `\\x1b[${'1;'.repeat(11)}m`],
    ['a\nb', 'a\nb'],
  ])('shows %j as %j', (text, shown) => {
    expect(printableColored(text)).toBe(shown);
  });
});

describe('printableSource', () => {
  it('keeps tabs alone', () => {
    expect(printableSource('\t\ta\t\u001b[2J\u202e\tb\r')).toBe('\t\ta\t\\x1b[2J\\u202e\tb\\x0d');
  });
});
