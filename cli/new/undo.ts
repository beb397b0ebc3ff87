// The steps that undo what was written, run in reverse order.
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { CliError, ExitCode } from '../terminal/errors.js';

export class Undo {
  readonly #steps: Array<() => void> = [];

  add(step: () => void): void {
    this.#steps.push(step);
  }

  /**
   * Runs every step, even after one has failed, to restore as much as possible: a directory that other programs write to
   * meanwhile stays.
   *
   * @returns the first failure
   */
  run(): unknown {
    const failures: unknown[] = [];
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        step();
      } catch (error) {
        failures.push(error);
      }
    }
    return failures[0];
  }

  /** Runs `action`; if it throws, runs all steps added so far and rethrows: a `LeftError` if one of them fails. */
  guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      const failure = this.run();
      throw failure === undefined ? error : new LeftError(error, failure);
    }
  }
}

/** What ended `fw new`, after which something could not be removed, as a program has it open. */
export class LeftError extends CliError {
  /** @param failure that of a step which undoes something */
  constructor(cause: unknown, failure: unknown) {
    const { exitCode = ExitCode.failed, help } = cause instanceof CliError ? cause : {};
    const remedy = 'end the program that uses it, and remove it yourself';
    super(`something was left behind: ${failure instanceof Error ? failure.message : String(failure)}`, {
      help: help === undefined ? remedy : `${remedy}; ${help}`,
      exitCode,
      cause,
    });
  }
}

/** Removes a path; retries, because a killed installer may still be writing. */
export function remove(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/**
 * The directories that `mkdirSync(deepest, { recursive: true })` made, outermost first; `first` is its return
 * value.
 */
export function madeDirectories(first: string | undefined, deepest: string): string[] {
  if (first === undefined) return [];
  const made = [deepest];
  for (let path = deepest; path.length > first.length; ) {
    path = dirname(path);
    made.unshift(path);
  }
  return made;
}
