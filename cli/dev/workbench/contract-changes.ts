// What changed in the types of procedures since the last commit.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import type { WireType, WireTypes } from '../../../framework/wire/wire-type.js';
import type { ContractChange } from './app-info.js';

/** Files that have the types, of which the first that Git knows is compared. */
export interface ContractFiles {
  /** The generated client, with the types of all procedures. */
  readonly client?: string | undefined;
  /** The contract, with those that have no schema. */
  readonly contract: string;
}

const LONGEST_WAIT = 2000;

/** Undefined without Git, or without a file that it knows. */
export async function contractChanges({
  client,
  contract,
}: ContractFiles): Promise<ContractChange[] | undefined> {
  const { readClient } = await import('../../../framework/client/read-client.js');
  const readers: [string | undefined, (text: string) => WireTypes][] = [
    [client, readClient],
    [contract, readContract],
  ];
  const { Contract } = await import('../../../framework/rpc/contract/contract.js');
  function readContract(text: string): WireTypes {
    const json = JSON.parse(text) as { procedures: Record<string, [kind: 'query']> };
    const types = new Contract(json);
    const unknown: WireType = { kind: 'unknown' };
    const procedures = Object.entries(json.procedures).map(([name, [kind]]) => [
      name,
      { kind, input: types.input(name) ?? unknown, output: types.output(name) ?? unknown },
    ]);
    return { procedures: Object.fromEntries(procedures), named: types.named };
  }
  for (const [file, read] of readers) {
    const texts = file === undefined ? undefined : await bothTexts(file);
    if (texts === undefined) continue;
    const [before, after] = [tryRead(read, texts.before), tryRead(read, texts.after)];
    if (before !== undefined && after !== undefined) return compare(before, after);
  }
  return undefined;
}

/** As it was committed, and as it is; undefined if one of them does not exist. */
async function bothTexts(file: string): Promise<{ before: string; after: string } | undefined> {
  try {
    // Git reads a path after `./` from the folder that it runs in.
    const { stdout: before } = await promisify(execFile)('git', ['show', `HEAD:./${basename(file)}`], {
      cwd: dirname(file),
      timeout: LONGEST_WAIT,
      maxBuffer: 16 * 1024 * 1024,
    });
    return { before, after: readFileSync(file, 'utf8') };
  } catch {
    // No Git, no commit, or a file that is new.
    return undefined;
  }
}

/** A file of another version of fw cannot be compared. */
function tryRead(read: (text: string) => WireTypes, text: string): WireTypes | undefined {
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

async function compare(before: WireTypes, after: WireTypes): Promise<ContractChange[]> {
  const { diffTypes } = await import('../../../framework/wire/compare/same-type.js');
  const { procedures: old } = before;
  const { procedures: now } = after;
  // The longest names first: a change in `users.list` does not belong to the procedure `users`.
  const names = Object.keys({ ...old, ...now }).toSorted((a, b) => b.length - a.length);
  const found = new Map<string, { isBreaking: boolean; lines: string[] }>();
  for (const { path, what, isBreaking } of diffTypes(before, after)) {
    const name = names.find((one) => path === one || path.startsWith(`${one}.`)) ?? path;
    const change = found.get(name) ?? { isBreaking: false, lines: [] };
    change.isBreaking ||= isBreaking;
    change.lines.push(path === name ? what : `${path.slice(name.length + 1)}: ${what}`);
    found.set(name, change);
  }
  return [...found].map(([procedure, change]) => {
    const kind = !Object.hasOwn(old, procedure)
      ? 'added'
      : Object.hasOwn(now, procedure)
        ? 'changed'
        : 'removed';
    return { procedure, kind, ...change };
  });
}
