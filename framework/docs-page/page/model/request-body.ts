// The page about an API: bodies that are forms.
import { plain } from './parameter-text.js';
import { isObject } from './value-path.js';

type Part = readonly [name: string, value: string | File];

/** An array repeats its name; an object inside is JSON. */
export function formParts(value: unknown): Part[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]): Part[] => {
    if (one === undefined) return [];
    const all: readonly unknown[] = Array.isArray(one) ? one : [one];
    return all.map((item) => [name, item instanceof File ? item : plain(item)]);
  });
}

/** A call of a procedure with files: its JSON, the places of the files in it, and the files. */
export function uploadParts(message: unknown): Part[] {
  const files: [pointer: string, file: File][] = [];
  const json = JSON.stringify(withoutFiles(message, '', files));
  return [
    ['json', json],
    ['files', JSON.stringify(files.map(([pointer]) => pointer))],
    ...files.map(([, file], index): Part => [String(index), file]),
  ];
}

function withoutFiles(value: unknown, pointer: string, files: [string, File][]): unknown {
  if (value instanceof File) {
    files.push([pointer, value]);
    return null;
  }
  if (Array.isArray(value)) return value.map((one, index) => withoutFiles(one, `${pointer}/${index}`, files));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const step = key.replaceAll('~', '~0').replaceAll('/', '~1');
      return [key, withoutFiles(one, `${pointer}/${step}`, files)];
    }),
  );
}
