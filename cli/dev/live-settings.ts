// The settings while `fw dev` runs: some changes take effect at once, others need a restart.
import { dirname, join, relative } from 'node:path';
import { loadProject } from '../config/load.js';
import { CliError } from '../terminal/errors.js';
import type { DevReport } from './dev-report.js';
import { type DevFlags, type DevSettings, settleSettings } from './dev-settings.js';

export class LiveSettings {
  readonly #flags: DevFlags;
  readonly #first: DevSettings;
  readonly #port: number;
  readonly #report: Pick<DevReport, 'note' | 'warn'>;
  #now: DevSettings;
  #reported: string[] = [];

  /** @param port the port that is open, which differs from the setting 0 */
  constructor(flags: DevFlags, first: DevSettings, port: number, report: Pick<DevReport, 'note' | 'warn'>) {
    this.#flags = flags;
    this.#first = first;
    this.#port = port;
    this.#report = report;
    this.#now = first;
  }

  get entry(): string {
    return this.#now.entry;
  }

  get allowedHosts(): string[] {
    return this.#now.allowedHosts;
  }

  get preload(): string[] {
    return this.#now.preload;
  }

  /** Reads fw.toml and `.env` again; settings with a mistake are reported, and the last good ones stay. */
  refresh(): void {
    const next = this.#read();
    if (!next) return;
    const fixed = needsNewStart(this.#first, next, this.#port);
    for (const what of fixed.filter((text) => !this.#reported.includes(text))) {
      this.#report.note(`the settings now say ${what}: restart fw dev to use it`);
    }
    this.#reported = fixed;
    // The settings of another app must not be applied to this one.
    if (next.root === this.#first.root) this.#now = next;
  }

  #read(): DevSettings | undefined {
    const { configFile, root } = this.#first;
    try {
      return settleSettings(this.#flags, loadProject(dirname(configFile ?? join(root, 'package.json'))));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      this.#report.warn(`${error.message}${error.help ? `: ${error.help}` : ''}`);
      return undefined;
    }
  }
}

function needsNewStart(first: DevSettings, next: DevSettings, port: number): string[] {
  if (next.root !== first.root) return [`root = "${relative(first.root, next.root)}"`];
  const found: string[] = [];
  if (next.port !== first.port && next.port !== port) found.push(`port ${next.port}`);
  if (next.host !== first.host) found.push(`host = "${next.host}"`);
  if (next.watch !== first.watch) found.push(`hot_reload = ${next.watch}`);
  if (next.frontend?.port !== first.frontend?.port) {
    found.push(next.frontend ? `frontend_port = ${next.frontend.port}` : 'no frontend_port');
  }
  const folder = next.frontend?.folder ?? first.frontend?.folder;
  if (first.frontend && folder !== first.frontend.folder) {
    found.push(`frontend_path = "${relative(first.root, folder ?? '')}"`);
  }
  return found;
}
