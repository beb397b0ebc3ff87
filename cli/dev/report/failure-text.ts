// The body of a 503 while there is no version of the app that could answer.
import type { Message } from 'esbuild';
import { foldedFrames, MOST_FRAMES, shorten } from '../../process/app-error-lines.js';
import { docsCommands } from '../../process/error-docs.js';
import type { AppError } from '../../process/messages.js';
import type { FailedBoot } from '../../process/worker-process.js';
import { count } from '../../terminal/output.js';

export function buildFailure(errors: Message[]): string {
  return `The build failed with ${count(errors.length, 'error')}.\n\n${buildErrors(errors)}\n`;
}

/** An App that is exported alone, as some runtimes take it, is served by nobody. */
const HOW_TO_LISTEN = 'start the server in it: await app.listen(Number(process.env.PORT))';

export function bootFailure(result: FailedBoot, entryName: string, root: string): string {
  if (result.error) return appError(result.error, root);
  if (result.exit === 'exited with code 0')
    return `${entryName} ended without calling listen; ${HOW_TO_LISTEN}`;
  return `${entryName} ${result.exit} before it called listen; its own output is in the terminal`;
}

export function crashFailure(exit: string, error: AppError | undefined, root: string): string {
  const cause = error ? appError(error, root) : 'Its own output is in the terminal.';
  return `The app crashed: it ${exit}.\n\n${cause}\n`;
}

/** After a while without `listen`. */
export function stillWaiting(entryName: string, seconds: number, isBeside: boolean): string {
  const text = `${entryName} has not called listen for ${seconds} s, still waiting`;
  if (!isBeside)
    return `${text}; fw dev serves what this process listens with, not a child process or a thread`;
  return `${text}; if it waits for what the running version holds, set exclusive = true in [dev] of fw.toml`;
}

function buildErrors(errors: Message[]): string {
  return errors
    .map((error) => {
      const at = error.location;
      return `${error.text}${at ? `\n  ${at.file}:${at.line}:${at.column + 1}\n  ${at.lineText}` : ''}`;
    })
    .join('\n\n');
}

function appError(error: AppError, root: string): string {
  const frames = error.frames.slice(0, MOST_FRAMES).map((frame) => `  ${shorten(frame, root)}`);
  const folded = foldedFrames(error);
  return [
    error.title,
    ...frames,
    ...(folded === '' ? [] : [`  ${folded}`]),
    ...(error.details ? [error.details] : []),
    ...docsCommands(error).map((command) => `see: ${command}`),
  ].join('\n');
}
