// Generated files: written only where their text changes, so that watchers have nothing to do otherwise.

/** JSON as a file holds it. */
export function documentText(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Writes a text to exactly this path, relative to the working directory; whoever reads gets one whole text. */
export async function writeDocument(path: string, text: string): Promise<void> {
  const { mkdir, readFile, rename, writeFile } = await import('node:fs/promises');
  const { dirname } = await import('node:path');
  const before = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (before === text) return;
  await mkdir(dirname(path), { recursive: true });
  const pending = `${path}.${process.pid}.tmp`;
  await writeFile(pending, text);
  await rename(pending, path);
}
