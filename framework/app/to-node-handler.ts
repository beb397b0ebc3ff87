// Node: an App as a plain `(req, res)` listener, for Vite, Express, supertest or any `node:http` server.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeRequestSource } from '../runtime/node/incoming.js';
import { send } from '../runtime/node/send.js';
import type { AppServing } from './serving.js';

/**
 * Makes a listener for `http.createServer`, `express().use` or Vite's `middlewares.use`. It answers every request,
 * so middleware that is registered after it does not run.
 */
export function toNodeHandler(app: AppServing): (req: IncomingMessage, res: ServerResponse) => void {
  const handle = app.handler();
  return function fwHandler(req, res) {
    const source = new NodeRequestSource(req, res);
    handle(source, (response) => {
      // Another Node middleware, such as a timeout, may have answered in the meantime.
      if (!res.headersSent) send(response, res, source);
      else response.discard();
    });
  };
}
