// Turns whatever the app threw into text that can be sent to the supervisor.
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import type { AppError } from './messages.js';
import { packageRoot } from './package-root.js';

export function describeError(error: unknown): AppError {
  try {
    return described(error);
  } catch {
    // Formatting it runs its own code, such as a getter of `stack`.
    return { title: 'what was thrown cannot be shown, because that throws too', frames: [], details: '' };
  }
}

function described(error: unknown): AppError {
  if (!(error instanceof Error) || typeof error.stack !== 'string') {
    return { title: `thrown: ${inspect(error, { depth: 3 })}`, frames: [], details: '' };
  }
  const frames = error.stack.split('\n').filter((line) => /^\s+at /.test(line));
  const app: AppError = {
    title: `${error.name}: ${plainMessage(error.message)}`,
    frames: appFrames(frames.map((line) => line.trim())),
    details: details(error),
  };
  const code = (error as NodeJS.ErrnoException).code;
  if (typeof code === 'string') app.code = code;
  const { faults } = error as { faults?: AppError['faults'] };
  if (faults !== undefined && areFaults(faults)) return { ...app, details: '', faults };
  return app;
}

/** The `faults` of the framework's own error about types; an error of the app may use that name for something else. */
function areFaults(faults: unknown): boolean {
  return (
    Array.isArray(faults) &&
    faults.every(
      (one) => typeof one?.message === 'string' && ['string', 'undefined'].includes(typeof one.place),
    )
  );
}

/** Removes the path of the bundle, which the user did not write, and adds a remedy for a missing package. */
function plainMessage(message: string): string {
  const plain = message.replace(/ imported from \S*[\\/]\.fw[\\/]dev-\d+[\\/]\S+$/, '');
  const missing = /^Cannot find package '((?:@[^/']+\/)?[^/']+)/.exec(plain)?.[1];
  return missing ? `${plain}\nIs it installed? npm install ${missing}` : plain;
}

/** Own properties and causes: what `console.error` would show in addition to the stack. */
function details(error: Error): string {
  const own = Object.fromEntries(Object.entries(error).filter(([key]) => key !== 'stack' && key !== 'url'));
  const lines: string[] = [];
  if (Object.keys(own).some((key) => key !== 'code'))
    lines.push(inspect(own, { depth: 3, breakLength: 100 }));
  if (error.cause !== undefined) lines.push(`cause: ${withoutOwnFrames(inspect(error.cause, { depth: 3 }))}`);
  if (error instanceof AggregateError) {
    lines.push(
      ...error.errors.map((inner) => `- ${inner instanceof Error ? inner.message : inspect(inner)}`),
    );
  }
  return lines.join('\n');
}

function withoutOwnFrames(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s+at /.test(line) || isAppFrame(line))
    .join('\n');
}

/** The frames of the app; all frames if none of them is the app's. */
function appFrames(frames: string[]): string[] {
  const own = frames.filter(isAppFrame);
  return own.length > 0 ? own : frames;
}

// The folder of this file, the shared chunks, and the built files and sources of the package.
const ownFolders = [
  ...['./', '../chunks/'].map((path) => new URL(path, import.meta.url).href),
  ...packageFolders(),
];

function packageFolders(): string[] {
  try {
    return ['dist', 'cli'].map((folder) => `${pathToFileURL(join(packageRoot(), folder)).href}/`);
  } catch {
    // Outside of a package, as in tests that bundle only the worker.
    return [];
  }
}

function isAppFrame(frame: string): boolean {
  if (/\(?node:internal\//.test(frame)) return false;
  return !ownFolders.some((folder) => frame.includes(folder) || frame.includes(fileURLToPath(folder)));
}
