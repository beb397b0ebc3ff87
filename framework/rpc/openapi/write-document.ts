// Generated files: written only where their text changes, so that watchers have nothing to do otherwise.

/** JSON as a file holds it. */
export function documentText(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Writes a text to exactly this path, relative to the working directory; whoever reads gets one whole text. */
export async function writeDocument(path: string, text: string): Promise<void> {
  const { mkdir, readFile, realpath, rename, stat, writeFile } = await import('node:fs/promises');
  const { dirname } = await import('node:path');
  const unlessMissing = (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== 'ENOENT') throw error;
  };
  const there = await stat(path).catch(unlessMissing);
  // A device or a pipe is written to: a file in its place would replace it.
  if (there !== undefined && !there.isFile()) return writeFile(path, text);
  if (there !== undefined && (await readFile(path, 'utf8')) === text) return undefined;
  await mkdir(dirname(path), { recursive: true });
  // A link stays one.
  const file = there === undefined ? path : await realpath(path);
  const pending = `${file}.${process.pid}.tmp`;
  await writeFile(pending, text);
  return rename(pending, file);
}
