// Writes a file only where its text changes, so that watchers of it have nothing to do otherwise.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** True where it was written. Whoever reads meanwhile gets the old text or the new one. */
export function writeChanged(file: string, text: string): boolean {
  if (textOf(file) === text) return false;
  mkdirSync(dirname(file), { recursive: true });
  const pending = `${file}.${process.pid}.tmp`;
  writeFileSync(pending, text);
  renameSync(pending, file);
  return true;
}
