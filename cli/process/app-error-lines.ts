// Prints what the app threw: its message, its place in the source, its stack.
import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleFolder } from '../bundle/source-map.js';
import { codeFrame, type Place } from '../terminal/code-frame.js';
import type { Colors } from '../terminal/color.js';
import type { AppError } from './messages.js';

/** Lines for the terminal. */
export function appErrorLines(error: AppError, root: string, colors: Colors): string[] {
  const place = topAppPlace(error.frames, root);
  return [
    '',
    ...error.title.split('\n').map((text) => `  ${text}`),
    ...(place ? codeFrame(place, root, colors) : []),
    ...error.frames.slice(0, 12).map((frame) => colors.dim(`    ${shorten(frame, root)}`)),
    ...(error.details ? error.details.split('\n').map((text) => `  ${text}`) : []),
  ];
}

/** The first frame that lies in the project's own sources. */
export function topAppPlace(frames: string[], root: string): Place | undefined {
  for (const frame of frames) {
    const found = /\(?((?:file:\/\/|\/|[A-Za-z]:\\).*):(\d+):(\d+)\)?$/.exec(
      frame.replace(/^at (?:async )?/, ''),
    );
    if (!found) continue;
    const [, raw = '', line, column] = found;
    const file = plainPath(raw.replace(/^.*\((?=file:|\/|[A-Za-z]:\\)/, ''));
    const inside = relative(root, file);
    if (inside.startsWith('..') || isAbsolute(inside) || file.includes('node_modules')) continue;
    // Code of the bundle that no source file contains.
    if (inside.startsWith(bundleFolder)) continue;
    return { file, line: Number(line), column: Number(column) };
  }
  return undefined;
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
  return frame.replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, '');
}
