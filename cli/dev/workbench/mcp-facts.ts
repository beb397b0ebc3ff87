// MCP of `fw dev`, types only: what its tools ask the workbench for.
import type { MigrationsState } from '../../process/messages.js';
import type { AppInfo } from './app-info.js';
import type {
  CycleEntry,
  ErrorGroup,
  FoundRequest,
  Hello,
  RequestDetail,
  RequestSummary,
} from './protocol.js';

/** What a command has printed. */
export interface CommandResult {
  readonly exitCode: number | null;
  readonly output: string;
}

/** Secrets are masked in all of it. Its functions throw a Refusal, whose message is for people. */
export interface DevFacts {
  hello(): Hello;
  /** The routes, procedures and settings of the app that answers now. */
  app(): Promise<AppInfo>;
  /** The oldest first. */
  requests(): readonly RequestSummary[];
  request(id: number): RequestDetail;
  /** The one that happened last first. */
  errors(): readonly ErrorGroup[];
  /** The oldest first. */
  cycles(): readonly CycleEntry[];
  search(text: string, signal: AbortSignal): Promise<readonly FoundRequest[]>;
  /** Resolves to the number of the request, when it is answered. */
  send(order: unknown): Promise<{ readonly id: number }>;
  /** Undefined if nothing is to be done. */
  migrations(): MigrationsState | undefined;
  migrate(): Promise<{ readonly ran: readonly string[] }>;
  /** Runs `fw` with these arguments in the project. */
  command(args: readonly string[], signal: AbortSignal): Promise<CommandResult>;
}
