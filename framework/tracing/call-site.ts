// The source position of a call in the application, for messages about conflicting registrations.

/** Captures the place that called `above`; the text is made only when a message needs it. */
export function callSite(above: (...args: never[]) => unknown): () => string {
  const holder: { stack?: string } = {};
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 1;
  Error.captureStackTrace?.(holder, above);
  Error.stackTraceLimit = limit;
  return () => {
    const frame = holder.stack?.split('\n')[1]?.replace(/^ *at (?:async )?/, '') ?? '';
    // `name (place)` or only the place, which may contain spaces and parentheses itself.
    const place = frame.endsWith(')') ? frame.slice(frame.indexOf(' (') + 2, -1) : frame;
    return /:\d+:\d+$/.test(place) ? place : 'unknown place';
  };
}
