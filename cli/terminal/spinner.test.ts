import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { canSpin, noProgress, printOnce, progress, spin } from './spinner.js';

let written: string;
const stream = (isTTY: boolean, columns = 80): NodeJS.WriteStream =>
  ({ isTTY, columns, write: (text: string) => (written += text) }) as unknown as NodeJS.WriteStream;
beforeEach(() => {
  written = '';
  vi.useFakeTimers();
  // The process has run for a while.
  vi.advanceTimersByTime(5000);
  for (const [name, value] of [
    ['CI', ''],
    ['TERM', 'xterm'],
    ['NO_COLOR', '1'],
  ] as const)
    vi.stubEnv(name, value);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

it('counts seconds, and leaves nothing behind', () => {
  const spinner = spin('Installing', stream(true));
  vi.advanceTimersByTime(2000);
  expect(spinner.stop()).toBe(2);
  expect(written).toContain('⠋ Installing … 0 s\r\u001b[K⠙ Installing … 0 s');
  expect(written).toContain('Installing … 2 s');
  expect(written.endsWith('\r\u001b[K')).toBe(true);
  const shown = written;
  vi.advanceTimersByTime(2000);
  expect(written).toBe(shown);
});

it('says nothing about what is done soon', () => {
  const spinner = spin('Reading', stream(true), 1000);
  vi.advanceTimersByTime(900);
  spinner.say('Inferring');
  spinner.stop();
  expect(written).toBe('');
});

it('says the next step, also if nothing else happens in the process meanwhile', () => {
  const spinner = spin('Reading', stream(true), 1000);
  vi.setSystemTime(Date.now() + 1100);
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1100);
  spinner.say('Inferring, 1 of 3');
  expect(written).toBe('\r\u001b[K⠋ Inferring, 1 of 3 … 1 s');
  // More often than a terminal shows.
  spinner.say('Inferring, 2 of 3');
  expect(written).not.toContain('2 of 3');
  vi.mocked(performance.now).mockRestore();
});

it('prints one whole line among the output of others, if it takes longer', () => {
  printOnce('Starting', stream(true), 1000).stop();
  const line = printOnce('Starting', stream(true), 1000);
  vi.advanceTimersByTime(900);
  expect(written).toBe('');
  vi.advanceTimersByTime(2100);
  expect(line.stop()).toBe(3);
  expect(written).toBe('Starting …\n');
});

it('prints it among the output of others only on a terminal, with what is said last', () => {
  const error = vi.spyOn(process, 'stderr', 'get');
  for (const isTTY of [false, true]) {
    error.mockReturnValue(stream(isTTY) as typeof process.stderr);
    progress('Starting', 'output').say('Waiting for the app');
    vi.advanceTimersByTime(5000);
    expect(written).toBe(isTTY ? 'Waiting for the app …\n' : '');
  }
  error.mockRestore();
});

it('asks for a text that changes', () => {
  let packages = 0;
  spin(() => `${packages} packages`, stream(true));
  packages = 7;
  vi.advanceTimersByTime(80);
  expect(written).toContain('7 packages');
});

it.each([true, false])('is a line on standard error, if that is a terminal: %j', (isTTY) => {
  vi.spyOn(process, 'stderr', 'get').mockReturnValue(stream(isTTY) as typeof process.stderr);
  const line = progress('Building');
  vi.advanceTimersByTime(2000);
  line.stop();
  expect(written.includes('Building')).toBe(isTTY);
  noProgress('Nothing').say('x');
  expect(written).not.toContain('Nothing');
  vi.restoreAllMocks();
});

it('fits a narrow terminal', () => {
  spin('Installing the dependencies with npm', stream(true, 20)).stop();
  const lines = written.split('\r\u001b[K').filter(Boolean);
  expect(lines.every((line) => line.length <= 20)).toBe(true);
  written = '';
  // A line that fits, to its last column.
  spin('Installing', stream(true, 19)).stop();
  expect(written).toContain('⠋ Installing … 0 s');
  written = '';
  spin('Installing', stream(true, 18)).stop();
  expect(written).toContain('⠋ nstalling … 0 s');
});

it('needs a terminal that can move the cursor, outside of CI', () => {
  expect(canSpin(stream(true))).toBe(true);
  expect(canSpin(stream(false))).toBe(false);
  vi.stubEnv('TERM', 'dumb');
  expect(canSpin(stream(true))).toBe(false);
  vi.stubEnv('TERM', 'xterm');
  vi.stubEnv('CI', 'true');
  expect(canSpin(stream(true))).toBe(false);
});
