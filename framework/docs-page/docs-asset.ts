// The documentation page: loads its viewer, RapiDoc, a file that is included in the package.

/** The location of the file: next to the built chunks or, in a checkout, where npm installed it. */
const PLACES = [
  './rapidoc-min.js.gz',
  '../docs-page/rapidoc-min.js.gz',
  '../../node_modules/rapidoc/dist/rapidoc-min.js.gz',
];

let loading: Promise<Uint8Array> | undefined;

/** The file, gzipped. @throws Error on a runtime without a file system. */
export function docsAsset(): Promise<Uint8Array> {
  loading ??= read();
  return loading;
}

async function read(): Promise<Uint8Array> {
  const { readFile } = await import('node:fs/promises');
  for (const place of PLACES) {
    try {
      return await readFile(new URL(place, import.meta.url));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error('the installation of fw is incomplete: rapidoc-min.js.gz is missing; install fw again');
}

/** For a client that does not accept gzip. */
export async function unzipped(bytes: Uint8Array): Promise<Uint8Array> {
  const { gunzipSync } = await import('node:zlib');
  return gunzipSync(bytes);
}
