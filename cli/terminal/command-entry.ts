// One line of the command table.
import type { Command } from 'commander';

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Loads the command, and nothing of what it does. */
  readonly load: () => Promise<{ command: Command }>;
}
