// Everything `fw dev` says while it runs: the banner, one line per cycle, errors with their place in the source.
import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Message } from 'esbuild';
import type { Colors } from '../ui/color.js';
import { codeFrame, type Place } from './code-frame.js';
import type { AppError } from './messages.js';
import { bundleFolder } from './source-map.js';
import { clock, type Terminal } from './terminal.js';

interface CycleTimes {
  build: number;
  boot: number;
  /** For what is generated, after the boot. */
  wait: number;
  total: number;
}

interface BannerFacts {
  version: string;
  /** Empty where fw.toml names none. */
  name: string;
  urls: string[];
  inspect: number | undefined;
  keys: boolean;
}

export interface Reporter {
  banner(facts: BannerFacts): void;
  /** One finished cycle: `what` says what caused it. */
  cycle(what: string, times: CycleTimes): void;
  note(text: string): void;
  warn(text: string): void;
  buildFailed(what: string, errors: Message[], keepsServing: boolean): void;
  appFailed(headline: string, error: AppError | undefined, consequence: string): void;
  typeErrors(errors: TypeProblem[], total: number): void;
  typesClean(): void;
}

export interface TypeProblem extends Place {
  text: string;
}

const shownErrors = 5;

export function createReporter(terminal: Terminal, root: string): Reporter {
  const { colors, print } = terminal;
  const line = (text: string): void => print(`${colors.dim(clock())}  ${text}`);

  return {
    banner({ version, name, urls, inspect, keys }) {
      print('');
      print(`  ${colors.bold(`fw ${version}`)}${name ? `  ${name}` : ''}`);
      for (const url of urls) print(`  ${colors.green('➜')} ${colors.cyan(url)}`);
      if (inspect !== undefined) print(`  ${colors.green('➜')} debugger on 127.0.0.1:${inspect}`);
      if (keys) print(colors.dim('  r restart · o open · c clear · q quit · h help'));
      print('');
    },
    cycle(what, times) {
      const parts = [what, `build ${times.build} ms`, `boot ${times.boot} ms`];
      if (times.wait > 0) parts.push(`client ${times.wait} ms`);
      line(
        `${parts.join(colors.dim(' · '))}${colors.dim(' · ')}${colors.green(`ready in ${times.total} ms`)}`,
      );
    },
    note: line,
    warn: (text) => line(`${colors.yellow('warning:')} ${text}`),
    buildFailed(what, errors, keepsServing) {
      line(`${what}${colors.dim(' · ')}${colors.red(`build failed: ${count(errors.length, 'error')}`)}`);
      for (const text of buildErrorLines(errors)) print(text);
      print('');
      if (keepsServing) print(colors.dim('  the last good version keeps answering'));
    },
    appFailed(headline, error, consequence) {
      line(colors.red(headline));
      if (error) for (const text of appErrorLines(error, root, colors)) print(text);
      print('');
      print(colors.dim(`  ${consequence}`));
    },
    typeErrors(errors, total) {
      line(colors.yellow(`types: ${count(total, 'error')}`));
      for (const error of errors.slice(0, shownErrors)) {
        print('');
        print(`  ${error.text}`);
        for (const text of codeFrame(error, root, colors)) print(text);
      }
      if (total > shownErrors) print(colors.dim(`\n  and ${total - shownErrors} more`));
      print('');
    },
    typesClean: () => line(colors.green('types: no errors')),
  };

  function buildErrorLines(errors: Message[]): string[] {
    const lines = errors
      .slice(0, shownErrors)
      .flatMap((error) => [
        '',
        `  ${colors.red('error:')} ${error.text}`,
        ...(error.location ? codeFrame(placeOf(error.location), root, colors) : []),
        ...error.notes.slice(0, 2).map((note) => colors.dim(`  note: ${note.text}`)),
      ]);
    if (errors.length > shownErrors) lines.push('', colors.dim(`  and ${errors.length - shownErrors} more`));
    return lines;
  }
}

/** What the app threw, with its place in the source. */
export function appErrorLines(error: AppError, root: string, colors: Colors): string[] {
  const place = topAppPlace(error.frames, root);
  return [
    '',
    ...error.title.split('\n').map((text) => `  ${text}`),
    ...(place ? codeFrame(place, root, colors) : []),
    ...error.frames.slice(0, 12).map((frame) => colors.dim(`    ${shorten(frame, root)}`)),
    ...(error.details ? error.details.split('\n').map((text) => `  ${text}`) : []),
  ];
}

function placeOf(location: NonNullable<Message['location']>): Place {
  return {
    file: location.file,
    line: location.line,
    column: location.column + 1,
    length: location.length,
  };
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The first frame that lies in the project's own sources. */
export function topAppPlace(frames: string[], root: string): Place | undefined {
  for (const frame of frames) {
    const found = /\(?((?:file:\/\/|\/|[A-Za-z]:\\).*):(\d+):(\d+)\)?$/.exec(
      frame.replace(/^at (?:async )?/, ''),
    );
    if (!found) continue;
    const [, raw = '', line, column] = found;
    const file = plainPath(raw.replace(/^.*\((?=file:|\/|[A-Za-z]:\\)/, ''));
    const inside = relative(root, file);
    if (inside.startsWith('..') || isAbsolute(inside) || file.includes('node_modules')) continue;
    // A line of the bundle that is nobody's.
    if (inside.startsWith(bundleFolder)) continue;
    return { file, line: Number(line), column: Number(column) };
  }
  return undefined;
}

function plainPath(text: string): string {
  if (!text.startsWith('file:')) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return text;
  }
}

/** A stack frame with paths as the user writes them. */
export function shorten(frame: string, root: string): string {
  return frame.replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, '');
}
