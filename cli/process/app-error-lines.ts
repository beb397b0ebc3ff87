// Prints what the app threw: its message, its place in the source, its stack.
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BUNDLE_FOLDER } from '../bundle/source-map.js';
import { codeFrame, type Place } from '../terminal/code-frame.js';
import type { Colors } from '../terminal/color.js';
import { printable } from '../terminal/printable.js';
import { docsCommands } from './error-docs.js';
import type { AppError } from './messages.js';

export const MOST_FRAMES = 12;

const PATH_START = /file:\/\/|\/|[A-Za-z]:\\/;

/** Lines for the terminal. Messages of errors often have bytes of a request. */
export function appErrorLines(error: AppError, root: string, colors: Colors): string[] {
  const place = topAppPlace(error.frames, root);
  const folded = foldedFrames(error);
  return [
    '',
    ...printable(error.title)
      .split('\n')
      .map((text) => `  ${text}`),
    ...(place ? codeFrame(place, root, colors) : []),
    ...error.frames
      .slice(0, MOST_FRAMES)
      .map((frame) => colors.dim(`    ${printable(shorten(frame, root))}`)),
    ...(folded === '' ? [] : [colors.dim(`    ${folded}`)]),
    ...(error.details
      ? printable(shorten(error.details, root))
          .split('\n')
          .map((text) => `  ${text}`)
      : []),
    ...docsCommands(error).map((command) => `  ${colors.cyan(`see: ${command}`)}`),
  ];
}

/**
 * One line for an error of a client: the place that has refused the request, and its route. Empty if no file of the app
 * has to do with it.
 */
export function placeLine({ frames }: AppError, root: string, colors: Colors): string {
  const own = frames.filter((frame) => appPlace(frame, root) !== undefined);
  const shown = own.slice(0, isRegistration(own[0]) ? 3 : 1).map((frame) => printable(shorten(frame, root)));
  return shown.length === 0 ? '' : colors.dim(`    ${shown.join(', ')}`);
}

/** Whether it is not a frame of a stack, but a place that the framework has noted of an error. */
function isRegistration(frame: string | undefined): boolean {
  return frame !== undefined && /^at (?:schema|route|procedure) /.test(frame);
}

/** @returns the frames that are not shown, as a count: `… 8 frames of packages and of Node.js`; empty if there are none */
export function foldedFrames({ frames, folded = 0 }: AppError): string {
  const count = folded + Math.max(0, frames.length - MOST_FRAMES);
  return count === 0 ? '' : `… ${count} ${count === 1 ? 'frame' : 'frames'} of packages and of Node.js`;
}

/** The first frame that lies in the project's own sources. */
export function topAppPlace(frames: string[], root: string): Place | undefined {
  for (const frame of frames) {
    const place = appPlace(frame, root);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** The place of a frame; undefined if it does not lie in the project's own sources. */
export function appPlace(frame: string, root: string): Place | undefined {
  const position = /:(\d{1,9}):(\d{1,9})\)?$/.exec(frame);
  const [, line, column] = position ?? [];
  const file = pathOf(frame.slice(0, position?.index));
  if (position === null || file === undefined) return undefined;
  const inside = relative(root, file);
  if (inside.startsWith('..') || isAbsolute(inside) || file.includes('node_modules')) return undefined;
  // Code of the bundle that no source file contains.
  if (inside.startsWith(BUNDLE_FOLDER)) return undefined;
  return { file, line: Number(line), column: Number(column) };
}

/** The path that a frame ends with, its position removed. */
function pathOf(frame: string): string | undefined {
  const begin = frame.search(PATH_START);
  // Code without a file, behind the place that evaluated it: `at eval (eval at run (/a.ts:1:1), <anonymous>`.
  if (begin < 0 || frame.endsWith('<anonymous>')) return undefined;
  const bracket = frame.lastIndexOf('(');
  const isPath = bracket > begin && frame.slice(bracket + 1).search(PATH_START) === 0;
  return plainPath(frame.slice(isPath ? bracket + 1 : begin));
}

function plainPath(text: string): string {
  if (!text.startsWith('file:')) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return text;
  }
}

/** A stack frame with paths relative to the project. */
export function shorten(frame: string, root: string): string {
  return frame.replaceAll(`${pathToFileURL(root).href}/`, '').replaceAll(root + sep, '');
}
