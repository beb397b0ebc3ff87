// The page about the app: where the text of the search stands in a request.
import type { JSX } from 'preact';
import type { FoundRequest } from '../protocol.js';

export function FoundText({ found: { places, more } }: { readonly found: FoundRequest }): JSX.Element {
  return (
    <span class="row-found">
      {places.map(({ where, before, match, after }, index) => (
        <span key={index} class="found">
          <span class="dim">{where}: </span>
          <span class="mono">
            {before}
            <mark>{match}</mark>
            {after}
          </span>
        </span>
      ))}
      {more > 0 ? (
        <span class="dim">
          and in {more} more {more === 1 ? 'place' : 'places'}
        </span>
      ) : null}
    </span>
  );
}
