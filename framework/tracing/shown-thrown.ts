// Tracing: what was thrown, as text for logs and terminals: the stack, the members and the causes. Only frames, members
// and causes are on lines of their own, and these are indented: no text from a client begins a line.
import { shownText } from './shown-text.js';
import { readThrown, type Thrown } from './thrown.js';

/** Never throws. */
export function shownThrown(thrown: unknown): string {
  return thrownLines(readThrown(thrown)).join('\n');
}

/** Each line by itself; the first one is the title. */
export function thrownLines({ name, title, frames, members, cause, errors }: Thrown): string[] {
  const lines = name === undefined ? linesOfValue(title) : [shownText(title)];
  for (const frame of frames) lines.push(`    ${shownText(frame)}`);
  for (const [member, value] of members) {
    const inner = typeof value === 'string' ? linesOfValue(value) : thrownLines(value);
    lines.push(...labelled(shownText(member), inner));
  }
  if (cause !== undefined) lines.push(...labelled('[cause]', thrownLines(cause)));
  for (const error of errors) lines.push(...labelled('[error]', thrownLines(error)));
  return lines;
}

/** The value's own code may have written it: its lines are indented, so that none looks like another event. */
function linesOfValue(text: string): string[] {
  return text.split('\n').map((line, index) => (index === 0 ? '' : '    ') + shownText(line));
}

function labelled(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === 0 ? `  ${label}: ${line}` : `  ${line}`));
}
