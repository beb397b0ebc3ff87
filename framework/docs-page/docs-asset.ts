// The page about an API: its script and its style sheet, which are built from page/ and shipped gzipped, in a module.
import type { Context } from '../context/context.js';
import { negotiate } from '../http/accept-encoding.js';
import { FwResponse } from '../http/response.js';

/** The files of the page, as the build of fw has made them. */
type PageFile = keyof typeof import('#docs-page-files');

/** Answers with a file of the page. It is a module, so that bundles of an app have it too. */
export async function assetResponse(ctx: Context, name: PageFile, contentType: string): Promise<FwResponse> {
  const { [name]: file } = await import('#docs-page-files');
  const { etag } = file;
  if (ctx.req.header('if-none-match') === etag) {
    const unchanged = new FwResponse('', 304, undefined);
    unchanged.headers.set('ETag', etag);
    return unchanged;
  }
  const zipped = Buffer.from(file.gzip, 'base64');
  const takesGzip = negotiate(ctx.req.header('accept-encoding'), ['gzip']) === 'gzip';
  const response = new FwResponse(takesGzip ? zipped : await unzipped(zipped), 200, undefined);
  if (takesGzip) response.headers.set('Content-Encoding', 'gzip');
  response.headers.set('Vary', 'Accept-Encoding');
  response.headers.set('Content-Type', contentType);
  response.headers.set('ETag', etag);
  response.headers.set('Cache-Control', 'no-cache');
  return response;
}

/** For a client that does not accept gzip. */
async function unzipped(bytes: Uint8Array): Promise<Uint8Array> {
  const { gunzipSync } = await import('node:zlib');
  return gunzipSync(bytes);
}
