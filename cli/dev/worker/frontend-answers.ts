// Answers what no route of the app matches from the frontend's dev server, through `serveSpa`.
import diagnostics from 'node:diagnostics_channel';
import http, { type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FrontendOffer, FrontendRequest } from '../../../framework/static/frontend-channel.js';
import { FrontendFiles, type FrontendPlace } from './frontend-files.js';
import { isOwn } from './own-requests.js';

/** The field with the secret by which the dev server knows requests of `fw dev`. */
export const frontendField = 'fw-frontend';

/** How long the dev server may take to start, in milliseconds. */
const startLimit = 15_000;
const retryAfter = 50;
/** Fields of one connection (RFC 9110, section 7.6.1), and those that the dev server is asked without. */
const unsent = /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|host|accept-encoding)$/;
const ownFields = /^(?:connection|keep-alive|trailer|transfer-encoding|upgrade|date)$/;
/** Statuses whose responses have no body (RFC 9110, sections 15.3.5 and 15.4.5). */
const bodiless: readonly number[] = [204, 205, 304];

interface FrontendServer extends FrontendPlace {
  readonly port: number;
  readonly key: string;
  /** Added to every page; it does not reload the page. */
  readonly liveScript: string;
}

/** Call it before the app runs. */
export function answerFromFrontend(server: FrontendServer): void {
  const agent = new http.Agent({ keepAlive: true });
  const files = new FrontendFiles(server);
  diagnostics.subscribe('fw:frontend', (offer) => {
    (offer as FrontendOffer).answer = async (request) => {
      const refusal = files.refusal(request.target, isOfDeveloper(request));
      if (refusal !== undefined) return plain(403, refusal);
      const answer = await ask(server, agent, request);
      return answer === undefined ? away(server.port) : toResponse(answer, request.method, server.liveScript);
    };
  });
}

function isOfDeveloper({ peer, headers }: FrontendRequest): boolean {
  return isOwn({
    peer,
    hosts: headers.host === undefined ? [] : [headers.host],
    fields: Object.keys(headers),
  });
}

/** Undefined if the dev server does not listen. @throws Error if the client leaves, or the connection breaks */
async function ask(
  server: FrontendServer,
  agent: http.Agent,
  request: FrontendRequest,
): Promise<IncomingMessage | undefined> {
  const deadline = performance.now() + startLimit;
  for (;;) {
    try {
      return await askOnce(server, agent, request);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
      if (performance.now() > deadline) return undefined;
      await delay(retryAfter, undefined, { signal: request.signal });
    }
  }
}

function askOnce(
  { port, key }: FrontendServer,
  agent: http.Agent,
  { method, target, headers, signal }: FrontendRequest,
): Promise<IncomingMessage> {
  const sent = Object.entries(headers).filter(([name]) => !unsent.test(name));
  return new Promise((settle, reject) => {
    const request = http.request({
      port,
      host: '127.0.0.1',
      method,
      path: target,
      // `fw dev` has checked the Host of the client, and Vite would accept only those that it knows.
      headers: { ...Object.fromEntries(sent), host: `127.0.0.1:${port}`, [frontendField]: key },
      agent,
      signal,
    });
    request.once('response', settle);
    request.once('error', reject);
    request.end();
  });
}

async function toResponse(answer: IncomingMessage, method: string, liveScript: string): Promise<Response> {
  const status = answer.statusCode ?? 502;
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    if (ownFields.test(name) || value === undefined) continue;
    for (const one of [value].flat()) headers.append(name, one);
  }
  if (method === 'HEAD' || bodiless.includes(status)) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  if (!/^text\/html\b/i.test(headers.get('content-type') ?? '')) {
    return new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, { status, headers });
  }
  headers.delete('content-length');
  return new Response(withScript(await readText(answer), liveScript), { status, headers });
}

async function readText(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of answer.setEncoding('utf8')) text += piece;
  return text;
}

/** At the start of the head, so that it runs although a script of the page fails. */
function withScript(page: string, script: string): string {
  const at = page.search(/<head[\s>]/i);
  const after = at === -1 ? -1 : page.indexOf('>', at);
  return after === -1 ? page + script : page.slice(0, after + 1) + script + page.slice(after + 1);
}

function away(port: number): Response {
  return plain(
    502,
    `The frontend's dev server does not answer on 127.0.0.1:${port}; the terminal says why.\n`,
  );
}

function plain(status: number, text: string): Response {
  return new Response(text, {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  });
}
