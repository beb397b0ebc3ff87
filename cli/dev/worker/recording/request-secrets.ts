// What the mechanisms of the app have said of secrets: where they stand in general, and the values in one request.
import diagnostics from 'node:diagnostics_channel';
import type { SecretPlace } from '../../../../framework/tracing/secrets.js';
import type { RawSecrets } from '../../../process/records.js';

/** More are not kept; no mechanism of `fw` has nearly as many. */
const MOST_PLACES = 200;
const MOST_VALUES = 100;
const LONGEST_VALUE = 16 * 1024;

/** The places that are marked from now on: call it before the app runs, which marks them at registration. */
export function hearSecretPlaces(): readonly SecretPlace[] {
  const places: SecretPlace[] = [];
  const known = new Set<string>();
  diagnostics.subscribe('fw:secret', (message) => {
    const key = JSON.stringify(message);
    if (known.has(key) || places.length === MOST_PLACES) return;
    known.add(key);
    places.push(message as SecretPlace);
  });
  return places;
}

export class RequestSecrets {
  readonly #places: readonly SecretPlace[];
  readonly #values = new Set<string>();

  constructor(places: readonly SecretPlace[]) {
    this.#places = places;
  }

  note(value: string): void {
    if (value === '' || value.length > LONGEST_VALUE || this.#values.size === MOST_VALUES) return;
    this.#values.add(value);
  }

  raw(): RawSecrets | undefined {
    if (this.#places.length === 0 && this.#values.size === 0) return undefined;
    return { places: this.#places, values: [...this.#values] };
  }
}
