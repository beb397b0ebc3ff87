// Where `fw dev` prints: colors only on a terminal, one clock, text that cannot steer the terminal.
import { type Colors, colorsFor } from '../ui/color.js';

export interface Terminal {
  readonly colors: Colors;
  readonly isTTY: boolean;
  print(line: string): void;
  clear(): void;
}

export function createTerminal(stream: NodeJS.WriteStream = process.stdout): Terminal {
  const isTTY = stream.isTTY === true;
  // A dumb one would show the sequence as text.
  const canClear = isTTY && process.env.TERM !== 'dumb';
  // The reader of a pipe may go first; the dev server then ends by its own signals, not by a crash.
  stream.on('error', () => {});
  return {
    colors: colorsFor(stream),
    isTTY,
    print: (line) => void stream.write(`${line}\n`),
    clear: () => {
      if (canClear) stream.write('\u001b[2J\u001b[3J\u001b[H');
    },
  };
}

/** Local wall time, `14:02:11`. */
export function clock(now: Date = new Date()): string {
  return [now.getHours(), now.getMinutes(), now.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
