import { describe, expect, it } from 'vitest';
import { UsageError } from '../terminal/errors.js';
import { headerFields } from './header-fields.js';

describe('header fields of the command line', () => {
  it('are a name and a value without the blanks around it', () => {
    expect(headerFields('--header', ['X-Key: \t a: b \t', 'a:1'])).toEqual({ 'x-key': 'a: b', a: '1' });
    // Only SP and HTAB are blanks: the octet A0 belongs to the value.
    expect(headerFields('--header', ['a: \u00a0x\u00a0'])).toEqual({ a: '\u00a0x\u00a0' });
  });

  it('are combined if a name is given twice, cookies as cookies', () => {
    expect(headerFields('--header', ['A: 1', 'Cookie: a=1', 'a: 2', 'cookie: b=2'])).toEqual({
      a: '1, 2',
      cookie: 'a=1; b=2',
    });
    expect(headerFields('--header', ['__proto__: 1'])).toEqual(Object.fromEntries([['__proto__', '1']]));
  });

  it.each([
    ['secret', '--header has no colon between a name and a value'],
    ['@file', '--header has no colon'],
    [': secret', "--header begins with '', which is not the name of a header field"],
    ['a b: secret', "--header begins with 'a b'"],
    ['a : secret', "--header begins with 'a '"],
    ['a\u00a0: secret', "--header begins with 'a\u00a0'"],
    ['Content-Length: secret', "--header has 'Content-Length', which belongs to each request by itself"],
    ['transfer-encoding: secret', "--header has 'transfer-encoding', which belongs"],
    ['X-Key:', "--header has 'X-Key' without a value"],
    ['X-Key: \t', "--header has 'X-Key' without a value"],
    ['X-Key: secret\r\nb: 1', "--header has 'X-Key' with a character"],
    ['X-Key: secret\u20ac', "--header has 'X-Key' with a character"],
  ])('%j is wrong usage, and its value is not shown', (line, says) => {
    let thrown: unknown;
    try {
      headerFields('--header', [line]);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(UsageError);
    const { message, help } = thrown as UsageError;
    expect(message).toContain(says);
    expect(message + help).not.toContain('secret');
  });
});
