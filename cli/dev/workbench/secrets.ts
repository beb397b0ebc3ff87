// What is secret in one request: what the mechanisms of the app have said, and names that are commonly secrets.
import type { RawSecrets } from '../../process/records.js';
import { isSecretName, MASKED } from '../../process/secret-names.js';

/** A value of this length is a secret wherever it is part of a text; a shorter one may be a word. */
const TELLING = 16;

export class Secrets {
  readonly #places: RawSecrets['places'];
  readonly #values: ReadonlySet<string>;
  readonly #long: readonly string[];

  constructor({ places, values }: RawSecrets = { places: [], values: [] }) {
    this.#places = places;
    this.#values = new Set(values);
    // The longest first: one may be a part of another.
    this.#long = values.filter(({ length }) => length >= TELLING).sort((a, b) => b.length - a.length);
  }

  isHeader(name: string): boolean {
    return isSecretName(name) || this.#isMarked('header', name.toLowerCase());
  }

  /** @param path of the address that has the parameter */
  isParameter(name: string, path: string): boolean {
    return isSecretName(name) || this.#isMarked('query', name, path);
  }

  isField(name: string): boolean {
    return isSecretName(name) || this.#isMarked('field', name);
  }

  /** Whether a value is a secret, or has one in it. */
  isValue(value: string): boolean {
    return this.#values.has(value) || this.#long.some((one) => value.includes(one));
  }

  /** A text without the secrets in it. */
  hide(text: string): string {
    return this.#long.reduce((shown, one) => shown.replaceAll(one, MASKED), text);
  }

  /** The value of a header field without the members of its list that are marked. */
  hideMembers(name: string, value: string): string {
    const prefixes = this.#places.flatMap((one) =>
      one.in === 'header' && one.prefix !== undefined && one.name.toLowerCase() === name.toLowerCase()
        ? [one.prefix]
        : [],
    );
    return prefixes.reduce((shown, prefix) => {
      const member = (one: string): string => {
        const start = /^[ \t]*/.exec(one)?.[0] ?? '';
        return one.startsWith(prefix, start.length) ? start + prefix + MASKED : one;
      };
      return shown.split(',').map(member).join(',');
    }, value);
  }

  #isMarked(kind: 'header' | 'query' | 'field', name: string, path?: string): boolean {
    return this.#places.some((one) => {
      if (one.in !== kind || one.prefix !== undefined) return false;
      if (one.path !== undefined && one.path !== path) return false;
      return kind === 'header' ? one.name.toLowerCase() === name : one.name === name;
    });
  }
}

/** If no mechanism has said anything. */
export const unsaid: Secrets = new Secrets();
