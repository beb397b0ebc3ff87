// Remembers the texts from which types were inferred, and finds out whether a file's types are still the same.
import { type Stats, statSync } from 'node:fs';
import type { Place } from '../../../framework/client-gen/compiler.js';
import { placeOf } from '../../../framework/client-gen/place-of.js';
import { textOf } from '../write-changed.js';
import { type Outline, outlineOf } from './outline.js';

interface Known {
  text: string;
  /** Missing until it is needed, undefined for code that cannot be read. */
  outline?: Outline | undefined;
}

/** Where a place is after a change; undefined for a place in a body that was replaced. */
export type Move = (place: Place) => Place | undefined;

/** How much older than the reading of a file its last change must be to be part of it, in milliseconds. */
const margin = 50;

export class KnownTexts {
  readonly #known = new Map<string, Known>();
  #withRoutes = false;

  /** The texts of files right before a compiler reads them. */
  static read(files: readonly string[]): Map<string, string | undefined> {
    return new Map(files.map((file) => [file, code.test(file) ? textOf(file) : undefined]));
  }

  /**
   * Records the files that a compiler has just read.
   *
   * @param before the texts of the changed files before that
   * @param since the time before the first file was read, in milliseconds since 1970
   */
  learn(
    own: readonly string[],
    withRoutes: boolean,
    before: ReadonlyMap<string, string | undefined>,
    since: number,
  ): void {
    if (withRoutes !== this.#withRoutes) this.#known.clear();
    this.#withRoutes = withRoutes;
    for (const file of before.keys()) this.#known.delete(file);
    for (const file of own) {
      if (this.#known.has(file)) continue;
      const stats: Stats | undefined = statSync(file, { throwIfNoEntry: false });
      const text = textOf(file);
      // A file that is written meanwhile may have been read before or after that.
      const isSettled = stats !== undefined && stats.ctimeMs < since - margin;
      if (text !== undefined && (isSettled || before.get(file) === text)) this.#known.set(file, { text });
    }
  }

  /**
   * Undefined if the types of a file may have changed. Otherwise its text is recorded.
   *
   * The syntax of the file must be checked otherwise: in broken code, types cannot be predicted.
   */
  sameTypes(file: string): Move | undefined {
    const known = this.#known.get(file);
    const text = textOf(file);
    if (known === undefined || text === undefined) return undefined;
    if (known.text === text) return (place) => place;
    if (!('outline' in known)) known.outline = outlineOf(known.text, this.#withRoutes);
    const old = known.outline;
    const outline = old && outlineOf(text, this.#withRoutes);
    if (outline === undefined || outline.text !== old?.text) return undefined;
    this.#known.set(file, { text, outline });
    return (place) => moved(place, known.text, old.bodies, text, outline.bodies);
  }
}

const code = /\.[cm]?ts$/;

function moved(
  place: Place,
  before: string,
  oldBodies: Outline['bodies'],
  after: string,
  newBodies: Outline['bodies'],
): Place | undefined {
  const lines = before.split('\n');
  const offset =
    lines.slice(0, place.line - 1).join('\n').length + (place.line > 1 ? 1 : 0) + place.column - 1;
  let shift = 0;
  for (const [index, [start, end]] of oldBodies.entries()) {
    if (start > offset) break;
    if (offset < end) return undefined;
    const [newStart = 0, newEnd = 0] = newBodies[index] ?? [];
    shift += newEnd - newStart - (end - start);
  }
  return placeOf(place.file, after, offset + shift);
}
