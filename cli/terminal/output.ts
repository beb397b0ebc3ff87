// The terminal that `fw dev` prints to, its clock, and plural forms.
import { type Colors, colorsFor } from './color.js';
import { printableColored } from './printable.js';

export interface Terminal {
  readonly colors: Colors;
  readonly isTTY: boolean;
  /** Whatever the line has from outside: only its colors change the terminal. */
  print(line: string): void;
  clear(): void;
}

export function createTerminal(stream: NodeJS.WriteStream = process.stdout): Terminal {
  const isTTY = stream.isTTY === true;
  // A dumb terminal would show the escape sequence as text.
  const canClear = isTTY && process.env.TERM !== 'dumb';
  // The reader of a pipe may close it first; that must not crash the dev server, which ends on signals.
  stream.on('error', () => {});
  return {
    colors: colorsFor(stream),
    isTTY,
    print: (line) => void stream.write(`${printableColored(line)}\n`),
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

/** `1 error`, `2 errors`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
