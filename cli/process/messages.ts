// The messages between the supervisor and its workers over the IPC channel, in both directions.

import type { Socket } from 'node:net';
import type { RawMail, RawMessages, RawRecord } from './records.js';
import type { RawSecond } from './traffic.js';

/** Where the supervisor listens; every worker's server reports it as its own address. */
export interface BoundAddress {
  address: string;
  family: string;
  port: number;
}

/** What a worker has to know of `fw dev` before it runs the app. */
export interface WorkerConfig {
  /** The source file that the bundle was made from; becomes `process.argv[1]`. */
  entry: string;
  /** The arguments of the app, which become `process.argv` from the third on. */
  args?: readonly string[];
  /** Flags of Node for threads and child processes, with which they run from sources. */
  sourceFlags?: readonly string[];
  address: BoundAddress;
  allowedHosts: string[];
  /** Undefined if there is no page about the app. */
  workbench?: WorkbenchOrder;
  /** Undefined if `fw dev` runs no dev server of a frontend. */
  frontend?: FrontendOrder;
}

/** Makes a worker do what it can do before there is a bundle. */
interface PrepareOrder extends WorkerConfig {
  fw: 'prepare';
  /** The name that the bundle will have. */
  bundle: string;
}

/** Makes a worker run the app. It prepares itself first if that was not done. */
export interface BootOrder extends WorkerConfig {
  fw: 'boot';
  bundle: string;
  /** What the bundle imports statically. */
  packages: readonly string[];
  /** The sources run one by one, by hooks that the process was started with, without the bundle. */
  unbundled?: boolean;
  /** Only looks at the app: it is ready once it is known, and must not start. */
  inspect?: boolean;
  /** True while an older worker may still hold the app's other ports. */
  replacing: boolean;
  /** The port that the app's server named when the app started before; undefined at first. */
  usualPort?: number | undefined;
}

/** What a worker needs to know of the frontend's dev server. */
export interface FrontendOrder {
  /** Where it listens, on 127.0.0.1. */
  port: number;
  /** The secret by which it knows requests of `fw dev`; it answers no others. */
  key: string;
  /** The folder of the app, that of the frontend, and what else the frontend may read. */
  root: string;
  folder: string;
  allowed: readonly string[];
  /** Added to its pages; empty without the page about the app. */
  liveScript: string;
  /** Put before each line that the app prints. */
  label: string;
}

/** What a worker needs to know of the page about the app. */
export interface WorkbenchOrder {
  /** The Unix socket or named pipe on which the supervisor answers requests for the page. */
  pipe: string;
  /** Whether requests are recorded from the first on. */
  record: boolean;
  /** Whether requests from this machine may be those of others, so that they need a token. */
  isTokenRequired: boolean;
  /** The secret by which the worker knows the requests that the page sends. */
  token: string;
}

/** Makes a process of `fw generate` run the app's program. */
export interface RunOrder {
  fw: 'run';
  bundle: string;
  /** What the bundle imports statically. */
  packages: readonly string[];
  /** The source file that the bundle was made from; becomes `process.argv[1]`. */
  entry: string;
  /** Where the program writes the client; becomes `process.argv[2]`. */
  output: string;
}

export type ToWorker =
  /** `bundle` is the file that the process will run later: names are resolved as from there. */
  | { fw: 'warm'; specifiers: string[]; bundle: string; isSoon: boolean }
  /** A bundle waits for the process: it stops to load packages ahead of time. */
  | { fw: 'hurry' }
  | PrepareOrder
  | BootOrder
  | RunOrder
  /** Offers a socket; the worker answers `got`, and reads from the socket only after it received `taken`. */
  | { fw: 'socket'; id: number }
  | { fw: 'taken'; id: number }
  /** The socket that was offered now belongs to another process. */
  | { fw: 'withdrawn'; id: number }
  | { fw: 'record'; on: boolean }
  /** Makes the worker send at once what it has recorded; it answers `caughtUp` with the same id. */
  | { fw: 'catchUp'; id: number }
  /**
   * Asks for a description of the app, or of what it offers to callers; the worker answers `described` with the same id.
   */
  | { fw: 'describe'; id: number; what: 'app' | 'api' }
  /** Makes the app run its migrations; the worker answers `migrations`. */
  | { fw: 'migrate' }
  /** Its code is the newest: nothing that was generated for it is missing. */
  | { fw: 'current' }
  /** No older worker is left, which could hold ports of the app. */
  | { fw: 'alone' }
  | { fw: 'drain' }
  | { fw: 'stop' };

/** An environment variable that was read. */
export interface EnvRead {
  readonly name: string;
  /** `file:line:column` in the app; absent if only packages have read it. */
  readonly place?: string;
  /** The app has said so. */
  readonly isSecret?: true;
}

/** An error of the app, as text: class instances cannot be sent over the channel. */
export interface AppError {
  /** `name: message` without the stack. */
  title: string;
  /** The stack frames, source-mapped, one per line. */
  frames: string[];
  /** How many frames of packages and of Node.js were left out; absent if none. */
  folded?: number;
  /** Properties and causes, as `util.inspect` shows them; empty when there are none. */
  details: string;
  code?: string;
  /** The properties alone; absent when there are none. */
  facts?: string;
  /** What caused it, or the errors of an AggregateError; absent when there are none. */
  causes?: readonly AppError[];
  /** What is wrong with the types of procedures, each with the place of its procedure as `file:line:column`. */
  faults?: readonly { readonly message: string; readonly place?: string | undefined }[];
}

/** What is the case with the migrations of the app; all names are empty if everything has run. */
export interface MigrationsState {
  /** Those that have not run: the app answers 503. */
  readonly pending: readonly string[];
  /** Those a part of which has run: the app answers 503. */
  readonly interrupted: readonly string[];
  /** Those that were edited after they ran. */
  readonly edited: readonly string[];
  /** Those that have run, and that the app does not have. */
  readonly missing: readonly string[];
  /** Of the database, without its password. */
  readonly url?: string;
}

/** What an app does when its modules run, which changes the world or keeps the process alive. */
export interface StartEffect {
  readonly kind: 'query' | 'connection' | 'file' | 'process' | 'timer';
  /** Of the file. */
  readonly path?: string;
  /** `file:line:column` in the app; absent if it is not known. */
  readonly place?: string;
}

export type FromWorker =
  | { fw: 'warmed'; loaded: string[]; unsafe?: string }
  /**
   * The app listens; comes again when another server of it gets the connections. `port` is the one that it named,
   * `drivers` are the URLs of database drivers that the app has loaded.
   */
  | { fw: 'ready'; port?: number; drivers?: string[] }
  /** The app ends itself before it listens, and has printed that something is held by another process. */
  | { fw: 'held' }
  /** The app, which runs as a bundle, loads one of its own files by itself. */
  | { fw: 'runTimeFile'; file: string }
  /** Sources that were loaded without a bundle. */
  | { fw: 'loaded'; files: string[] }
  | { fw: 'error'; error: AppError }
  | { fw: 'got'; id: number }
  | { fw: 'draining' }
  | { fw: 'returned' }
  /**
   * Comes with the socket of a request that the supervisor passes on to the frontend's dev server. One way: what the
   * client sends afterwards is not passed on.
   */
  | { fw: 'tunnel'; head: string; isOneWay: boolean }
  | { fw: 'inspector'; port: number }
  /** Comes when something is to be done about them, and when they have run or failed. */
  | { fw: 'migrations'; state: MigrationsState; ran?: readonly string[]; error?: AppError }
  | WorkerNews;

/** What a worker tells the page about the app. */
export type WorkerNews =
  /** `skipped` were too many to be sent. */
  | { fw: 'records'; records: RawRecord[]; skipped: number }
  | { fw: 'messages'; logs: RawMessages[] }
  | { fw: 'seconds'; seconds: RawSecond[] }
  | { fw: 'mail'; mail: RawMail }
  /** Everything that was recorded before was sent before. */
  | { fw: 'caughtUp'; id: number }
  /**
   * `app` is undefined if it is not an App of `fw`, `problem` set if it cannot be described. `reads` are the variables
   * that were read, `effects` what it did before it was known, if it is only looked at.
   */
  | {
      fw: 'described';
      id: number;
      app?: unknown;
      problem?: string;
      reads?: readonly EnvRead[];
      effects?: readonly StartEffect[];
    }
  /** Something for the terminal. */
  | { fw: 'note'; text: string };

/** The field with the secret by which the frontend's dev server knows requests of `fw dev`. */
export const FRONTEND_FIELD = 'fw-frontend';

export function isMessage(value: unknown): value is { fw: string } {
  return typeof value === 'object' && value !== null && 'fw' in value && typeof value.fw === 'string';
}

/** A worker, or the supervisor itself while there is no worker that could answer. */
export interface Receiver {
  /** True while one socket is on its way; set by the listener. */
  busy: boolean;
  /** `sent`: another process has the socket; `kept`: this process answers; `lost`: it never arrived. */
  accept(socket: Socket, done: (outcome: 'sent' | 'kept' | 'lost') => void): void;
}
