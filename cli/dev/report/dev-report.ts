// The output of `fw dev` while it runs: the banner, one line per cycle, errors with their place in the source.
import type { Message } from 'esbuild';
import { appErrorLines } from '../../process/app-error-lines.js';
import type { AppError, MigrationsState } from '../../process/messages.js';
import { codeFrame, type Place } from '../../terminal/code-frame.js';
import { clock, count, type Terminal } from '../../terminal/output.js';
import { printable } from '../../terminal/printable.js';
import type { CycleLog } from '../workbench/cycle-log.js';
import { buildProblems, problemsAt } from '../workbench/shown-error.js';
import { type MigrationHints, migrationTexts } from './migrations-text.js';

interface BannerFacts {
  version: string;
  /** Empty if fw.toml has no project name. */
  name: string;
  urls: string[];
  /** The page about the app. */
  page: string | undefined;
  inspect: number | undefined;
  keys: boolean;
}

export interface TypeProblem extends Place {
  text: string;
}

const SHOWN_ERRORS = 5;

export class DevReport {
  readonly #terminal: Terminal;
  readonly #root: string;
  readonly #log: CycleLog | undefined;

  /** @param log gets everything that is printed, for the page about the app */
  constructor(terminal: Terminal, root: string, log?: CycleLog) {
    this.#terminal = terminal;
    this.#root = root;
    this.#log = log;
  }

  banner({ version, name, urls, page, inspect, keys }: BannerFacts): void {
    const { colors, print } = this.#terminal;
    print('');
    print(`  ${colors.bold(`fw ${version}`)}${name ? `  ${printable(name)}` : ''}`);
    for (const url of urls) print(`  ${colors.green('➜')} ${colors.cyan(url)}`);
    if (page) print(`  ${colors.green('➜')} ${colors.cyan(page)}${colors.dim('  requests, routes, errors')}`);
    if (inspect !== undefined) print(`  ${colors.green('➜')} debugger on 127.0.0.1:${inspect}`);
    if (keys) print(colors.dim('  r restart · o open · w workbench · c clear · q quit · h help'));
    print('');
  }

  /** Prints one finished cycle; `what` is its cause. */
  cycle(what: string, times: TimesTaken): void {
    const { dim, green } = this.#terminal.colors;
    const parts = [printable(what), `build ${times.build} ms`, `boot ${times.boot} ms`];
    if (times.wait > 0) parts.push(`client ${times.wait} ms`);
    const { build, boot, wait, total } = times;
    this.#log?.ready(what, { build, boot, client: wait, total });
    this.#line(`${parts.join(dim(' · '))}${dim(' · ')}${green(`ready in ${times.total} ms`)}`);
  }

  note(text: string): void {
    this.#log?.note(text);
    this.#line(printable(text));
  }

  warn(text: string): void {
    this.#log?.note(`warning: ${text}`);
    this.#line(`${this.#terminal.colors.yellow('warning:')} ${printable(text)}`);
  }

  /** What esbuild warns of in a build that succeeded. */
  buildWarnings(warnings: readonly Message[]): void {
    const { colors, print } = this.#terminal;
    for (const { text, location } of warnings) {
      const place = location && placeOf(location);
      this.#log?.note(`warning: ${text}${place ? ` (${place.file}:${place.line}:${place.column})` : ''}`);
      this.#line(`${colors.yellow('warning:')} ${printable(text)}`);
      if (place) for (const line of codeFrame(place, this.#root, colors)) print(line);
    }
  }

  /** What is to be done about the migrations of the app. */
  migrations(state: MigrationsState, hints: MigrationHints): void {
    const { colors } = this.#terminal;
    for (const { what, remedy } of migrationTexts(state, hints)) {
      this.#log?.note(`${what}; ${remedy}`);
      // In one piece: what the app prints at its start must not come between.
      const next = colors.dim(`          ${printable(remedy)}`);
      this.#line(`${colors.yellow('migrations:')} ${printable(what)}\n${next}`);
    }
  }

  /** Migrations that the developer has run. */
  migrationFailed(error: AppError): void {
    const { colors, print } = this.#terminal;
    this.#log?.note(error.title);
    this.#line(colors.red('a migration failed'));
    for (const text of appErrorLines(error, this.#root, colors)) print(text);
    print('');
  }

  buildFailed(what: string, errors: Message[], keepsServing: boolean): void {
    const { colors, print } = this.#terminal;
    const title = `build failed: ${count(errors.length, 'error')}`;
    this.#log?.buildFailed(what, title, buildProblems(errors, this.#root), keepsServing);
    this.#line(`${printable(what)}${colors.dim(' · ')}${colors.red(title)}`);
    for (const text of this.#buildErrorLines(errors)) print(text);
    print('');
    if (keepsServing) print(colors.dim('  the last good version keeps answering'));
  }

  appFailed(headline: string, error: AppError | undefined, consequence: string, keepsServing: boolean): void {
    const { colors, print } = this.#terminal;
    this.#log?.appFailed(headline, error, consequence, keepsServing);
    this.#line(colors.red(printable(headline)));
    if (error) for (const text of appErrorLines(error, this.#root, colors)) print(text);
    print('');
    print(colors.dim(`  ${printable(consequence)}`));
  }

  /** Prints what the type check has found, also that it found nothing any more. */
  types(errors: TypeProblem[]): void {
    if (errors.length === 0) {
      this.#typesClean();
      return;
    }
    const { colors, print } = this.#terminal;
    const title = `types: ${count(errors.length, 'error')}`;
    this.#log?.types(title, problemsAt(errors, this.#root));
    this.#line(colors.yellow(title));
    for (const error of errors.slice(0, SHOWN_ERRORS)) {
      print('');
      print(`  ${printable(error.text)}`);
      for (const text of codeFrame(error, this.#root, colors)) print(text);
    }
    if (errors.length > SHOWN_ERRORS) print(colors.dim(`\n  and ${errors.length - SHOWN_ERRORS} more`));
    print('');
  }

  #typesClean(): void {
    this.#log?.types('types: no errors', []);
    this.#line(this.#terminal.colors.green('types: no errors'));
  }

  #line(text: string): void {
    this.#terminal.print(`${this.#terminal.colors.dim(clock())}  ${text}`);
  }

  #buildErrorLines(errors: Message[]): string[] {
    const { colors } = this.#terminal;
    const lines = errors
      .slice(0, SHOWN_ERRORS)
      .flatMap((error) => [
        '',
        `  ${colors.red('error:')} ${printable(error.text)}`,
        ...(error.location ? codeFrame(placeOf(error.location), this.#root, colors) : []),
        ...error.notes.slice(0, 2).map((note) => colors.dim(`  note: ${printable(note.text)}`)),
      ]);
    if (errors.length > SHOWN_ERRORS)
      lines.push('', colors.dim(`  and ${errors.length - SHOWN_ERRORS} more`));
    return lines;
  }
}

function placeOf(location: NonNullable<Message['location']>): Place {
  return {
    file: location.file,
    line: location.line,
    column: location.column + 1,
    length: location.length,
  };
}

/** Whole milliseconds. */
interface TimesTaken {
  readonly build: number;
  readonly boot: number;
  /** Waiting for generated files. */
  readonly wait: number;
  /** Since the change. */
  readonly total: number;
}

export class CycleTimes {
  readonly #changed: number;
  readonly #began = performance.now();
  #build = 0;
  #boot = 0;
  #waitedForBuild = 0;

  /** @param changed the time of the change, by `performance.now()` */
  constructor(changed: number) {
    this.#changed = changed;
  }

  /** Milliseconds since the cycle began. */
  get taken(): number {
    return performance.now() - this.#began;
  }

  buildBegins(): void {
    this.#build = performance.now();
  }

  /** @param waited milliseconds spent on waiting so far */
  bootBegins(waited: number): void {
    this.#boot = performance.now();
    this.#waitedForBuild = waited;
  }

  ended(waited: number): TimesTaken {
    const end = performance.now();
    return {
      build: Math.round(this.#boot - this.#build - this.#waitedForBuild),
      boot: Math.round(end - this.#boot - (waited - this.#waitedForBuild)),
      wait: Math.round(waited),
      total: Math.round(end - this.#changed),
    };
  }
}
