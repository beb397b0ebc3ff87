// Tracing: what is secret in requests, said by the mechanisms that read it, so that `fw dev` does not show it. Without
// a subscriber, nothing is said.
import diagnostics from 'node:diagnostics_channel';
import { isHeard, isRecorded, publishTrace } from './trace-channel.js';

/** Where a mechanism reads a secret: the message on the diagnostics channel `fw:secret`. Cookies are all secrets. */
export interface SecretPlace {
  /** A field is one of a form or of JSON, at any depth, a variable one of the environment. */
  readonly in: 'header' | 'query' | 'field' | 'variable';
  readonly name: string;
  /** Only the members of a list that begin so. */
  readonly prefix?: string;
  /** Only in addresses of that path. */
  readonly path?: string;
}

const channel = diagnostics.channel('fw:secret');

/** At registration: the mechanism reads secrets there. */
export function markSecrets(...places: readonly SecretPlace[]): void {
  if (!isHeard(channel)) return;
  for (const place of places) channel.publish(place);
}

/** While a request is handled: this value is a secret of it, wherever it stands. */
export function noteSecret(value: string): void {
  if (isRecorded()) publishTrace({ type: 'secret', value });
}
