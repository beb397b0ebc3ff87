import { describe, expect, it } from 'vitest';
import { startError } from './start-error.js';

const failure = (code: string | undefined) => Object.assign(new Error('bind failed'), code && { code });
const wanted = { host: '::1', port: 80 };

describe('an error at the start', () => {
  it.each([
    ['EADDRINUSE', 'the port is already in use; stop the process that uses it, or choose another port'],
    ['EACCES', 'this user may not bind the port; choose one above 1023'],
    ['EADDRNOTAVAIL', 'this machine has no such address; use 127.0.0.1, or 0.0.0.0 for all of them'],
    ['ENOTFOUND', 'the host name is unknown; use an address of this machine'],
    ['EOTHER', 'bind failed'],
    [undefined, 'bind failed'],
  ])('%s says what to do, without a stack', (code, reason) => {
    const error = startError(failure(code), wanted, 'linux');
    const message = `cannot listen on [::1]:80: ${reason}`;
    expect(error).toMatchObject({ message, code, stack: `Error: ${message}` });
    expect(Object.keys(error)).not.toContain('code');
  });

  it('is another one for EACCES of a port on Windows, which reserves some', () => {
    expect(startError(failure('EACCES'), wanted, 'win32').message).toBe(
      'cannot listen on [::1]:80: the port is reserved by Windows, or another program has it for itself; choose another one',
    );
    const pipe = { path: '\\\\.\\pipe\\app' };
    expect(startError(failure('EACCES'), pipe, 'win32').message).toContain('the folder does not exist');
  });
});
