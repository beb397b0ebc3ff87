// Node: an App as a plain `(req, res)` listener, for Vite, Express, supertest and servers of one's own.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppServing } from '../app-serving.js';
import { readChunks } from '../streaming/chunks.js';
import { NodeRequestSource } from './incoming.js';
import { send } from './send.js';

/** A listener for `http.createServer`, `express().use` or Vite's `middlewares.use`. It answers every request. */
export function toNodeHandler(app: AppServing): (req: IncomingMessage, res: ServerResponse) => void {
  const handle = app.handler();
  return function fwHandler(req, res) {
    const source = new NodeRequestSource(req, res);
    handle(source, (response) => {
      // Another middleware, such as a timeout, may have answered meanwhile.
      if (!res.headersSent) send(response, res, source);
      else if (response.isStream) readChunks(response.content as AsyncIterable<Uint8Array | string>).end();
    });
  };
}
