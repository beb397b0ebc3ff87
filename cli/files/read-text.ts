// Text files as editors and shells write them: in UTF-8 or UTF-16, with a byte order mark or without.
import { readFileSync } from 'node:fs';

/** The text of a file without a byte order mark. PowerShell 5 writes UTF-16 by `>`. @throws Error of node:fs */
export function readText(file: string): string {
  return decodeText(readFileSync(file));
}

/** The JSON in a file, as npm and Node.js read it: with a byte order mark too. @throws SyntaxError, Error of node:fs */
export function readJson(file: string): unknown {
  return JSON.parse(readText(file));
}

function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/** TextDecoder removes the mark. Without one, text whose first character is ASCII shows what it is by its zeros. */
function encodingOf([first, second, third, fourth]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && fourth === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && third === 0)) return 'utf-16be';
  return 'utf-8';
}
