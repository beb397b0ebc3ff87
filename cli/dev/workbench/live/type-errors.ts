// The errors of types at the edge of a page: they stop neither the app nor whoever works with the page.
import type { LiveState } from '../protocol.js';
import { element } from './element.js';
import { problemParts } from './failure-parts.js';
import { openPlace } from './open-place.js';
import { styles } from './styles.js';

type Problems = NonNullable<LiveState['types']>;

export class TypeErrors {
  readonly #base: URL;
  readonly #host = document.createElement('fw-type-errors');
  readonly #details = document.createElement('details');
  #shown = '[]';

  /** @param base where the page about the app is */
  constructor(base: URL) {
    this.#base = base;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    const root = this.#host.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    this.#details.className = 'types';
    root.append(this.#details);
    this.#host.className = 'edge';
  }

  /** Without problems, nothing is shown. */
  show(problems: Problems): void {
    const text = JSON.stringify(problems);
    if (text === this.#shown) return;
    this.#shown = text;
    if (problems.length === 0) {
      this.#host.remove();
      this.#details.open = false;
      return;
    }
    const title = problems.length === 1 ? '1 type error' : `${problems.length} type errors`;
    const summary = element('summary', 'summary', title);
    summary.setAttribute('role', 'status');
    this.#details.replaceChildren(
      summary,
      element('div', 'list', ...problemParts(problems, (place, said) => openPlace(this.#base, place, said))),
    );
    document.documentElement.append(this.#host);
  }
}
