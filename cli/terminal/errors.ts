// The errors that are shown in the terminal: what happened, what to do next, and the exit code.

/** Exit codes of the binary: 0 done, 1 failed, 2 wrong usage, 130 cancelled by the user. */
export const ExitCode = { done: 0, failed: 1, usage: 2, cancelled: 130 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

export interface CliErrorOptions {
  /** One line that says what to do next, without a trailing full stop. */
  help?: string;
  /** Defaults to `ExitCode.failed`. */
  exitCode?: ExitCode;
  cause?: unknown;
}

/** An expected failure: printed as `error: message` and `help: …`, never with a stack. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  readonly help: string | undefined;
  readonly exitCode: ExitCode;

  constructor(message: string, options: CliErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.help = options.help;
    this.exitCode = options.exitCode ?? ExitCode.failed;
  }
}

/** Wrong usage of the command line: exit code 2. */
export class UsageError extends CliError {
  override readonly name: string = 'UsageError';

  constructor(message: string, help?: string) {
    super(message, help === undefined ? { exitCode: ExitCode.usage } : { help, exitCode: ExitCode.usage });
  }
}

/** The error in one line. */
export function withHelp({ message, help }: CliError): string {
  return help ? `${message}: ${help}` : message;
}

const SYSTEM_FAULTS: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  EACCES: ['permission denied', 'give this user the right to write there'],
  EPERM: ['not permitted', 'give this user the right to write there'],
  EROFS: ['the file system is read-only', 'use a folder that this user may write to'],
  ENOSPC: ['the disk is full', 'free some space'],
  EDQUOT: ['the disk quota is used up', 'free some space'],
  EMFILE: ['this process has too many open files', 'raise the limit: ulimit -n 65536'],
  ENFILE: ['the system has too many open files', 'close some programs'],
};

/** What a system has refused to read or write, and the remedy; undefined for other errors, which may be bugs. */
export function systemFault(
  error: unknown,
): { readonly reason: string; readonly remedy: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  // That of watching files is about the number of files.
  const [reason, remedy] = (syscall !== undefined && syscall !== 'watch' && SYSTEM_FAULTS[code]) || [];
  return reason === undefined || remedy === undefined ? undefined : { reason, remedy };
}
