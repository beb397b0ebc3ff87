// Errors of the app and of its build, as the page about the app shows them.
import type { Message } from 'esbuild';
import { appPlace, foldedFrames, shorten, topAppPlace } from '../../process/app-error-lines.js';
import { errorPage } from '../../process/error-docs.js';
import type { AppError } from '../../process/messages.js';
import type { Place } from '../../terminal/code-frame.js';
import { codeFrameOf, sourcePlace } from './places.js';
import type { Problem, ShownError } from './protocol.js';

const MOST_FRAMES = 30;
const MOST_PROBLEMS = 50;

export function shownError(error: AppError, root: string): ShownError {
  const { title, frames, details, facts, causes } = error;
  const folded = foldedFrames({ ...error, frames: frames.slice(0, MOST_FRAMES) });
  const top = topAppPlace(frames, root);
  const code = top && codeFrameOf(top, root);
  const docs = errorPage(error);
  return {
    title,
    frames: frames.slice(0, MOST_FRAMES).map((frame) => {
      const own = appPlace(frame, root);
      const place = own && sourcePlace(own, root);
      return { text: shorten(frame, root).replace(/^at /, ''), ...(place && { place }) };
    }),
    details: shorten(details, root),
    ...(code && { code }),
    ...(folded !== '' && { folded }),
    ...(facts !== undefined && { facts }),
    ...(docs !== undefined && { docs }),
    ...(causes !== undefined && { causes: causes.map((cause) => shownError(cause, root)) }),
  };
}

/** What esbuild found. */
export function buildProblems(errors: readonly Message[], root: string): Problem[] {
  return errors.slice(0, MOST_PROBLEMS).map(({ text, location, notes }) => {
    const place = location && {
      file: location.file,
      line: location.line,
      column: location.column + 1,
      length: location.length,
    };
    return {
      ...problemAt(text, place ?? undefined, root),
      ...(notes.length > 0 && { notes: notes.map((note) => note.text) }),
    };
  });
}

export function problemsAt(found: readonly (Place & { text: string })[], root: string): Problem[] {
  return found.slice(0, MOST_PROBLEMS).map((one) => problemAt(one.text, one, root));
}

function problemAt(text: string, place: Place | undefined, root: string): Problem {
  const code = place && codeFrameOf(place, root);
  return { text, ...(code && { code }) };
}
