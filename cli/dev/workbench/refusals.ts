// Which requests for the page about the app are refused: nothing that another site has sent is answered.
import type { IncomingMessage } from 'node:http';
import { SCHEME_FIELD } from '../worker/workbench-proxy.js';

/** An answer that is an error. */
export class Refusal extends Error {
  readonly status: number;
  /** A word for programs. */
  readonly kind: string;

  constructor(status: number, kind: string, message: string) {
    super(message);
    this.status = status;
    this.kind = kind;
  }
}

/**
 * @param takesPrograms whether others than browsers may post, which send no Origin; browsers always send it with a POST
 * @throws Refusal for a request of another site
 */
export function assertOwn({ method, headers }: IncomingMessage, takesPrograms = false): void {
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site') {
    throw new Refusal(403, 'Forbidden', 'other sites cannot use this page; open it from the address bar');
  }
  const own = `${headers[SCHEME_FIELD] === 'https' ? 'https' : 'http'}://${headers.host ?? ''}`;
  const { origin } = headers;
  if (origin !== undefined && origin.toLowerCase() !== own.toLowerCase()) {
    throw new Refusal(403, 'Forbidden', `the origin is not ${own}: other sites cannot use this page`);
  }
  if (method === 'GET' || method === 'HEAD') return;
  if (origin === undefined && !takesPrograms)
    throw new Refusal(403, 'Forbidden', 'the field Origin is missing');
  if (!/^application\/json(?:[ \t]*;|$)/i.test(headers['content-type'] ?? '')) {
    throw new Refusal(415, 'UnsupportedMediaType', "send 'Content-Type: application/json'");
  }
}

const LONGEST_BODY = 1024 * 1024;

/** The JSON of a request. @throws Refusal if it is too large, or not JSON */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const text = await readText(request);
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'BadRequest', 'the body is not JSON');
  }
}

/** What is too long is read to its end all the same: a connection that is closed before loses the answer. */
export function readText(request: IncomingMessage): Promise<string> {
  return new Promise((settle, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= LONGEST_BODY) chunks.push(chunk);
      else chunks = [];
    });
    request.once('end', () => {
      if (size <= LONGEST_BODY) settle(Buffer.concat(chunks).toString());
      else reject(new Refusal(413, 'TooLarge', `a body has ${LONGEST_BODY} bytes at most`));
    });
    request.once('close', () => reject(new Refusal(400, 'BadRequest', 'the body broke off')));
  });
}
