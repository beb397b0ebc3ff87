// Answers what no route of the app matches from the frontend's dev server, through `serveSpa`.
import diagnostics from 'node:diagnostics_channel';
import http, { type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FrontendOffer, FrontendRequest } from '../../../framework/static/frontend-channel.js';

/** How long the dev server may take to start, in milliseconds. */
const startLimit = 15_000;
const retryAfter = 50;
/** Fields of one connection (RFC 9110, section 7.6.1), and those that the dev server is asked without. */
const unsent = /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|host|accept-encoding)$/;
const ownFields = /^(?:connection|keep-alive|trailer|transfer-encoding|upgrade|date)$/;
/** Statuses whose responses have no body (RFC 9110, sections 15.3.5 and 15.4.5). */
const bodiless: readonly number[] = [204, 205, 304];

/** Call it before the app runs. @param liveScript added to every page; it does not reload the page */
export function answerFromFrontend(port: number, liveScript: string): void {
  const agent = new http.Agent({ keepAlive: true });
  diagnostics.subscribe('fw:frontend', (offer) => {
    (offer as FrontendOffer).answer = async (request) => {
      const answer = await ask(port, agent, request);
      return answer === undefined ? away(port) : toResponse(answer, request.method, liveScript);
    };
  });
}

/** Undefined if the dev server does not listen. @throws Error if the client leaves, or the connection breaks */
async function ask(
  port: number,
  agent: http.Agent,
  request: FrontendRequest,
): Promise<IncomingMessage | undefined> {
  const deadline = performance.now() + startLimit;
  for (;;) {
    try {
      return await askOnce(port, agent, request);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
      if (performance.now() > deadline) return undefined;
      await delay(retryAfter, undefined, { signal: request.signal });
    }
  }
}

function askOnce(
  port: number,
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
      headers: { ...Object.fromEntries(sent), host: `127.0.0.1:${port}` },
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
  const text = `The frontend's dev server does not answer on 127.0.0.1:${port}; the terminal says why.\n`;
  return new Response(text, {
    status: 502,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
}
