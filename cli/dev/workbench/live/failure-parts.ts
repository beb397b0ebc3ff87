// The parts of the overlay that show one failure: its problems with their code, or the error with its stack.
import type { CodeFrame, LiveState, ShownError, SourcePlace } from '../protocol.js';

type Failure = NonNullable<LiveState['failure']>;

/** Opens a place in the editor; what goes wrong is said in the element. */
export type OpenPlace = (place: SourcePlace, said: HTMLElement) => Promise<void>;

const MOST_PROBLEMS = 5;
const MOST_FRAMES = 12;

export function failureParts({ problems, error }: Failure, open: OpenPlace): HTMLElement[] {
  const parts = problemParts(problems, open);
  return error === undefined ? parts : [...parts, errorPart(error, open)];
}

export function problemParts(problems: Failure['problems'], open: OpenPlace): HTMLElement[] {
  const parts = problems
    .slice(0, MOST_PROBLEMS)
    .map(({ text, code, notes = [] }) =>
      element(
        'div',
        'problem',
        element('p', 'message', text),
        ...(code === undefined ? [] : [codePart(code, open)]),
        ...notes.map((note) => element('p', 'note', note)),
      ),
    );
  if (problems.length > MOST_PROBLEMS) {
    parts.push(element('p', 'note', `and ${problems.length - MOST_PROBLEMS} more`));
  }
  return parts;
}

/** Its message if it has one, its code, its own frames, and its properties or all that there is to tell. */
export function errorParts(error: ShownError, open: OpenPlace): HTMLElement[] {
  const { title, code, frames, folded, details, facts } = error;
  const shown = error.causes === undefined && facts === undefined ? details : (facts ?? '');
  const lines = frames.slice(0, MOST_FRAMES).map(({ text, place }) => {
    const line = element('li', 'frame', place === undefined ? text : link(place, text, open));
    return line;
  });
  if (folded !== undefined) lines.push(element('li', 'frame', folded));
  return [
    ...(title === '' ? [] : [element('p', 'message', title)]),
    ...(code === undefined ? [] : [codePart(code, open)]),
    ...(lines.length > 0 ? [element('ul', 'frames', ...lines)] : []),
    ...(shown === '' ? [] : [element('pre', 'details', shown)]),
    ...(error.docs === undefined ? [] : [docsPart(error.docs)]),
  ];
}

/** Leads to the page about the error, in the page about the app. */
function docsPart(page: string): HTMLElement {
  const code = page.replace(/^errors\//, '');
  const there = element('a', 'docs', `What ${code} means, and its fix`);
  there.href = `/_fw/#/docs/${page}`;
  return element('p', 'docs-line', there, element('span', 'soft', ` or: fw docs ${code}`));
}

function errorPart(error: ShownError, open: OpenPlace): HTMLElement {
  const { facts: _, causes: __, ...whole } = error;
  return element('div', 'problem', ...errorParts(whole, open));
}

function codePart({ place, first, lines, length }: CodeFrame, open: OpenPlace): HTMLElement {
  const width = String(first + lines.length - 1).length;
  const rows = lines.map((text, index) => {
    const number = first + index;
    const isHere = number === place.line;
    const gutter = element('span', 'gutter', `${String(number).padStart(width)} `);
    const start = place.column - 1;
    const code = isHere
      ? [
          text.slice(0, start),
          element('mark', 'mark', text.slice(start, start + length) || ' '),
          text.slice(start + length),
        ]
      : [text];
    return element('div', isHere ? 'row here' : 'row', gutter, ...code);
  });
  const name = `${place.file}:${place.line}:${place.column}`;
  const shown = element('pre', 'lines', ...rows);
  // Long lines are scrolled, by the keyboard too.
  shown.tabIndex = 0;
  shown.setAttribute('role', 'region');
  shown.setAttribute('aria-label', `Code of ${name}`);
  return element('div', 'code', link(place, name, open), shown);
}

/** A button, because it leads nowhere in the browser. */
function link(place: SourcePlace, text: string, open: OpenPlace): HTMLElement {
  const button = element('button', 'place', text);
  button.type = 'button';
  button.title = 'Open in the editor';
  const said = element('span', 'said');
  said.setAttribute('role', 'status');
  button.addEventListener('click', () => void open(place, said));
  return element('span', 'link', button, said);
}

/** A text is always a text. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...children);
  return made;
}

/** @param base where the page about the app is; what goes wrong is said in the element */
export async function openPlace(base: URL, place: SourcePlace, said: HTMLElement): Promise<void> {
  said.textContent = '';
  try {
    const answer = await fetch(new URL('open', base), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(place),
    });
    if (!answer.ok) said.textContent = ((await answer.json()) as { message: string }).message;
  } catch {
    said.textContent = 'fw dev does not answer';
  }
}
