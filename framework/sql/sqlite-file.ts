// Connections: the file of a SQLite database, which only its owner can read, and why one cannot be opened.

/**
 * Opens a database in a file, which is made first if there is none, with the mode 0600: SQLite would make one that every
 * user of the machine can read. Its journals get the mode of the file. The mode of a file that exists stays.
 *
 * @throws Error with the file and the remedy if the file cannot be opened, for which drivers give neither a reason nor a
 * code.
 */
export async function opening<Opened>(path: string, open: () => Opened | Promise<Opened>): Promise<Opened> {
  if (path !== ':memory:') await makePrivate(path);
  try {
    return await open();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (!/^SQLITE_(?:CANTOPEN|READONLY)/.test(code ?? '') && !/^ConnectionFailed\b/.test(message))
      throw cause;
    const [{ stat }, { dirname, resolve }] = await Promise.all([
      import('node:fs/promises'),
      import('node:path'),
    ]);
    const [file, folder] = [resolve(path), dirname(resolve(path))];
    const kind = (of: string) =>
      stat(of).then(
        (found) => (found.isDirectory() ? 'folder' : 'file'),
        ({ code }: NodeJS.ErrnoException) => code,
      );
    const reason =
      (await kind(folder)) === 'ENOENT'
        ? `there is no folder ${folder}; create it, or name another file in the URL`
        : (await kind(file)) === 'folder'
          ? 'it is a folder; name a file in the URL'
          : 'let this user read and write it, and make files in its folder';
    throw new Error(`the database file ${file} cannot be opened: ${reason}`, { cause });
  }
}

/** What keeps the file from being made keeps the driver from opening it, which says so. */
async function makePrivate(path: string): Promise<void> {
  const { open } = await import('node:fs/promises');
  const made = await open(path, 'wx', 0o600).catch(() => undefined);
  await made?.close();
}
