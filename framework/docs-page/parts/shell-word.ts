// Text as one word of a shell, for commands that are copied and pasted into a terminal.

/**
 * All control characters but the line feed, and those that change the direction of text: a terminal acts on them
 * while they are pasted, such as on ESC, which can end the paste, whatever quotes are around them.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const escaped = new RegExp(`[\\n\\\\']|${UNPRINTABLE.source}`, 'g');

/**
 * In single quotes everything stands for itself but the quote (POSIX.1-2017, Shell Command Language, section 2.2.2).
 * With control characters, in `$'…'` (POSIX.1-2024, section 2.2.4), which bash, zsh and ksh know.
 */
export function shellWord(text: string): string {
  // No argument of a program can have NUL.
  const plain = text.replaceAll('\0', '');
  if (!UNPRINTABLE.test(plain)) return `'${plain.replaceAll("'", "'\\''")}'`;
  return `$'${plain.replace(escaped, escapeOf)}'`;
}

function escapeOf(char: string): string {
  if (char === '\\' || char === "'") return `\\${char}`;
  const code = char.charCodeAt(0);
  // Three octal digits end by themselves, also before a digit.
  return code < 0x80 ? `\\${code.toString(8).padStart(3, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
