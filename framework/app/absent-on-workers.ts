// What bundles for Workers have in the place of the modules that cannot run there, or whose page nobody has imported: the
// condition `workerd` of `#lazy/*` in package.json. Workers are refused before; this answers bundles for them elsewhere.
import { ConfigError } from '../config-error.js';
import type { Runtime } from '../runtime/fetch-server.js';
import { notHere } from '../runtime/serving-side.js';
import { missingDirectory } from '../static/check-directory.js';
import { assertPage } from './docs/docs-entry.js';

function withoutServer(): never {
  throw new ConfigError(
    'FW_RUNTIME',
    'this bundle has no server, because it was made for Workers; write: export default app, or bundle without the condition workerd',
  );
}

export const listen: typeof import('../runtime/node/serve.js').listen = async () => withoutServer();
export const listenUntil: typeof import('../runtime/node/serve.js').listenUntil = async () => withoutServer();
export const serveUntil: typeof import('../runtime/node/serve.js').serveUntil = async () => withoutServer();
export const answerUpgrade: typeof import('../runtime/node/serve.js').answerUpgrade = withoutServer;

/** The servers of Bun and Deno. */
export async function serveOn({ name }: Pick<Runtime, 'name'>): Promise<never> {
  throw notHere(name);
}

export class FileServer {
  constructor(root: string) {
    throw missingDirectory('static files', root, 'Workers');
  }
}

export function docsRoutesOf(): void {
  assertPage('…', undefined, 'Workers');
}

/** For tools of development. */
export function describeApp(): never {
  return withoutServer();
}

/** The route of `mountMcp`. */
export const mountedMcp: typeof import('../mcp/mcp-route.js').mountedMcp = (who) => {
  throw new ConfigError(
    'FW_RUNTIME',
    `${who} is not in this bundle, because it was made for Workers; write: app.post('/mcp', mcpHandler(rpc)), with mcpHandler of fw/mcp`,
  );
};

/** The events of WebSockets. */
export class SocketContract {
  constructor() {
    withoutServer();
  }
}
