// Words and commands for the shell that they are copied into: sh, and on Windows both PowerShell and cmd.
import { win32 } from 'node:path';

export function quote(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (platform === 'win32') return `"${word}"`;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

export function commandLine(words: readonly string[]): string {
  return words.map((word) => quote(word)).join(' ');
}

/** The commands that lead to a folder, none for the current one. On Windows, `cd` of cmd does not change the drive. */
export function cdTo(folder: string, platform: NodeJS.Platform = process.platform): string[] {
  if (folder === '' || folder === '.') return [];
  const drive = platform === 'win32' ? /^[a-z]:/i.exec(win32.parse(folder).root)?.[0] : undefined;
  return [`cd ${quote(folder, platform)}`, ...(drive === undefined ? [] : [drive])];
}

/** A command of a folder, on one line. PowerShell 5.1 does not know `&&`, and cmd does not know `;`. */
export function commandIn(
  folder: string,
  command: string,
  platform: NodeJS.Platform = process.platform,
): string {
  if (folder === '' || folder === '.') return command;
  if (platform === 'win32') return `${command} (in ${folder})`;
  return `cd ${quote(folder, platform)} && ${command}`;
}
