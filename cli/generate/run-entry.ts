// Runs the app's generate-client in a process of its own, with the output path as its first argument.
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readEnvironment } from '../dev/environment.js';
import type { AppError } from '../dev/messages.js';
import { CliError } from '../ui/errors.js';

export interface EntryRun {
  readonly root: string;
  /** The program, as its author knows it. */
  readonly entry: string;
  /** What is run: the program and all of the app that it needs, in one file. */
  readonly bundle: string;
  readonly output: string;
  readonly baseUrl: string | undefined;
}

/** The failure, if it failed. */
export type EntryResult = AppError | undefined;

/** What the child sends when it is done. */
export interface EntryMessage {
  readonly failed?: AppError;
}

/** Time for a registry to be built; a program that serves by mistake would never end. */
const LONGEST_MS = 60_000;

export function runEntry({ root, entry, bundle, output, baseUrl }: EntryRun): Promise<EntryResult> {
  return new Promise((resolve) => {
    const child = fork(childFile(), [entry, bundle, output], {
      cwd: root,
      execArgv: ['--enable-source-maps'],
      env: { ...readEnvironment(root), ...(baseUrl !== undefined && { FW_BASE_URL: baseUrl }) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    let message: EntryMessage | undefined;
    const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
    child.on('message', (sent) => {
      message = sent as EntryMessage;
      child.disconnect();
    });
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ title: error.message, frames: [], details: '' });
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      if (message !== undefined) resolve(message.failed);
      else resolve({ title: endOf(code, signal), frames: [], details: '' });
    });
  });
}

function endOf(code: number | null, signal: string | null): string {
  if (signal === 'SIGKILL') {
    return `did not end within ${LONGEST_MS / 1000} s; does it start the server? import the registry alone`;
  }
  return signal === null ? `ended with exit code ${code} before it was done` : `was ended by ${signal}`;
}

/** A file of its own, beside this one in the sources, one folder away from the chunks. */
function childFile(): string {
  const places = [
    './entry-process.js',
    '../generate/entry-process.js',
    './generate/entry-process.js',
    './entry-process.ts',
  ];
  const found = places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((path) => existsSync(path));
  if (found === undefined) {
    throw new CliError('the installation of fw is incomplete: generate/entry-process.js is missing', {
      help: 'install fw again',
    });
  }
  return found;
}
