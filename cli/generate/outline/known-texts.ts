// Remembers the texts from which types were inferred, and finds out whether a file's types are still the same.
import { type Stats, statSync } from 'node:fs';
import type { Place } from '../../../framework/client-gen/compiler.js';
import { placeOf } from '../../../framework/client-gen/place-of.js';
import { textOf } from '../write-changed.js';
import { type Outline, outlineOf } from './outline.js';

interface Known {
  readonly text: string;
  /** Where its top-level statements end, if that is known: then only the one that was changed is read. */
  readonly ends: readonly number[];
  /** Of the whole file. Missing until it is needed, undefined for code that cannot be read. */
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
   * @param statementsOf the texts of the top-level statements of a file, as the compiler has read them
   */
  learn(
    own: readonly string[],
    withRoutes: boolean,
    before: ReadonlyMap<string, string | undefined>,
    since: number,
    statementsOf: (file: string) => readonly string[] | undefined = () => undefined,
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
      if (text === undefined || (!isSettled && before.get(file) !== text)) continue;
      this.#known.set(file, { text, ends: endsIn(text, statementsOf(file) ?? []) });
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
    const [start, end] = changedStatement(known, text);
    const grown = text.length - known.text.length;
    const isWhole = start === 0 && end === known.text.length;
    const old = isWhole && 'outline' in known ? known.outline : this.#outline(known.text, start, end);
    const outline = old && this.#outline(text, start, end + grown);
    if (isWhole) known.outline = old;
    if (outline === undefined || outline.text !== old?.text) return undefined;
    // Several statements may have grown.
    const ends = isWhole ? [] : known.ends.map((one) => (one <= start ? one : one + grown));
    this.#known.set(file, { text, ends, ...(isWhole && { outline }) });
    return (place) => moved(place, known.text, old.bodies, text, outline.bodies);
  }

  #outline(text: string, start: number, end: number): Outline | undefined {
    const outline = outlineOf(text.slice(start, end), this.#withRoutes);
    return outline && { ...outline, bodies: outline.bodies.map(([from, to]) => [from + start, to + start]) };
  }
}

/** Where statements end; none if the text does not begin with them. */
function endsIn(text: string, statements: readonly string[]): readonly number[] {
  let end = 0;
  const ends = statements.map((statement) => {
    end = text.startsWith(statement, end) ? end + statement.length : Number.NaN;
    return end;
  });
  return Number.isNaN(end) ? [] : ends;
}

/** Where the statement begins and ends that has the whole difference; the whole text if no single one has it. */
function changedStatement({ text, ends }: Known, now: string): readonly [start: number, end: number] {
  const most = Math.min(text.length, now.length);
  let same = 0;
  while (same < most && text[same] === now[same]) same++;
  let rest = 0;
  while (rest < most - same && text.at(-1 - rest) === now.at(-1 - rest)) rest++;
  const index = ends.findIndex((end) => end > same);
  const end = ends[index];
  return end === undefined || text.length - rest > end ? [0, text.length] : [ends[index - 1] ?? 0, end];
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
