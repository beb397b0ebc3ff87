// Quotes words for commands that are copied into a shell.

export function quote(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (platform === 'win32') return `"${word}"`;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

export function commandLine(words: readonly string[]): string {
  return words.map((word) => quote(word)).join(' ');
}
