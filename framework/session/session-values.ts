// Sessions: the values of one session, kept as JSON and checked by the schema.
import { lostIn } from '../http/json-form.js';
import { kindOf } from '../options/shown.js';
import { synchronous } from '../promises.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';

/** The values of a session as one request sees them: those of the store, and its own changes. */
export class SessionValues {
  #stored: ReadonlyMap<string, string>;
  readonly #schema: StandardSchemaV1 | undefined;
  /** Texts that were set, and undefined for values that were removed; since the last save. */
  #changes = new Map<string, string | undefined>();
  /** What was read, by key; undefined before the first use. */
  #read: Map<string, unknown> | undefined = undefined;

  constructor(stored: ReadonlyMap<string, string>, schema: StandardSchemaV1 | undefined) {
    this.#stored = stored;
    this.#schema = schema;
  }

  get hasChanges(): boolean {
    return this.#changes.size > 0;
  }

  get(key: string): unknown {
    this.#read ??= this.#readAll();
    return this.#read.get(key);
  }

  /** @throws Error if the value has no JSON form, or its JSON form does not fit the schema. */
  set(key: string, value: unknown): void {
    if (typeof key !== 'string') throw new Error(`session.set(): the key is ${kindOf(key)}, not a string`);
    const text: string | undefined = JSON.stringify(value);
    const lost = lostIn(value, text);
    if (lost !== undefined) {
      throw new Error(
        `session.set('${key}'): ${lost.it} has no JSON form, it would be stored as {}; ${lost.remedy}`,
      );
    }
    if (text === undefined) {
      throw new Error(`session.set('${key}'): ${kindOf(value)} has no JSON form; use delete() to remove it`);
    }
    // What is read is what the store will give, not the object that the caller may still change.
    const parsed: unknown = JSON.parse(text);
    const output = this.#schema === undefined ? parsed : checked(this.#schema, key, parsed);
    this.#read ??= this.#readAll();
    this.#read.set(key, output);
    this.#changes.set(key, text);
  }

  delete(key: string): void {
    this.#read ??= this.#readAll();
    this.#read.delete(key);
    if (this.#stored.has(key)) this.#changes.set(key, undefined);
    else this.#changes.delete(key);
  }

  /** Forgets everything. */
  drop(): void {
    this.#stored = new Map();
    this.#changes.clear();
    this.#read = undefined;
  }

  /** The changes since the last call, which now count as stored, unless they are given back. */
  take(): { set: Map<string, string>; deleted: string[]; giveBack: () => void } {
    const set = new Map<string, string>();
    const deleted: string[] = [];
    const stored = new Map(this.#stored);
    for (const [key, text] of this.#changes) {
      if (text === undefined) {
        deleted.push(key);
        stored.delete(key);
      } else {
        set.set(key, text);
        stored.set(key, text);
      }
    }
    const [before, changes] = [this.#stored, this.#changes];
    this.#stored = stored;
    this.#changes = new Map();
    const giveBack = (): void => {
      // What was dropped meanwhile stays so.
      if (this.#stored !== stored) return;
      this.#stored = before;
      this.#changes = new Map([...changes, ...this.#changes]);
    };
    return { set, deleted, giveBack };
  }

  #readAll(): Map<string, unknown> {
    const values: Record<string, unknown> = Object.create(null);
    for (const [key, text] of this.#stored) values[key] = JSON.parse(text);
    return new Map(Object.entries(this.#schema === undefined ? values : fitting(this.#schema, values)));
  }
}

/** Registration tries a schema without values, which shows most that are asynchronous. */
function resultOf(schema: StandardSchemaV1, values: object): StandardSchemaV1.Result<unknown> {
  return synchronous(
    schema['~standard'].validate(values),
    'the schema of a session must be synchronous; this one is not',
  );
}

/** Keys whose stored values do not fit are left out: the schema may have changed since they were written. */
function fitting(schema: StandardSchemaV1, values: Record<string, unknown>): object {
  let result = resultOf(schema, { ...values });
  if (result.issues === undefined) return result.value as object;
  const refused = new Set(result.issues.map(({ path }) => keyAt(path)));
  const rest = Object.entries(values).filter(([key]) => !refused.has(key));
  result = resultOf(schema, Object.fromEntries(rest));
  return result.issues === undefined ? (result.value as object) : {};
}

function checked(schema: StandardSchemaV1, key: string, value: unknown): unknown {
  const result = resultOf(schema, { [key]: value });
  if (result.issues !== undefined) {
    const reasons = result.issues.map(({ message }) => message).join('; ');
    throw new Error(`session.set('${key}'): the value does not fit the schema: ${reasons}`);
  }
  const output = result.value as Record<string, unknown>;
  if (Object.hasOwn(output, key)) return output[key];
  throw new Error(`session.set('${key}'): the schema has no such key`);
}

function keyAt(path: StandardSchemaV1.Issue['path']): PropertyKey | undefined {
  const first = path?.[0];
  return typeof first === 'object' ? first.key : first;
}
