// The settings while `fw dev` runs: what a change of them changes at once, and what needs a new start.
import { dirname, join, relative } from 'node:path';
import { loadProject } from '../config/load.js';
import { CliError } from '../ui/errors.js';
import type { Reporter } from './report.js';
import { type DevFlags, type DevSettings, settleSettings } from './settings.js';

export interface LiveSettings {
  readonly entry: string;
  readonly allowedHosts: string[];
  readonly preload: string[];
  /** Reads fw.toml and `.env` again; settings with a mistake are told, and the last good ones stay. */
  refresh(): void;
}

/** @param port the one that is really open. */
export function createLiveSettings(
  flags: DevFlags,
  first: DevSettings,
  port: number,
  reporter: Pick<Reporter, 'note' | 'warn'>,
): LiveSettings {
  let now = first;
  let told: string[] = [];

  function read(): DevSettings | undefined {
    try {
      return settleSettings(
        flags,
        loadProject(dirname(first.configFile ?? join(first.root, 'package.json'))),
      );
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      reporter.warn(`${error.message}${error.help ? `: ${error.help}` : ''}`);
      return undefined;
    }
  }

  return {
    get entry() {
      return now.entry;
    },
    get allowedHosts() {
      return now.allowedHosts;
    },
    get preload() {
      return now.preload;
    },
    refresh() {
      const next = read();
      if (!next) return;
      const fixed = needsNewStart(first, next, port);
      for (const what of fixed.filter((text) => !told.includes(text))) {
        reporter.note(`the settings now say ${what}: restart fw dev to use it`);
      }
      told = fixed;
      // What belongs to another app is of no use to this one.
      if (next.root === first.root) now = next;
    },
  };
}

function needsNewStart(first: DevSettings, next: DevSettings, port: number): string[] {
  if (next.root !== first.root) return [`root = "${relative(first.root, next.root)}"`];
  const found: string[] = [];
  if (next.port !== first.port && next.port !== port) found.push(`port ${next.port}`);
  if (next.host !== first.host) found.push(`host = "${next.host}"`);
  if (next.watch !== first.watch) found.push(`hot_reload = ${next.watch}`);
  return found;
}
