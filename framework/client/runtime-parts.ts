// The client: which declarations of the run time a client needs.
import type * as Zlib from 'node:zlib';
import { RUNTIME_TEXT } from './runtime-text.js';

/** A declaration of the run time, without `export`. */
export interface RuntimePart {
  readonly name: string;
  readonly text: string;
  /** The places of the others that it refers to. */
  readonly uses: readonly number[];
  readonly isType?: true;
  /** Of a class that clients export: how it is in declarations. */
  readonly declared?: { readonly text: string; readonly uses: readonly number[] };
}

export interface Runtime {
  /** All that the client needs. */
  readonly parts: readonly RuntimePart[];
  /** The names of those that it exports. */
  readonly exported: ReadonlySet<string>;
}

let known: readonly RuntimePart[] | undefined;
let byName: ReadonlyMap<string, RuntimePart> = new Map();

/** All of its declarations, each behind those that its module imports. Inflated when a client is printed. */
export function allParts(): readonly RuntimePart[] {
  if (known === undefined) {
    const zlib: typeof Zlib | undefined = globalThis.process?.getBuiltinModule?.('node:zlib');
    if (zlib === undefined) {
      throw new Error(
        'a client is generated on Node.js, Bun or Deno, and there is no node:zlib here; run fw generate',
      );
    }
    const json = zlib.inflateRawSync(Buffer.from(RUNTIME_TEXT, 'base64')).toString();
    known = JSON.parse(json) as readonly RuntimePart[];
    byName = new Map(known.map((part) => [part.name, part]));
  }
  return known;
}

/**
 * @param values the names of the functions that the code of the client calls
 * @param types the text of what the client exports: it exports with it the types that are named there
 * @param inside the text of what it does not export
 */
export function runtimeOf(values: readonly string[], types: string, inside = ''): Runtime {
  const named = typesIn(types);
  const needed = reached([...values, ...named, ...typesIn(inside)], ({ uses }) => uses);
  const classes = [...needed].filter((name) => partOf(name).declared !== undefined);
  const exported = reached([...named, ...classes], (part) => declaredOf(part).uses);
  return { parts: allParts().filter(({ name }) => needed.has(name) || exported.has(name)), exported };
}

/** The types and classes of the run time that the text names outside of comments and strings. */
function typesIn(text: string): string[] {
  allParts();
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '');
  return [...new Set(code.match(/\b(?:Fw|JsonRpc)\w+/g))].filter((name) => byName.has(name)).sort();
}

/**
 * The import of a client that has no run time of its own, and what it exports of it.
 *
 * @param values none in declarations
 * @param text of the client
 */
export function printImport({ parts, exported }: Runtime, values: readonly string[], text: string): string {
  const types = typesIn(text);
  const imported = `import ${braces([...values, ...types.map((name) => `type ${name}`)])}`;
  const own = parts.filter(({ name }) => exported.has(name));
  const classes = own.filter(({ isType }) => !isType).map(({ name }) => name);
  const others = own.filter(({ isType }) => isType).map(({ name }) => name);
  return [
    `${imported} from 'fw/client';\n`,
    ...(others.length > 0 ? [`export type ${braces(others)} from 'fw/client';`] : []),
    ...(classes.length > 0 ? [`export ${braces(classes)} from 'fw/client';`] : []),
  ].join('\n');
}

/** In lines that are not too long, and in the order of Biome's `organizeImports`. */
function braces(names: readonly string[]): string {
  const sorted = names.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const line = `{ ${sorted.join(', ')} }`;
  return line.length <= 80 ? line : `{\n${sorted.map((name) => `  ${name},\n`).join('')}}`;
}

/** The same letters differ by their case, capitals first; other letters by the alphabet alone. */
function orderOf(name: string): string {
  const bare = name.replace(/^type /, '');
  return bare.replaceAll(/[a-z]/gi, (letter) => letter.toLowerCase() + (letter < 'a' ? '0' : '1'));
}

/** Their text, in a client that imports nothing. */
export function printRuntime({ parts, exported }: Runtime): string[] {
  return parts.map(({ name, text }) => (exported.has(name) ? withWord('export', text) : text));
}

/** The text of those that are exported, in declarations. */
export function declareRuntime({ parts, exported }: Runtime): string[] {
  return parts
    .filter(({ name }) => exported.has(name))
    .map((part) => {
      const { text } = declaredOf(part);
      return withWord(part.isType ? 'export' : 'export declare', text);
    });
}

function reached(
  names: readonly string[],
  usesOf: (part: RuntimePart) => readonly number[],
): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    for (const place of usesOf(partOf(name))) open.push(allParts()[place]?.name ?? '');
  }
  return found;
}

function partOf(name: string): RuntimePart {
  allParts();
  const part = byName.get(name);
  if (part === undefined) throw new Error(`the run time of clients has no ${name}`);
  return part;
}

function declaredOf(part: RuntimePart): NonNullable<RuntimePart['declared']> {
  const declared = part.isType ? part : part.declared;
  if (declared === undefined)
    throw new Error(`declarations of clients cannot have ${part.name}, which is code`);
  return declared;
}

/** Before the declaration, behind its comment. */
function withWord(word: string, text: string): string {
  return text.replace(/^(?!\/\*| \*|\/\/)/m, `${word} `);
}
