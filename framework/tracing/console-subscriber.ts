// Tracing: prints events for people or for log collectors, one line each.

import { checkOptions } from '../options/check.js';
import { objectWith, oneOf, type Rules } from '../options/rules.js';
import { jsonLines } from './json-line.js';
import { prettyLines, wantsColours } from './pretty-line.js';
import type { Subscriber } from './subscribe.js';

/** Options of `consoleSubscriber`. */
export interface ConsoleSubscriberOptions {
  /**
   * `pretty` for people, or `json` for log collectors, in the form of pino; by default `pretty` on a terminal and `json`
   * elsewhere.
   */
  format?: 'pretty' | 'json';
  /** Where lines are written; stdout by default. */
  output?: { write(text: string): unknown; isTTY?: boolean };
}

/**
 * Makes a subscriber for `subscribe` that writes one line per event. NO_COLOR and FORCE_COLOR of the environment say
 * whether lines for people are coloured; by default they are on a terminal.
 *
 * @throws ConfigError if an option is unknown or not of its kind.
 */
export function consoleSubscriber(options: ConsoleSubscriberOptions = {}): Subscriber {
  const given = checkOptions('consoleSubscriber', options, RULES);
  const { output = process.stdout, format = output.isTTY ? 'pretty' : 'json' } = given;
  const toLine = format === 'json' ? jsonLines() : prettyLines(wantsColours(output.isTTY === true));
  return function consoleSubscriber(event) {
    output.write(`${toLine(event)}\n`);
  };
}

const RULES: Rules<ConsoleSubscriberOptions> = {
  format: oneOf('pretty', 'json'),
  output: objectWith(['write'], 'an object with write(text), such as process.stderr'),
};
