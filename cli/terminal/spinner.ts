// A line that moves while something takes long, on a terminal; elsewhere nothing is printed.
import { colorsFor } from './color.js';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const interval = 80;

/** Whether a moving line can be shown: not in CI, whose logs would have every frame. */
export function canSpin(stream: NodeJS.WriteStream = process.stdout): boolean {
  return stream.isTTY === true && process.env.TERM !== 'dumb' && !process.env.CI;
}

export interface Spinner {
  /** Removes the line, and gives the seconds that it was there. */
  stop(): number;
}

/** Shows the text with the seconds since the start. */
export function spin(text: string, stream: NodeJS.WriteStream = process.stdout): Spinner {
  const began = performance.now();
  const color = colorsFor(stream);
  let frame = 0;
  const seconds = (): number => Math.round((performance.now() - began) / 1000);
  const draw = (): void => {
    const mark = frames[frame % frames.length] ?? '';
    frame += 1;
    const line = `${text} … ${seconds()} s`;
    // A longer line would leave its first row behind.
    const width = Math.max(10, (stream.columns ?? 80) - 3);
    stream.write(`\r\u001b[K${color.cyan(mark)} ${line.length > width ? line.slice(-width) : line}`);
  };
  draw();
  const timer = setInterval(draw, interval);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      stream.write('\r\u001b[K');
      return seconds();
    },
  };
}
