// The script that pages of the app ask for: shows why a build or a start fails, and errors of types, and reloads the
// page after a restart. With ?reload=off, which is for pages of a frontend's dev server, it tells the page instead.
import type { LiveState } from '../protocol.js';
import { element, failureParts, openPlace, problemParts } from './failure-parts.js';
import { STYLES } from './styles.js';

type Failure = NonNullable<LiveState['failure']>;

class Overlay {
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
    sheet.replaceSync(STYLES);
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

type Problems = NonNullable<LiveState['types']>;

class TypeErrors {
  readonly #base: URL;
  readonly #host = document.createElement('fw-type-errors');
  readonly #details = document.createElement('details');
  #shown = '[]';

  /** @param base where the page about the app is */
  constructor(base: URL) {
    this.#base = base;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
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

/** What a page was answered by: one run of `fw dev`, and a version of the app in it. */
interface Version {
  readonly run: string;
  readonly generation: number;
}

/** Milliseconds before a stream that was refused is opened again. */
const PAUSE = 1000;
const mark = Symbol.for('fw.live');
const here = import.meta.url;
const streamUrl = new URL('live', here);
const mayReload = new URL(here).searchParams.get('reload') !== 'off';
const overlay = new Overlay(new URL('.', here));
const typeErrors = new TypeErrors(new URL('.', here));

let stream: EventSource | undefined;
let again: ReturnType<typeof setTimeout> | undefined;
let first: Version | undefined;

/** Hidden pages hold no connection, because browsers open only six to one host. */
function follow(): void {
  clearTimeout(again);
  stream?.close();
  stream = undefined;
  if (document.hidden) return;
  const opened = new EventSource(streamUrl);
  stream = opened;
  opened.addEventListener('state', (event) => {
    show(JSON.parse(event.data) as LiveState, event.lastEventId);
  });
  opened.addEventListener('error', () => {
    // A browser does not try again by itself after an answer that is not a stream.
    if (opened.readyState !== EventSource.CLOSED || stream !== opened) return;
    again = setTimeout(follow, PAUSE);
  });
}

function show(state: LiveState, run: string): void {
  const { generation, phase, failure, types = [] } = state;
  typeErrors.show(types);
  first ??= { run, generation };
  const isOld = run !== first.run || generation !== first.generation;
  // What fails keeps its overlay while the next attempt runs.
  if (phase === 'ready' && isOld && mayReload) location.reload();
  else if (phase === 'ready') overlay.hide();
  else if (phase === 'failed' && failure !== undefined) overlay.show(failure);
  if (phase === 'ready' && isOld && !mayReload) {
    first = { run, generation };
    dispatchEvent(new Event('fw:update'));
  }
}

// A page may ask for the script twice.
if (!(mark in window)) {
  Object.assign(window, { [mark]: true });
  document.addEventListener('visibilitychange', follow);
  addEventListener('pagehide', () => stream?.close());
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) follow();
  });
  follow();
}
