// Tracing: any value as text, by `util.inspect` where the runtime has it. Nothing here throws.

import { shownText } from './shown-text.js';

/** Loaded when the first error is shown, because Node 22 loads worker threads and streams with it. */
export function util(): typeof import('node:util') | undefined {
  return globalThis.process?.getBuiltinModule?.('node:util');
}

/** Such a value runs code at every use. `util.inspect` shows what is inside without that. */
export function isProxy(value: unknown): boolean {
  return util()?.types.isProxy(value) === true;
}

/**
 * A value as `util.inspect` shows it. Its own code for that is left out if it throws.
 *
 * @param isShort on one line, and not to a great depth
 */
export function inspected(value: unknown, isShort = false): string {
  const inspect = util()?.inspect;
  const options = isShort ? { breakLength: Number.POSITIVE_INFINITY, maxStringLength: 1_000 } : {};
  const ways = [
    () => (inspect === undefined ? shownText(String(value)) : inspect(value, options)),
    () => (inspect === undefined ? '' : inspect(value, { ...options, customInspect: false })),
  ];
  for (const way of ways) {
    try {
      const text: unknown = way();
      if (typeof text === 'string' && text !== '') return text;
    } catch {
      // The next way runs less code of the value.
    }
  }
  return 'a value that cannot be shown';
}
