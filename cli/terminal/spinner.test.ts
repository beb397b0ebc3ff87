import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { canSpin, spin } from './spinner.js';

let written: string;
const stream = (isTTY: boolean, columns = 80): NodeJS.WriteStream =>
  ({ isTTY, columns, write: (text: string) => (written += text) }) as unknown as NodeJS.WriteStream;
beforeEach(() => {
  written = '';
  vi.useFakeTimers();
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
  expect(written).toContain('⠋ Installing … 0 s');
  expect(written).toContain('Installing … 2 s');
  expect(written.endsWith('\r\u001b[K')).toBe(true);
  const shown = written;
  vi.advanceTimersByTime(2000);
  expect(written).toBe(shown);
});

it('fits a narrow terminal', () => {
  spin('Installing the dependencies with npm', stream(true, 20)).stop();
  const lines = written.split('\r\u001b[K').filter(Boolean);
  expect(lines.every((line) => line.length <= 20)).toBe(true);
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
