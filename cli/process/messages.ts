// The messages between the supervisor and its workers over the IPC channel, in both directions.
import type { SourceModule } from '../bundle/source-modules.js';
import type { RawRecord } from './records.js';

/** Makes Node offer modules that are not files. */
export const modulesFlag = '--experimental-vm-modules';

/** Where the supervisor listens; every worker's server reports it as its own address. */
export interface BoundAddress {
  address: string;
  family: string;
  port: number;
}

/** What a worker has to know of `fw dev` before it runs the app. */
export interface Surroundings {
  /** The source file that the bundle was made from; becomes `process.argv[1]`. */
  entry: string;
  address: BoundAddress;
  allowedHosts: string[];
  /** Undefined if there is no page about the app. */
  workbench?: WorkbenchOrder;
  /** Undefined if `fw dev` runs no dev server of a frontend. */
  frontend?: FrontendOrder;
}

/** Makes a worker do what it can do before there is a bundle. */
interface PrepareOrder extends Surroundings {
  fw: 'prepare';
  /** The name that the bundle will have. */
  bundle: string;
}

/** Makes a worker link the modules of a change that may not be complete. `boot` says whether they run. */
export interface LinkOrder {
  fw: 'link';
  entry: string;
  /** What the bundle imports statically. */
  packages: readonly string[];
  /** As in `BootOrder`. */
  modules: readonly SourceModule[];
}

/** Makes a worker run the app. It prepares itself first if that was not done. */
export interface BootOrder extends Surroundings {
  fw: 'boot';
  bundle: string;
  /** What the bundle imports statically. */
  packages: readonly string[];
  /** True while an older worker may still hold the app's other ports. */
  replacing: boolean;
  /** All modules of the app, which run instead of the bundle. A worker gets those that it has not learned. */
  modules?: readonly SourceModule[];
}

/** What a worker needs to know of the frontend's dev server. */
export interface FrontendOrder {
  /** Where it listens, on 127.0.0.1. */
  port: number;
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
  | PrepareOrder
  /** Modules of the app that may run later. */
  | { fw: 'learn'; modules: readonly SourceModule[]; bundle: string }
  | LinkOrder
  | BootOrder
  | RunOrder
  /** Offers a socket; the worker answers `got`, and reads from the socket only after it received `taken`. */
  | { fw: 'socket'; id: number }
  | { fw: 'taken'; id: number }
  /** The socket that was offered now belongs to another process. */
  | { fw: 'withdrawn'; id: number }
  | { fw: 'record'; on: boolean }
  /** Asks for a description of the app; the worker answers `described` with the same id. */
  | { fw: 'describe'; id: number }
  | { fw: 'drain' }
  | { fw: 'stop' };

/** An error of the app, as text: class instances cannot be sent over the channel. */
export interface AppError {
  /** `name: message` without the stack. */
  title: string;
  /** The stack frames, source-mapped, one per line. */
  frames: string[];
  /** Properties and causes, as `util.inspect` shows them; empty when there are none. */
  details: string;
  code?: string;
  /** What is wrong with the types of procedures, each with the place of its procedure as `file:line:column`. */
  faults?: readonly { readonly message: string; readonly place?: string | undefined }[];
}

export type FromWorker =
  | { fw: 'warmed'; loaded: string[]; unsafe?: string }
  /** `drivers` are the URLs of database drivers that the app has loaded. */
  | { fw: 'ready'; drivers?: string[] }
  | { fw: 'error'; error: AppError }
  /** The modules of the app cannot run; a bundle of them may. */
  | { fw: 'unlinked' }
  | { fw: 'got'; id: number }
  | { fw: 'draining' }
  | { fw: 'returned' }
  /** Comes with the socket of a request that the supervisor passes on to the frontend's dev server. */
  | { fw: 'tunnel'; head: string }
  | { fw: 'inspector'; port: number }
  | WorkerNews;

/** What a worker tells the page about the app. */
export type WorkerNews =
  /** `skipped` were too many to be sent. */
  | { fw: 'records'; records: RawRecord[]; skipped: number }
  /** `app` is undefined if it is not an App of `fw`, `problem` set if it cannot be described. */
  | { fw: 'described'; id: number; app?: unknown; problem?: string }
  /** Something for the terminal. */
  | { fw: 'note'; text: string };

export function isMessage(value: unknown): value is { fw: string } {
  return typeof value === 'object' && value !== null && 'fw' in value && typeof value.fw === 'string';
}
