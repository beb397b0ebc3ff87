// The settings while `fw dev` runs: some changes take effect at once, others need a restart.
import { dirname, join, relative } from 'node:path';
import type { AbsolutePath } from '../../../framework/files/absolute-path.js';
import { loadProject } from '../../config/load.js';
import { envFileFaults } from '../../process/environment.js';
import { CliError, withHelp } from '../../terminal/errors.js';
import type { DevReport } from '../report/dev-report.js';
import { type DevFlags, type DevSettings, settleSettings } from './dev-settings.js';

export class LiveSettings {
  readonly #flags: DevFlags;
  readonly #first: DevSettings;
  readonly #port: number;
  readonly #report: Pick<DevReport, 'note' | 'warn'>;
  readonly #onTokenNeeded: () => void;
  #now: DevSettings;
  #reported: string[] = [];
  #envFaults: readonly string[] = [];
  #problem: string | undefined;

  /**
   * @param port the port that is open, which differs from the setting 0
   * @param onTokenNeeded called when the page about the app needs its token from now on
   */
  constructor(
    flags: DevFlags,
    first: DevSettings,
    port: number,
    report: Pick<DevReport, 'note' | 'warn'>,
    onTokenNeeded: () => void = () => {},
  ) {
    this.#flags = flags;
    this.#first = first;
    this.#port = port;
    this.#report = report;
    this.#onTokenNeeded = onTokenNeeded;
    this.#now = first;
  }

  get entry(): AbsolutePath {
    return this.#now.entry;
  }

  get allowedHosts(): string[] {
    return this.#now.allowedHosts;
  }

  /** Whether the developer, too, needs the token of the page about the app. */
  get isTokenRequired(): boolean {
    return this.#now.workbenchToken;
  }

  /** Whether there is somebody who needs the token: the developer, or others that may ask. */
  get isTokenOfUse(): boolean {
    return this.#now.isOpened || this.#now.workbenchToken;
  }

  /** Whether the old process of the app ends before the new one starts. */
  get exclusive(): boolean {
    return this.#now.exclusive;
  }

  /** Whether the app runs as a bundle, until it names files at run time. */
  get bundle(): boolean {
    return this.#now.bundle;
  }

  get preload(): string[] {
    return this.#now.preload;
  }

  /** The mistake in the settings, which was reported. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Reads fw.toml and `.env` again; settings with a mistake are reported, and the last good ones stay. */
  refresh(): void {
    this.checkEnvFile();
    const next = this.#read();
    if (!next) return;
    const fixed = needsNewStart(this.#first, next, this.#port);
    for (const what of fixed.filter((text) => !this.#reported.includes(text))) {
      this.#report.note(`the settings now say ${what}: restart fw dev to use it`);
    }
    this.#reported = fixed;
    // The settings of another app must not be applied to this one.
    if (next.root !== this.#first.root) return;
    const wasOfUse = this.isTokenOfUse;
    this.#now = next;
    if (this.isTokenOfUse && !wasOfUse) this.#onTokenNeeded();
  }

  /** Reports each line of `.env` that is not understood, once. */
  checkEnvFile(): void {
    const faults = envFileFaults(this.#first.root);
    for (const fault of faults.filter((text) => !this.#envFaults.includes(text))) this.#report.warn(fault);
    this.#envFaults = faults;
  }

  #read(): DevSettings | undefined {
    const { configFile, root } = this.#first;
    this.#problem = undefined;
    try {
      return settleSettings(this.#flags, loadProject(dirname(configFile ?? join(root, 'package.json'))));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      this.#problem = withHelp(error);
      this.#report.warn(this.#problem);
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
  if (next.pollInterval !== first.pollInterval)
    found.push(next.pollInterval ? `poll_interval = ${next.pollInterval}` : 'no poll_interval');
  if (next.frontend?.port !== first.frontend?.port) {
    found.push(next.frontend ? `frontend_port = ${next.frontend.port}` : 'no frontend_port');
  }
  const allowed = next.frontend?.allowed.join() ?? '';
  if (first.frontend && allowed !== first.frontend.allowed.join()) found.push('another frontend_allow');
  const folder = next.frontend?.folder ?? first.frontend?.folder;
  if (first.frontend && folder !== first.frontend.folder) {
    found.push(`frontend_path = "${relative(first.root, folder ?? '')}"`);
  }
  return found;
}
