// Fuzzing: values that answers had, which later requests use, so that they find what is there.
import type { Json } from '../../wire/wire-type.js';
import type { KnownValues } from './values.js';

const DEEPEST = 6;
/** Of one name, the latest. */
const MOST_VALUES = 12;
const LONGEST = 300;

export class ValuePool {
  readonly #byName = new Map<string, Json[]>();
  readonly #texts = new Set<string>();

  /** Takes the values in what was answered, or accepted. @param thing what it is about, such as `task` */
  add(value: unknown, thing = '', name = '', depth = 0): void {
    if (depth > DEEPEST) return;
    if (typeof value === 'string' || typeof value === 'number') {
      this.#keep(plain(name), value);
      if (plain(name) === 'id' && thing !== '') this.#keep(`${plain(thing)}id`, value);
    } else if (Array.isArray(value)) {
      for (const one of value.slice(0, 20)) this.add(one, thing, name, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value).slice(0, 50)) this.add(one, thing, key, depth + 1);
    }
  }

  /** Takes the values of an answer, and its tag for a later change. */
  addAnswer(data: unknown, headers: Headers, thing: string): void {
    this.add(data, thing);
    const etag = headers.get('etag');
    if (etag !== null) for (const field of ['if-match', 'if-none-match']) this.add(etag, '', field);
  }

  /** Whether this text, or the text of this number, was there. */
  has(value: unknown): boolean {
    return this.#texts.has(String(value));
  }

  /** Those that are known now. */
  texts(): ReadonlySet<string> {
    return new Set(this.#texts);
  }

  /** Whether it was the value of a field `id`, `listId` or the like. */
  isId(value: string): boolean {
    return [...this.#byName].some(
      ([key, values]) => key.endsWith('id') && values.some((one) => String(one) === value),
    );
  }

  /** Values for the fields of an operation: those of fields that are called like them, or else nearly so. */
  knownFor(thing: string): KnownValues {
    return (name) => {
      const wanted = plain(name);
      const names = wanted === 'id' ? [`${plain(thing)}id`, 'id'] : [wanted];
      for (const exact of names) {
        const values = this.#byName.get(exact);
        if (values !== undefined) return values;
      }
      return [...this.#byName].flatMap(([key, values]) => (isAlike(key, wanted) ? values : []));
    };
  }

  #keep(key: string, value: string | number): void {
    if (String(value).length > LONGEST) return;
    this.#texts.add(String(value));
    const values = (this.#byName.get(key) ?? []).filter((one) => one !== value);
    this.#byName.set(key, [...values, value].slice(-MOST_VALUES));
  }
}

/** `nextCursor` for `cursor`, and `id` for `listId`. */
function isAlike(key: string, wanted: string): boolean {
  return key.length > 1 && wanted.length > 1 && (key.endsWith(wanted) || wanted.endsWith(key));
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The texts and numbers in a value of JSON. */
export function scalarsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  return Object.values(value).flatMap((one) => scalarsIn(one, depth + 1));
}

export function isUuid(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}
