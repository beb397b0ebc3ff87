// The overlay over a page of the app: what fails, with its code and links that open the editor. In a shadow root, so
// that neither style sheet reaches the other; every text is set as text.
import type { LiveState } from '../protocol.js';
import { element, failureParts, openPlace } from './failure-parts.js';
import { styles } from './styles.js';

type Failure = NonNullable<LiveState['failure']>;

export class Overlay {
  readonly #base: URL;
  readonly #host = document.createElement('fw-error-overlay');
  readonly #root: ShadowRoot;
  #shown = '';
  #dismissed = '';
  #before: Element | null = null;

  /** @param base where the page about the app is */
  constructor(base: URL) {
    this.#base = base;
    this.#root = this.#host.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    this.#root.adoptedStyleSheets = [sheet];
  }

  show(failure: Failure): void {
    const text = JSON.stringify(failure);
    if (text === this.#shown || text === this.#dismissed) return;
    this.#dismissed = '';
    this.#shown = text;
    const isTyping = typesText(document.activeElement);
    const panel = this.#panel(failure, isTyping);
    this.#root.replaceChildren(panel);
    if (!this.#host.isConnected) this.#before = document.activeElement;
    document.documentElement.append(this.#host);
    document.addEventListener('keydown', this.#onKey, true);
    // Whoever types in the page is not interrupted.
    if (!isTyping) panel.focus({ preventScroll: true });
  }

  hide(): void {
    this.#shown = '';
    this.#dismissed = '';
    this.#remove();
  }

  #dismiss(): void {
    this.#dismissed = this.#shown;
    this.#shown = '';
    this.#remove();
  }

  #remove(): void {
    document.removeEventListener('keydown', this.#onKey, true);
    const hadFocus = document.activeElement === this.#host;
    this.#host.remove();
    if (hadFocus && this.#before instanceof HTMLElement) this.#before.focus({ preventScroll: true });
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    this.#dismiss();
  };

  #panel(failure: Failure, isTyping: boolean): HTMLElement {
    const close = element('button', 'close', '×');
    close.type = 'button';
    close.ariaLabel = 'Dismiss (Escape)';
    close.addEventListener('click', () => this.#dismiss());
    const title = element('h1', 'title', failure.title);
    title.id = 'title';
    const what = failure.keepsServing
      ? 'The last good version keeps answering.'
      : 'No version of the app answers.';
    const panel = element(
      'section',
      'panel',
      element('header', 'head', element('p', 'brand', 'fw dev'), close),
      title,
      ...failureParts(failure, (place, said) => openPlace(this.#base, place, said)),
      element('p', 'hint', `${what} This disappears as soon as the error is fixed.`),
    );
    panel.setAttribute('role', isTyping ? 'alert' : 'alertdialog');
    panel.setAttribute('aria-labelledby', 'title');
    panel.tabIndex = -1;
    return panel;
  }
}

function typesText(active: Element | null): boolean {
  if (!(active instanceof HTMLElement)) return false;
  return active.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(active.tagName);
}
