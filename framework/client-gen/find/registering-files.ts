// Inference: finds out from the text of files which of them register something; other files need not be parsed.
import type { AbsolutePath } from '../../files/absolute-path.js';
import { mayRegisterProcedure } from './find-registrations.js';
import { mayRegisterRoute } from './find-routes.js';
import { mayRegisterSocket } from './find-sockets.js';

/** Routes are inferred only for an app that makes a document or a client of them. */
const DESCRIBES_ROUTES = /\b(?:openApiFromApp|clientFromApp)\b/;

/**
 * Whether a change of a file with this text can change what is registered.
 *
 * @param withRoutes whether routes are inferred so far
 */
export function mayRegister(text: string, withRoutes: boolean): boolean {
  if (mayRegisterProcedure(text) || mayRegisterSocket(text)) return true;
  return withRoutes ? mayRegisterRoute(text) : DESCRIBES_ROUTES.test(text);
}

export interface RegisteringFiles {
  /** The files that may register something that is inferred. */
  readonly files: readonly AbsolutePath[];
  readonly withRoutes: boolean;
}

/** @param texts the app's own files without tests, with their texts */
export function registeringFiles(
  texts: Iterable<readonly [file: AbsolutePath, text: string]>,
): RegisteringFiles {
  const always = new Set<AbsolutePath>();
  const routes: AbsolutePath[] = [];
  let withRoutes = false;
  for (const [file, text] of texts) {
    if (mayRegisterProcedure(text) || mayRegisterSocket(text)) always.add(file);
    if (mayRegisterRoute(text)) routes.push(file);
    withRoutes ||= DESCRIBES_ROUTES.test(text);
  }
  const files = new Set([...always, ...(withRoutes ? routes : [])]);
  return { files: [...files], withRoutes };
}
