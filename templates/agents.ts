// What AGENTS.md of a template says of its app, checked: paths, scripts, commands, names, addresses and the example. Used by
// agents.test.ts.
import { posix } from 'node:path';
import type { Command } from 'commander';

export interface AgentsApp {
  /** The paths of the app as `fw new` writes it. */
  readonly paths: readonly string[];
  /** The texts of the template by path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly scripts: readonly string[];
  /** The paths of the package `fw`, and what can be imported from it, as `fw/testing`. */
  readonly packagePaths: readonly string[];
  readonly subpaths: readonly string[];
  /** What `fw` exports. */
  readonly names: readonly string[];
  /** The commands of `fw`. */
  readonly commands: ReadonlyMap<string, Command>;
  readonly port: number;
}

export const MOST_LINES = 70;
export const MOST_BYTES = 5000;

/** What is wrong in the text, each as a sentence. */
export function faultsOf(text: string, app: AgentsApp): string[] {
  const { spans, shell, examples } = partsOf(text);
  return [
    ...lengthFaults(text),
    ...placeholderFaults(text),
    ...scriptFaults(text, app),
    ...addressFaults(text, app),
    ...[...spans, ...shell].flatMap((code) => [...commandFaults(code, app), ...pathFaults(code, app)]),
    ...shell.filter((line) => !/^np[mx] /.test(line)).map((line) => `not a command of npm: ${line}`),
    ...spans.flatMap((code) => nameFaults(code, app)),
    ...examples.filter((code) => !isExcerpt(code, app)).map((code) => `not code of the app: ${code}`),
  ];
}

/** The commands `npx fw …` of the text, as the words after `fw`, without what they are piped into. */
export function fwCommands(text: string): string[][] {
  return partsOf(text).spans.flatMap((code) => {
    const words = fwWords(code);
    return code.startsWith('npx ') && words !== undefined ? [words] : [];
  });
}

interface Parts {
  /** The code within lines. */
  readonly spans: readonly string[];
  /** The lines of blocks for a shell. */
  readonly shell: readonly string[];
  /** The other blocks. */
  readonly examples: readonly string[];
}

function partsOf(text: string): Parts {
  const blocks = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  const outside = blocks.reduce((rest, [block]) => rest.replace(block, () => ''), text);
  const isShell = ([, language]: readonly string[]): boolean => language === 'sh';
  return {
    spans: [...outside.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code),
    shell: blocks.filter(isShell).flatMap(([, , code = '']) => code.trimEnd().split('\n')),
    examples: blocks.filter((block) => !isShell(block)).map(([, , code = '']) => code),
  };
}

function lengthFaults(text: string): string[] {
  const lines = text.trimEnd().split('\n').length;
  const bytes = Buffer.byteLength(text);
  return [
    ...(lines > MOST_LINES ? [`${lines} lines, more than ${MOST_LINES}`] : []),
    ...(bytes > MOST_BYTES ? [`${bytes} bytes, more than ${MOST_BYTES}`] : []),
  ];
}

function placeholderFaults(text: string): string[] {
  const found = text.match(/(?<!\w)<[a-z][^>\n]*>|\{\{|\$\{|\b(?:TODO|FIXME|TBD)\b/g) ?? [];
  return found.map((placeholder) => `a placeholder is left: ${placeholder}`);
}

/** Each script is named, and no other one. */
function scriptFaults(text: string, { scripts }: AgentsApp): string[] {
  const named = [...text.matchAll(/\bnpm (?:run )?([\w:-]+)/g)].map(([command, name = '']) => {
    const isShort = !command.includes(' run ');
    return isShort && ['install', 'ci'].includes(name) ? undefined : name;
  });
  return [
    ...named.flatMap((name) => (name === undefined || scripts.includes(name) ? [] : [`no script: ${name}`])),
    ...scripts.filter((name) => !named.includes(name)).map((name) => `script not named: ${name}`),
  ];
}

function addressFaults(text: string, { port }: AgentsApp): string[] {
  const known = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port}/_fw/`];
  const found = text.match(/https?:\/\/[\w.:/-]*[\w/]/g) ?? [];
  return found.filter((address) => !known.includes(address)).map((address) => `not an address: ${address}`);
}

/** The words of a command of `fw` behind `fw`. */
function fwWords(code: string): string[] | undefined {
  const [, rest] = /^(?:npx )?fw ([^|#]+)/.exec(code) ?? [];
  return rest?.trim().split(' ');
}

function commandFaults(code: string, { commands }: AgentsApp): string[] {
  const [name = '', ...words] = fwWords(code) ?? [];
  if (name === '') return [];
  const command = commands.get(name);
  if (command === undefined) return [`no command: ${code}`];
  const unknown = words.filter(
    (word) =>
      word.startsWith('-') && !command.options.some(({ long, short }) => [long, short].includes(word)),
  );
  const [, ...readers] = code.split('|').map((part) => part.trim());
  return [
    ...unknown.map((flag) => `no option of fw ${name}: ${flag}`),
    ...readers.filter((reader) => !/^(?:head|cat)\b/.test(reader)).map((reader) => `unknown: ${reader}`),
  ];
}

const PATH = /^[\w.*-]+(?:\/[\w.*-]*)*$/;
const FILE = /(?:\/|^Dockerfile$|\.(?:css|html|js|json|md|toml|tsx?|ya?ml)$|^\.\w)/;

function pathFaults(code: string, app: AgentsApp): string[] {
  return code
    .split(/[\s,]+/)
    .filter((word) => (PATH.test(word) && FILE.test(word)) || /^\/[\w/-]*$/.test(word))
    .filter((path) => !exists(path, app))
    .map((path) => `no such path: ${path}`);
}

function exists(path: string, { paths, texts, packagePaths, subpaths }: AgentsApp): boolean {
  // The path of a route.
  if (path.startsWith('/')) return [...texts.values()].some((text) => text.includes(`'${path}'`));
  if (path.startsWith('fw/')) return subpaths.includes(path);
  const inPackage = /^node_modules\/fw\/(.+)/.exec(path)?.[1];
  if (inPackage !== undefined) return isAmong(inPackage, packagePaths);
  // What commands write is not in the template.
  const ignored = (texts.get('.gitignore') ?? '').split('\n');
  return ignored.includes(path) || isAmong(path, paths);
}

function isAmong(path: string, paths: readonly string[]): boolean {
  if (path.endsWith('/')) return paths.some((one) => one.startsWith(path));
  // `.ts` and `*.test.ts` are about names of files.
  if (/^(?:\*|\.\w+$)/.test(path)) {
    const end = path.replace('*', '');
    return paths.some((one) => one === path || posix.basename(one).endsWith(end));
  }
  return paths.includes(path);
}

/** The first name of a piece of code is one of the app, or of `fw`. */
function nameFaults(code: string, { texts, names }: AgentsApp): string[] {
  if (/^(?:npx |npm |fw )/.test(code) || (PATH.test(code) && FILE.test(code))) return [];
  const [name] = /^[A-Za-z_]\w*/.exec(code) ?? [];
  if (name === undefined || names.includes(name)) return [];
  const word = new RegExp(`\\b${name}\\b`);
  return [...texts].some(([path, text]) => !path.endsWith('.md') && word.test(text))
    ? []
    : [`not a name of the app: ${name}`];
}

/** Whether these lines are in a file of the app, however far they are indented there. */
function isExcerpt(code: string, { texts }: AgentsApp): boolean {
  const trimmed = (text: string): string => text.trim().replace(/\n[ \t]*/g, '\n');
  return [...texts].some(([path, text]) => !path.endsWith('.md') && trimmed(text).includes(trimmed(code)));
}
