// Messages: how deeply JSON of a client is nested. A parser takes any depth, but whatever walks through the value later,
// `JSON.stringify` included, overflows the stack.
import { isLiteral } from './json-form.js';

/** The deepest nesting of JSON from a client. */
const DEEPEST_JSON = 1000;

const QUOTE = 34;
const BACKSLASH = 92;
/** `[` and `{` differ in this bit alone, and so do `]` and `}`. */
const SHAPE = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const SHORT_TEXT = 32;

/** Whether a text of JSON is nested more deeply than that. Nearly all are too short for it, or have too few containers. */
export function isDeepJson(text: string): boolean {
  return text.length > 2 * DEEPEST_JSON && hasManyContainers(text) && nestsDeeply(text);
}

/** Counted by `indexOf`, which costs less than a look at every character. */
function hasManyContainers(text: string): boolean {
  const lists = countTo(DEEPEST_JSON + 1, '[', text);
  // The shortest level of objects, as in `{"":0}`, has five characters, and that of lists two.
  if (lists + (text.length - 2 * lists) / 5 <= DEEPEST_JSON) return false;
  return lists + countTo(DEEPEST_JSON + 1 - lists, '{', text) > DEEPEST_JSON;
}

/** How often the character is in the text, at most so often. */
function countTo(most: number, character: string, text: string): number {
  let count = 0;
  for (let i = text.indexOf(character); i !== -1 && count < most; i = text.indexOf(character, i + 1)) {
    count += 1;
  }
  return count;
}

function nestsDeeply(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfText(text, i);
    else {
      const shape = code | SHAPE;
      if (shape === CLOSE) depth -= 1;
      else if (shape === OPEN && ++depth > DEEPEST_JSON) return true;
    }
  }
  return false;
}

/** Where the text that begins at the index ends: `indexOf` is faster, but not for the short texts that most are. */
function endOfText(json: string, start: number): number {
  let i = start + 1;
  for (const short = Math.min(i + SHORT_TEXT, json.length); i < short; i += 1) {
    const code = json.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i += 1;
  }
  for (;;) {
    const quote = json.indexOf('"', i);
    if (quote === -1) return json.length;
    if (!isEscaped(json, quote, i)) return quote;
    i = quote + 1;
  }
}

/** Whether the backslashes before the quote, of which those before `from` are read, escape it. */
function isEscaped(json: string, quote: number, from: number): boolean {
  let i = quote;
  while (i > from && json.charCodeAt(i - 1) === BACKSLASH) i -= 1;
  return (quote - i) % 2 === 1;
}

/** The same of a value, each part of which is looked at once: there are cycles in what was never a text. */
export function isDeepValue(value: unknown): boolean {
  const seen = new Set<object>();
  const isNew = (one: unknown): one is object => {
    if (typeof one !== 'object' || one === null || seen.has(one)) return false;
    seen.add(one);
    return Array.isArray(one) || isLiteral(one);
  };
  let level = [value].filter(isNew);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > DEEPEST_JSON) return true;
    level = level.flatMap((one) => Object.values(one).filter(isNew));
  }
  return false;
}
