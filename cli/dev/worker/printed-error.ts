// Looks in what the app prints while it starts: an app that catches its error, prints it and exits tells nobody else.
import { namesHeld } from '../../process/held.js';

/** @returns a function that says whether something was held, and ends the looking */
export function watchPrinted(): () => boolean {
  let isLooking = true;
  let isHeld = false;
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = function writeUnderDev(...args: unknown[]): boolean {
      if (isLooking && !isHeld) isHeld = namesHeld(String(args[0]));
      return write(...args);
    } as typeof stream.write;
  }
  return () => {
    isLooking = false;
    return isHeld;
  };
}
