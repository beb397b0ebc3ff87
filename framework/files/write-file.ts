// Generated files: written only if their text changes, so that watchers are not triggered otherwise.

/**
 * Writes a text to this path, relative to the working directory, and creates its folders. A concurrent reader gets the
 * old text or the new text, never a part. Returns true if the file was written.
 *
 * @throws Error of node:fs
 */
export async function writeIfChanged(path: string, text: string): Promise<boolean> {
  const { mkdir, readFile, stat, writeFile } = await import('node:fs/promises');
  const { dirname } = await import('node:path');
  const there = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  // A device or a pipe is written to directly: renaming a file to its path would replace it.
  if (there !== undefined && !there.isFile()) {
    await writeFile(path, text);
    return true;
  }
  if (there !== undefined && isSame(await readFile(path, 'utf8'), text)) return false;
  // Writes to the target of a symbolic link, so that the link is kept.
  const file = await linkTarget(path);
  await mkdir(dirname(file), { recursive: true });
  await replace(file, text);
  return true;
}

/** The file that a link leads to, which need not exist; the path itself if it is not a link. */
async function linkTarget(path: string): Promise<string> {
  const { readlink, realpath } = await import('node:fs/promises');
  const { dirname, resolve } = await import('node:path');
  let file = path;
  // A loop of links never comes here: `stat` fails with ELOOP.
  for (;;) {
    const target = await readlink(file).catch((error: NodeJS.ErrnoException) => {
      // EINVAL: it is not a link. UNKNOWN is what Windows says of that on some disks.
      if (!['ENOENT', 'EINVAL', 'UNKNOWN'].includes(error.code ?? '')) throw error;
    });
    if (target === undefined) return file;
    // The target is relative to the real folder of the link.
    file = resolve(await realpath(dirname(file)), target);
  }
}

/** Git may have checked the file out with other line ends, and an editor may have added a byte order mark. */
function isSame(present: string, text: string): boolean {
  return present === text || present.replace(/^\ufeff/, '').replaceAll('\r\n', '\n') === text;
}

async function replace(file: string, text: string): Promise<void> {
  const { rename, rm, writeFile } = await import('node:fs/promises');
  const { retryBusy } = await import('./retry-busy.js');
  const pending = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(pending, text);
    await retryBusy(() => rename(pending, file));
  } finally {
    await retryBusy(() => rm(pending, { force: true }));
  }
}
