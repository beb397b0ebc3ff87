// Colours for one output stream: only on a terminal, unless FORCE_COLOR is set, and never if NO_COLOR is set.
import picocolors from 'picocolors';

export type Colors = ReturnType<typeof picocolors.createColors>;

/** For text that does not go to a terminal. */
export const plainColors: Colors = picocolors.createColors(false);

/** For a terminal, whoever has found that it is one. */
export const terminalColors: Colors = picocolors.createColors(true);

export function colorsFor(stream: { isTTY?: boolean }): Colors {
  return picocolors.createColors(wantsColor(stream));
}

function wantsColor(stream: { isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return stream.isTTY === true && TERM !== 'dumb';
}
