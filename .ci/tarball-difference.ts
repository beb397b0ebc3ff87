// What differs between two packed packages, for people: the names of the files, and the first difference of each.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { parseTar } from 'nanotar';

interface Entry {
  readonly name: string;
  readonly data: Uint8Array;
  readonly mode: string;
  readonly mtime: number;
}

/** How much of a line is shown around the first difference. */
const AROUND = 40;

/** As many differences are shown; more of them have the same cause. */
const SHOWN = 20;

/**
 * A line for each difference, of which the first are shown; empty if the bytes are the same.
 * @throws Error if the bytes are not those of a gzipped tar archive
 */
export function tarballDifferences(one: Uint8Array, other: Uint8Array): string[] {
  if (Buffer.compare(one, other) === 0) return [];
  const [left, right] = [entriesOf(one), entriesOf(other)];
  const ofRight = new Map(right.map((entry) => [entry.name, entry]));
  const ofLeft = new Set(left.map(({ name }) => name));
  const found = [
    ...left.filter(({ name }) => !ofRight.has(name)).map(({ name }) => `${name} is in the first alone`),
    ...right.filter(({ name }) => !ofLeft.has(name)).map(({ name }) => `${name} is in the second alone`),
    ...left.flatMap((entry) => {
      const counterpart = ofRight.get(entry.name);
      return counterpart === undefined ? [] : entryDifferences(entry, counterpart);
    }),
  ];
  if (found.length > SHOWN)
    return [...found.slice(0, SHOWN), `… and ${found.length - SHOWN} more differences`];
  if (found.length > 0) return found;
  const place = left.findIndex(({ name }, index) => name !== right[index]?.name);
  if (place === -1)
    return ['the files are the same, and the headers or the compression of the archive differ'];
  return [
    `the order of the files differs: ${left[place]?.name} in the first, ${right[place]?.name} in the second`,
  ];
}

function entriesOf(tarball: Uint8Array): Entry[] {
  return parseTar(gunzipSync(tarball)).map(({ name, data, attrs }) => ({
    name,
    data: data ?? new Uint8Array(),
    mode: attrs?.mode ?? '',
    mtime: attrs?.mtime ?? 0,
  }));
}

function entryDifferences(one: Entry, other: Entry): string[] {
  const found: string[] = [];
  if (one.mode !== other.mode) found.push(`${one.name} has the mode ${one.mode} and ${other.mode}`);
  if (one.mtime !== other.mtime) found.push(`${one.name} has the time ${one.mtime} and ${other.mtime}`);
  if (Buffer.compare(one.data, other.data) !== 0) found.push(contentDifference(one, other));
  return found;
}

function contentDifference(one: Entry, other: Entry): string {
  const [left, right] = [textOf(one), textOf(other)];
  if (left === right) return `${one.name} is compressed differently, and holds the same`;
  let at = 0;
  while (left[at] === right[at]) at += 1;
  const before = left.slice(0, at).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  return `${one.name} differs in ${place}:\n  ${around(left, at)}\n  ${around(right, at)}`;
}

/** Of what is compressed, the content. */
function textOf({ name, data }: Entry): string {
  const bytes = name.endsWith('.br')
    ? brotliDecompressSync(data)
    : name.endsWith('.gz')
      ? gunzipSync(data)
      : data;
  return Buffer.from(bytes).toString('utf8');
}

function around(text: string, at: number): string {
  return JSON.stringify(text.slice(Math.max(0, at - AROUND), at + AROUND));
}
