// The source position of a call in the application: for messages about conflicting registrations, and in the stacks of
// errors that are made deep inside of the framework.

/** Frames of the framework and of packages can lie between an error and the line of the application that led to it. */
const MOST_FRAMES = 50;

/** Makes an error whose stack reaches to the application, also through many frames; costs nothing before it fails. */
export function withWholeStack<Made>(make: () => Made): Made {
  const limit = Error.stackTraceLimit;
  if (!(limit < MOST_FRAMES)) return make();
  Error.stackTraceLimit = MOST_FRAMES;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

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
