// The output of `fw generate`: one line per file, errors with their place in the source.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Message } from 'esbuild';
import { ClientReader } from '../../framework/client/read-client.js';
import type { Finding } from '../../framework/client-gen/compiler/compiler.js';
import { type AbsolutePath, absolutePath } from '../../framework/files/absolute-path.js';
import { diffTypes } from '../../framework/wire/compare/same-type.js';
import { appErrorLines } from '../process/app-error-lines.js';
import type { AppError } from '../process/messages.js';
import { codeFrame } from '../terminal/code-frame.js';
import type { CliError } from '../terminal/errors.js';
import { count, type Terminal } from '../terminal/output.js';
import { printable } from '../terminal/printable.js';
import type { Generated } from './generation.js';
import type { Made } from './write-changed.js';

const SHOWN = 5;

/** A finding; its file may be relative to the app, or empty. */
interface Shown {
  readonly message: string;
  readonly place: Omit<Finding['place'], 'file'> & { readonly file: string };
}

export class GenerateReport {
  readonly #root: string;
  readonly #cwd: AbsolutePath;
  readonly #terminal: Terminal;
  /** Where errors are printed. */
  readonly #errors: Terminal;

  constructor(root: string, cwd: string, terminal: Terminal, errors: Terminal = terminal) {
    this.#root = root;
    this.#cwd = absolutePath(cwd);
    this.#terminal = terminal;
    this.#errors = errors;
  }

  written(result: Generated & { ok: true }, verbose: boolean): void {
    const { colors, print } = this.#terminal;
    const { green, dim } = colors;
    for (const made of [result.contract, ...result.client.files]) {
      if (made.after === undefined) continue;
      const name = this.name(made.file);
      const isNew = made.before !== made.after;
      print(
        isNew
          ? `${green('✓')} ${name} ${made.before === undefined ? 'created' : 'updated'}`
          : dim(`  ${name} is up to date`),
      );
    }
    this.warnings(result.warnings);
    if (!verbose) return;
    const { types, build, run } = result.times;
    const inferred = count(result.procedures, 'inferred procedure');
    print(
      dim(
        `  ${inferred}: types ${ms(types)}${result.isStored ? ' (nothing has changed)' : ''} · build ${ms(build)} · run ${ms(run)}`,
      ),
    );
  }

  warnings(warnings: readonly Finding[]): void {
    this.#findings('warning', warnings);
  }

  /** The files that are not up to date, as a message; undefined if all are. */
  stale(files: readonly Made[]): string | undefined {
    const names = files
      .filter(({ before, after, isLocal }) => after !== undefined && before !== after && !isLocal)
      .map(
        ({ file, before }) =>
          `${this.name(file)} ${before === undefined ? 'is missing' : 'is not up to date'}`,
      );
    return names.length === 0 ? undefined : names.join(', ');
  }

  failed(result: Generated & { ok: false }): void {
    if ('findings' in result) this.#findings('error', result.findings);
    else if ('build' in result) this.#build(result.build);
    else this.#run(result.run);
  }

  name(file: string): string {
    const path = relative(this.#cwd, file);
    return path === '' || path.startsWith('../../..') ? file : path;
  }

  #findings(label: 'error' | 'warning', findings: readonly Shown[]): void {
    const { colors, print } = label === 'error' ? this.#errors : this.#terminal;
    const { bold, red, yellow } = colors;
    const paint = label === 'error' ? red : yellow;
    for (const { place, message } of findings.slice(0, SHOWN)) {
      print(`${bold(paint(`${label}:`))} ${printable(message)}`);
      const frame = place.file === '' ? [] : codeFrame(place, this.#root, colors);
      for (const line of frame) print(line);
      print('');
    }
    if (findings.length > SHOWN) print(`and ${count(findings.length - SHOWN, label)} more`);
  }

  #build(errors: readonly Message[]): void {
    this.#findings(
      'error',
      errors.map(({ text, location }) => ({
        message: text,
        place: { file: location?.file ?? '', line: location?.line ?? 0, column: (location?.column ?? 0) + 1 },
      })),
    );
  }

  #run(error: AppError): void {
    if (error.faults !== undefined) {
      this.#findings('error', error.faults.map(findingOf));
      return;
    }
    const { colors, print } = this.#errors;
    print(`${colors.bold(colors.red('error:'))} src/generate-client.ts failed`);
    for (const line of appErrorLines(error, this.#root, colors)) print(line);
  }
}

/** A type fault, at the place of its procedure in the source, which the stack names. */
function findingOf({ message, place }: NonNullable<AppError['faults']>[number]): Shown {
  const [, file = '', line = '0', column = '1'] = /^(.*):(\d+):(\d+)$/.exec(place ?? '') ?? [];
  const path = file.startsWith('file:') ? fileURLToPath(file) : file;
  return { message, place: { file: path, line: Number(line), column: Number(column) } };
}

function ms(time: number): string {
  return `${Math.round(time)} ms`;
}

/** @param reader of the clients of several results */
export function summaryOf(result: Generated, reader: ClientReader = new ClientReader()): object {
  if (!result.ok) return result;
  const { client, contract, procedures, warnings, times } = result;
  const made = [...client.files, contract]
    .filter(({ after }) => after !== undefined)
    .map(({ file, before, after }) => ({ file, isChanged: before !== after }));
  const changes = changesOf(client.types, reader);
  return { ok: true, files: made, changes, inferredProcedures: procedures, warnings, times };
}

/** The JSON without a result: fw.toml is invalid, or the output cannot be written. */
export function problemOf({ message, help }: CliError): object {
  return { ok: false, problem: { message, ...(help !== undefined && { help }) } };
}

/** The changes against the previous client; null if there was none to compare with. */
function changesOf({ before, after }: Made, reader: ClientReader): object[] | null {
  if (before === undefined || after === undefined) return null;
  if (before === after) return [];
  let old: ReturnType<ClientReader['read']>;
  try {
    old = reader.read(before);
  } catch {
    // The previous file need not have been a client.
    return null;
  }
  return diffTypes(old, reader.read(after));
}
