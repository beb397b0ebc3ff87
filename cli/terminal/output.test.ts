import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clock, count, createTerminal } from './output.js';

afterEach(() => vi.unstubAllEnvs());

/** The output of a terminal or a pipe. */
function shown(isTTY: boolean, environment: Record<string, string>): string {
  for (const name of ['NO_COLOR', 'FORCE_COLOR', 'TERM']) vi.stubEnv(name, environment[name]);
  const stream = Object.assign(new PassThrough(), { isTTY });
  let seen = '';
  stream.on('data', (chunk) => {
    seen += String(chunk);
  });
  const terminal = createTerminal(stream as unknown as NodeJS.WriteStream);
  terminal.clear();
  terminal.print(terminal.colors.red('failed'));
  return seen;
}

const cleared = '\u001b[2J\u001b[3J\u001b[H';
const red = '\u001b[31mfailed\u001b[39m\n';

describe('a terminal', () => {
  it.each([
    ['with colors is cleared and gets them', true, { TERM: 'xterm-256color' }, cleared + red],
    ['that is dumb gets no sequence at all', true, { TERM: 'dumb' }, 'failed\n'],
    ['that is dumb gets the colors that were asked for', true, { TERM: 'dumb', FORCE_COLOR: '1' }, red],
    ['with NO_COLOR is cleared without colors', true, { TERM: 'xterm', NO_COLOR: '1' }, `${cleared}failed\n`],
    ['that is a pipe gets text alone', false, { TERM: 'xterm' }, 'failed\n'],
    ['that is a pipe gets the colors that were asked for', false, { TERM: 'xterm', FORCE_COLOR: '1' }, red],
    ['that is a pipe gets none with FORCE_COLOR=0', false, { TERM: 'xterm', FORCE_COLOR: '0' }, 'failed\n'],
  ])('%s', (_what, isTTY, environment, expected) => {
    expect(shown(isTTY, environment)).toBe(expected);
  });

  it('gets nothing but colors and tabs of what is printed', () => {
    const stream = Object.assign(new PassThrough(), { isTTY: true });
    let seen = '';
    stream.on('data', (chunk) => {
      seen += String(chunk);
    });
    createTerminal(stream as unknown as NodeJS.WriteStream).print(
      '\u001b[31ma\u001b[39m\t\u001b[2Jb\rc\u202e',
    );
    expect(seen).toBe('\u001b[31ma\u001b[39m\t\\x1b[2Jb\\x0dc\\u202e\n');
  });

  it('does not end the process if its reader has closed it', () => {
    const stream = Object.assign(new PassThrough(), { isTTY: false });
    createTerminal(stream as unknown as NodeJS.WriteStream);
    expect(() => stream.emit('error', new Error('EPIPE'))).not.toThrow();
  });
});

it('counts in words and tells the time', () => {
  expect([0, 1, 2].map((number) => count(number, 'error'))).toEqual(['0 errors', '1 error', '2 errors']);
  expect(clock(new Date(2026, 0, 2, 3, 4, 5))).toBe('03:04:05');
});
