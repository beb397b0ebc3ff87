// What a shell offers for the word that is being typed after `fw`.
import { existsSync, readFileSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { readClient } from '../../framework/client/read-client.js';
import { loadProject } from '../config/load.js';
import { contractFiles } from '../dev/client/client-settings.js';
import { isTemplatePath } from '../new/template-entries.js';

/** A word, or the shell's own completion of paths. */
export type Candidate =
  | { readonly word: string; readonly description?: string }
  | { readonly paths: 'files' | 'directories' };

export interface KnownWords {
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  /** The command of that name. */
  load(name: string): Promise<Command>;
  templates(): readonly { readonly name: string; readonly description: string }[];
  /** The pages of the documentation. */
  pages(): readonly { readonly name: string; readonly title: string }[];
  /** The procedures of the app in this directory. */
  procedures(): readonly string[];
}

const paths: Readonly<Record<string, 'files' | 'directories'>> = {
  '--project': 'directories',
  '--output': 'files',
  '--preload': 'files',
  '--document': 'files',
};

/** @param words after `fw`; the last one is being typed, and may be empty */
export async function candidates(words: readonly string[], known: KnownWords): Promise<Candidate[]> {
  const typed = words.at(-1) ?? '';
  return (await offers(words.slice(0, -1), typed, known)).filter(
    (one) => 'paths' in one || one.word.startsWith(typed),
  );
}

async function offers(before: readonly string[], typed: string, known: KnownWords): Promise<Candidate[]> {
  const [name, ...rest] = before;
  const isCommand = (word: string): boolean => known.commands.some((one) => one.name === word);
  if (name === undefined) return typed.startsWith('-') ? globalFlags : commandWords(known);
  if (name === 'help') return rest.length === 0 ? commandWords(known) : [];
  if (!isCommand(name)) return [];
  // What follows is the app's.
  if (name === 'dev' && rest.includes('--')) return [{ paths: 'files' }];
  const command = await known.load(name);
  const pending = command.options.find((option) => option.required && isNamed(option, rest.at(-1)));
  if (pending) return valuesOf(pending, typed, known);
  if (typed.startsWith('-')) return flagsOf(command, rest);
  if (name === 'docs') return pageWords(typed, known);
  return argumentsOf(name, command, known);
}

const globalFlags: readonly Candidate[] & Candidate[] = [
  { word: '--help', description: 'Show the commands' },
  { word: '--version', description: 'Show the version' },
];

function commandWords({ commands }: KnownWords): Candidate[] {
  return commands.map(({ name, summary }) => ({ word: name, description: summary }));
}

function valuesOf(option: Option, typed: string, known: KnownWords): Candidate[] {
  if (option.long === '--template') {
    return isTemplatePath(typed) ? [{ paths: 'files' }] : templateWords(known);
  }
  const kind = paths[option.long ?? ''];
  if (kind !== undefined) return [{ paths: kind }];
  return (option.argChoices ?? []).map((word) => ({ word }));
}

/** Without those that are there already; a flag that can be repeated collects its values. */
function flagsOf(command: Command, before: readonly string[]): Candidate[] {
  const isRepeatable = (option: Option): boolean =>
    option.parseArg !== undefined && option.argChoices === undefined;
  return [
    ...command.options
      .filter(
        (option) => !option.hidden && (isRepeatable(option) || !before.some((word) => isNamed(option, word))),
      )
      .map(({ long, short, description }) => ({ word: long ?? short ?? '', description })),
    { word: '--help', description: 'Show the help of this command' },
  ];
}

function isNamed({ long, short }: Option, word: string | undefined): boolean {
  return word !== undefined && (word === long || word === short);
}

function argumentsOf(name: string, command: Command, known: KnownWords): Candidate[] {
  if (name === 'new') return [{ paths: 'directories' }];
  if (name === 'upgrade') return [{ paths: 'files' }];
  if (name === 'routes') return known.procedures().map((word) => ({ word }));
  const [first] = command.registeredArguments;
  // Those of the app's own scripts, which are mostly files.
  if (first?.variadic === true) return [{ paths: 'files' }];
  return (first?.argChoices ?? []).map((word) => ({ word }));
}

function templateWords(known: KnownWords): Candidate[] {
  return known.templates().map(({ name, description }) => ({ word: name, description }));
}

/** Codes of errors are many: they are offered once one is typed. */
function pageWords(typed: string, known: KnownWords): Candidate[] {
  return known.pages().flatMap(({ name, title }) => {
    if (!name.startsWith('errors/')) return [{ word: name, description: title }];
    return typed.startsWith('FW') ? [{ word: title }] : [];
  });
}

/** A shell inserts a word as it is: none may mean more to it than its characters, or to the scripts. */
const SAFE_WORD = /^[\w@][\w.@/-]*$|^--?[\w-]+$/;

/**
 * One candidate per line: the word, a tab and its description, or `:files` and `:directories`. Words that a shell
 * could take for something else, such as names of procedures in a file of others, are left out.
 */
export function candidateLines(found: readonly Candidate[]): string {
  return found
    .map((one) => {
      if ('paths' in one) return `:${one.paths}\n`;
      if (!SAFE_WORD.test(one.word)) return '';
      if (one.description === undefined) return `${one.word}\n`;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a description is one line of text
      return `${one.word}\t${one.description.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')}\n`;
    })
    .join('');
}

/**
 * The names of the procedures of an app, as its generated client or its contract has them. Nothing is offered where there is no app, or its files cannot be read: a shell has no place for errors.
 */
export function knownProcedures(cwd: string): string[] {
  try {
    const { client, contract } = contractFiles(loadProject(cwd).root, cwd);
    if (client !== undefined && existsSync(client)) {
      return Object.keys(readClient(readFileSync(client, 'utf8')).procedures);
    }
    const { procedures } = JSON.parse(readFileSync(contract, 'utf8')) as { procedures?: object };
    return Object.keys(procedures ?? {});
  } catch {
    return [];
  }
}
