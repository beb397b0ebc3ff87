// The output of `fw dev` about the client: a line if it was written, each failure once, and when it is fixed.
import { relative } from 'node:path';
import { GenerateReport } from '../../generate/generate-report.js';
import type { ClientChange, Outcome } from '../../generate/outcome.js';
import { clock, count, type Terminal } from '../../terminal/output.js';

type Failure = Outcome & { ok: false };

/** How many breaking changes are named after a save. */
const SHOWN = 3;

/** Gets what is printed, for the page about the app. */
export type NotifyClient = (what: string, lines: readonly string[]) => void;

export class ClientReport {
  readonly #root: string;
  readonly #notify: NotifyClient;
  readonly #terminal: Terminal;
  readonly #details: GenerateReport;
  #said = '';
  #pending: Outcome | undefined;

  constructor(root: string, terminal: Terminal, notify: NotifyClient = () => {}) {
    this.#root = root;
    this.#notify = notify;
    this.#terminal = terminal;
    this.#details = new GenerateReport(root, root, terminal);
  }

  /**
   * Prints at once what was written; errors wait for `show`, because a server that fails for the same reason shows
   * them too.
   */
  take(outcome: Outcome): void {
    if (outcome.ok && outcome.isUnaffected) return;
    this.#pending = outcome;
    if (outcome.ok && outcome.written.length > 0) this.#written(outcome);
  }

  show(): void {
    const outcome = this.#pending;
    this.#pending = undefined;
    if (outcome === undefined) return;
    const failed = this.#said.startsWith('failed');
    const said = verdictOf(outcome);
    if (said === this.#said) return;
    this.#said = said;
    if (!outcome.ok) this.#failed(outcome);
    else {
      const { green } = this.#terminal.colors;
      if (failed) this.#say('client: no errors', green);
      if (!outcome.isUnaffected) this.#details.warnings(outcome.warnings);
    }
  }

  note(text: string): void {
    this.#say(text);
  }

  #written({ written, change }: Outcome & { ok: true; isUnaffected?: false }): void {
    const { dim, yellow } = this.#terminal.colors;
    const [first = '', ...more] = written.map((file) => this.#details.name(file));
    const parts = [`${first}${more.length > 0 ? ` and ${more.length} more` : ''} written`];
    if (change !== undefined) parts.push(...changesOf(change));
    const breaking = change?.breaking ?? [];
    this.#notify(
      parts.join(' · '),
      breaking.map((what) => `breaks older clients: ${what}`),
    );
    this.#line(dim(parts.join(' · ')));
    for (const what of breaking.slice(0, SHOWN)) this.#line(yellow(`breaks older clients: ${what}`));
    if (breaking.length > SHOWN) {
      this.#line(yellow(`and ${breaking.length - SHOWN} more`));
    }
  }

  #failed(failure: Failure): void {
    const { colors, print } = this.#terminal;
    const files = waitsForTypes(failure);
    if (files !== undefined) {
      const names = files.map((file) => relative(this.#root, file)).join(', ');
      this.#say(`client: not generated while ${names} has type errors`, colors.yellow);
      return;
    }
    if ('problem' in failure) {
      this.#say(`client: not generated: ${failure.problem}`, colors.yellow);
      return;
    }
    this.#notify('client: not generated', reasonsOf(failure, this.#root));
    this.#line(colors.red('client: not generated'));
    print('');
    this.#details.failed(failure);
    print(colors.dim('  the client file was left unchanged'));
  }

  #say(text: string, paint: (text: string) => string = String): void {
    this.#notify(text, []);
    this.#line(paint(text));
  }

  #line(text: string): void {
    this.#terminal.print(`${this.#terminal.colors.dim(clock())}  ${text}`);
  }
}

/** Such as `1 procedure changed`. */
function changesOf({ procedures, others = [] }: ClientChange): string[] {
  if (procedures > 0) return [`${count(procedures, 'procedure')} changed`, ...others];
  return others.length > 0 ? [...others] : ['no procedure changed'];
}

/** A line for each error. */
function reasonsOf(failure: Exclude<Failure, { problem: string }>, root: string): string[] {
  if ('run' in failure) return [failure.run.title];
  if ('build' in failure) {
    return failure.build.map(({ text, location }) =>
      location === null ? text : `${location.file}:${location.line}: ${text}`,
    );
  }
  return failure.findings.map(({ message, place }) =>
    place.file === '' ? message : `${relative(root, place.file)}:${place.line}: ${message}`,
  );
}

/** The files with compiler errors, which the type check of `fw dev` shows in full; undefined for other failures. */
function waitsForTypes(failure: Failure): string[] | undefined {
  if (!('findings' in failure)) return undefined;
  const { findings } = failure;
  if (!findings.every(({ message }) => /\(TS\d+\)$/.test(message))) return undefined;
  return [...new Set(findings.map(({ place }) => place.file))];
}

/** Equal for outcomes that need not be reported twice, such as errors whose line numbers changed. */
function verdictOf(outcome: Outcome): string {
  if (outcome.ok) return outcome.isUnaffected ? '' : textOf(outcome.warnings);
  if ('problem' in outcome) return `failed ${outcome.problem}`;
  const files = waitsForTypes(outcome);
  if (files !== undefined) return `failed ${files.join(' ')}`;
  if ('findings' in outcome) return `failed ${textOf(outcome.findings)}`;
  if ('run' in outcome) return `failed ${outcome.run.title} ${outcome.run.details}`;
  return `failed ${outcome.build.map(({ text, location }) => `${location?.file} ${text}`).join('\n')}`;
}

function textOf(findings: readonly { message: string; place: { file: string } }[]): string {
  return findings.map(({ message, place }) => `${place.file} ${message}`).join('\n');
}
