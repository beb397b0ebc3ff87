// A line that moves while something takes long, on a terminal; elsewhere nothing is printed.
import { colorsFor } from './color.js';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const INTERVAL = 80;
/** What takes no longer than this says nothing, in milliseconds. */
const QUIET_TIME = 1000;

/** Whether a moving line can be shown: not in CI, whose logs would have every frame. */
export function canSpin(stream: NodeJS.WriteStream = process.stdout): boolean {
  return stream.isTTY === true && process.env.TERM !== 'dumb' && !process.env.CI;
}

export interface Spinner {
  /** Says something else from now on, also while nothing else than this call happens in the process. */
  say(text: string): void;
  /** Removes the line, and gives the seconds that it was there. */
  stop(): number;
}

/**
 * Begins to say what a command does.
 * @param among where the line is shown: alone, so that it can move, or among what the app prints meanwhile
 */
export type Progress = (text: string, among?: 'output') => Spinner;

/** For results that are read by programs. */
export const noProgress: Progress = () => ({ say: () => {}, stop: () => 0 });

/** A line on standard error from the first second on, which is gone in the end; nothing in a pipe and in CI. */
export const progress: Progress = (text, among) => {
  if (!canSpin(process.stderr)) return noProgress(text);
  return among === 'output'
    ? printOnce(text, process.stderr, QUIET_TIME)
    : spin(text, process.stderr, QUIET_TIME);
};

/** A whole line that stays: a moving one would be mixed with what others print. */
export function printOnce(text: string, stream: NodeJS.WriteStream, afterMs: number): Spinner {
  const began = performance.now();
  let said = text;
  const timer = setTimeout(() => stream.write(`${said} …\n`), afterMs);
  timer.unref();
  return {
    say(other) {
      said = other;
    },
    stop() {
      clearTimeout(timer);
      return Math.round((performance.now() - began) / 1000);
    },
  };
}

/**
 * Shows the text with the seconds since the start.
 * @param text may be another one each time
 * @param afterMs for which nothing is shown
 */
export function spin(
  text: string | (() => string),
  stream: NodeJS.WriteStream = process.stdout,
  afterMs = 0,
): Spinner {
  const began = performance.now();
  const color = colorsFor(stream);
  let said = text;
  let frame = 0;
  let drawn = Number.NEGATIVE_INFINITY;
  const seconds = (): number => Math.round((performance.now() - began) / 1000);
  const draw = (): void => {
    const now = performance.now();
    if (now - began < afterMs || now - drawn < INTERVAL / 2) return;
    drawn = now;
    const mark = frames[frame % frames.length] ?? '';
    frame += 1;
    const line = `${typeof said === 'string' ? said : said()} … ${seconds()} s`;
    // A longer line would leave its first row behind.
    const width = Math.max(10, (stream.columns ?? 80) - 3);
    stream.write(`\r\u001b[K${color.cyan(mark)} ${line.length > width ? line.slice(-width) : line}`);
  };
  draw();
  const timer = setInterval(draw, INTERVAL);
  timer.unref();
  return {
    say(other) {
      said = other;
      draw();
    },
    stop() {
      clearInterval(timer);
      if (frame > 0) stream.write('\r\u001b[K');
      return seconds();
    },
  };
}
