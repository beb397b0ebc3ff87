// Tracing: errors as people read them. `fw dev` shows the line of the application with its code; without it, the whole
// stack is shown.
import diagnostics from 'node:diagnostics_channel';
import { shownThrown } from './thrown.js';
import { isHeard } from './trace-channel.js';

/** An error that is about to be printed: the message on the channel `fw:display`. */
export interface Display {
  readonly error: unknown;
  /** Without it, the client was wrong, and only the place of what has refused the request is of interest. */
  readonly hasStack: boolean;
  readonly hasColours: boolean;
  /** Set by the subscriber: what is printed, in lines. */
  text?: string;
}

const channel = diagnostics.channel('fw:display');

/** Never throws. Empty if there is nothing to show. */
export function displayed(error: unknown, hasStack: boolean, hasColours: boolean): string {
  if (!isHeard(channel)) return hasStack ? shownThrown(error) : '';
  const display: Display = { error, hasStack, hasColours };
  channel.publish(display);
  return display.text ?? (hasStack ? shownThrown(error) : '');
}
