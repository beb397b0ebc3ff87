// Ends this process when all that it has printed has arrived.

/** Unlike `process.exit`, which loses what does not fit into a pipe that is read slowly: pipes are asynchronous on POSIX. */
export async function exitWhenWritten(code: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(written));
  process.exit(code);
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((settle) => {
    if (!stream.writable || stream.writableLength === 0) return settle();
    // The reader may have closed it.
    stream.once('error', () => settle());
    stream.write('', () => settle());
  });
}
