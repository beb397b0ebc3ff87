// Tracing: escapes text from clients for logs and terminals: one line, and no control characters.

/** C0, DEL, C1, the two line separators of Unicode, and characters that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the characters that are escaped.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** Those that JSON does not escape. */
const HIDDEN_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes control characters as `\x0a` or `\u202e`, so that text cannot forge a line or control a terminal. */
export function shownText(text: string): string {
  return text.replace(HIDDEN, escaped);
}

/** JSON text, with control characters as escapes of JSON. */
export function shownJson(json: string): string {
  return json.replace(HIDDEN_IN_JSON, (character) => `\\u${hexOf(character, 4)}`);
}

function escaped(character: string): string {
  return character < '\u0100' ? `\\x${hexOf(character, 2)}` : `\\u${hexOf(character, 4)}`;
}

function hexOf(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, '0');
}
