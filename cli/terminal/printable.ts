// Makes text from outside safe to print.

/** Escapes control characters but for line ends: a value from outside must not move the cursor or colour the terminal. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (char) => {
    const code = char.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`;
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences of colors begin with it
const COLORS_AND_TEXTS = /(\u001b\[[\d;]{0,20}m|\t)|[^\u001b\t]+|\u001b/g;

/** The same for a text that has colors: they stay, and tabs. */
export function printableColored(text: string): string {
  return text.replace(COLORS_AND_TEXTS, (piece, kept) => kept ?? printable(piece));
}

/** A line of a source, where tabs stay. */
export function printableSource(line: string): string {
  return line.split('\t').map(printable).join('\t');
}
