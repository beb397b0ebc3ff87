// The page about an API: its script and its style sheet, which are built from page/ and shipped gzipped.
import type { Context } from '../context/context.js';
import { negotiate } from '../http/accept-encoding.js';
import { FwResponse } from '../http/response.js';

/** Where the files are: next to the built chunks or, in a checkout, in the last build. */
const PLACES = ['../docs-page/page/', './docs-page/page/', '../../dist/framework/docs-page/page/'];

interface Asset {
  readonly zipped: Uint8Array;
  readonly etag: string;
}

const loading = new Map<string, Promise<Asset>>();

/** Rejects on a runtime without a file system. */
export async function assetResponse(ctx: Context, name: string, contentType: string): Promise<FwResponse> {
  const { zipped, etag } = await asset(name);
  if (ctx.req.header('if-none-match') === etag) {
    const unchanged = new FwResponse('', 304, undefined);
    unchanged.headers.set('ETag', etag);
    return unchanged;
  }
  const takesGzip = negotiate(ctx.req.header('accept-encoding'), ['gzip']) === 'gzip';
  const response = new FwResponse(takesGzip ? zipped : await unzipped(zipped), 200, undefined);
  if (takesGzip) response.headers.set('Content-Encoding', 'gzip');
  response.headers.set('Vary', 'Accept-Encoding');
  response.headers.set('Content-Type', contentType);
  response.headers.set('ETag', etag);
  response.headers.set('Cache-Control', 'no-cache');
  return response;
}

function asset(name: string): Promise<Asset> {
  const found = loading.get(name) ?? read(name);
  loading.set(name, found);
  return found;
}

async function read(name: string): Promise<Asset> {
  const [{ readFile }, { createHash }] = await Promise.all([
    import('node:fs/promises'),
    import('node:crypto'),
  ]);
  for (const place of PLACES) {
    try {
      const zipped = await readFile(new URL(`${place}${name}.gz`, import.meta.url));
      const hash = createHash('sha256').update(zipped).digest('base64url').slice(0, 22);
      // Weak, because it is the same for both content codings.
      return { zipped, etag: `W/"${hash}"` };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error(`the installation of fw is incomplete: ${name}.gz is missing; install fw again`);
}

/** For a client that does not accept gzip. */
async function unzipped(bytes: Uint8Array): Promise<Uint8Array> {
  const { gunzipSync } = await import('node:zlib');
  return gunzipSync(bytes);
}
