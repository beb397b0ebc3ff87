// Answers the requests for the page about the app: those that workers pass on over a pipe, and, while there is no
// worker, those that reach the supervisor itself.
import { randomBytes } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Access } from './access.js';
import { answerFile } from './page-files.js';
import { makePipeFolder, pipeIn, removePipeFolder } from './pipe-folder.js';
import { assertOwn, Refusal } from './refusals.js';

/** An answer in JSON; undefined is 204. */
type Answer = (request: IncomingMessage, response: ServerResponse, id: number) => unknown;

/** Answers by method and path; `:id` is a number. An answer that has written the response returns `written`. */
export type Routes = Readonly<Record<string, Answer>>;

export const written: symbol = Symbol('written');

const securityFields: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

export class WorkbenchServer {
  /** Where workers reach it. */
  readonly pipe: string;
  readonly #routes: Routes;
  readonly #access: Access;
  readonly #folder: string | undefined;
  readonly #server: http.Server;
  readonly #sockets = new Set<Socket>();
  readonly #removeFolder: () => void;

  constructor(routes: Routes, access: Access) {
    this.#routes = routes;
    this.#access = access;
    this.#folder = process.platform === 'win32' ? undefined : makePipeFolder();
    this.pipe =
      this.#folder === undefined
        ? `\\\\.\\pipe\\fw-page-${process.pid}-${randomBytes(16).toString('hex')}`
        : pipeIn(this.#folder);
    this.#server = http.createServer((request, response) => void this.answer(request, response));
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#removeFolder = () => {
      if (this.#folder !== undefined) removePipeFolder(this.#folder);
    };
    process.once('exit', this.#removeFolder);
  }

  /** Resolves when workers can connect. */
  open(): Promise<void> {
    return new Promise((settle, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.pipe, () => {
        this.#server.off('error', reject);
        settle();
      });
    });
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#removeFolder();
    process.off('exit', this.#removeFolder);
  }

  /** Never rejects: a mistake here is an answer, too. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => response.destroy());
    try {
      for (const [name, value] of Object.entries(securityFields)) response.setHeader(name, value);
      const path = pathOf(request);
      assertOwn(request);
      const admission = this.#access.admit(request, path === '/_fw' ? '/_fw/' : path);
      if (admission !== undefined) response.setHeader('set-cookie', admission.cookie);
      if (admission !== undefined) return redirect(response, 303, admission.location);
      if (path === '/_fw') return redirect(response, 307, '/_fw/');
      if (request.method === 'GET' && answerFile(path, request, response)) return;
      const value = await this.#route(path, request, response);
      if (value !== written) answerJson(response, value === undefined ? 204 : 200, value);
    } catch (error) {
      answerError(response, error);
    }
  }

  async #route(path: string, request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const found = /^(.*\/)(\d{1,9})$/.exec(path);
    const name = found ? `${found[1]}:id` : path;
    const answer = this.#routes[`${request.method} ${name}`];
    if (answer !== undefined) return await answer(request, response, Number(found?.[2]));
    const allowed = Object.keys(this.#routes).flatMap((one) => {
      const [method = '', its] = one.split(' ');
      return its === name ? [method] : [];
    });
    if (allowed.length === 0) throw new Refusal(404, 'NotFound', `there is no ${path}`);
    response.setHeader('allow', allowed.join(', '));
    throw new Refusal(405, 'MethodNotAllowed', `use ${allowed.join(' or ')}`);
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.split(/[?#]/, 1);
  return path.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
}

function redirect(response: ServerResponse, status: number, location: string): void {
  response.writeHead(status, { location });
  response.end();
}

function answerError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const refusal = error instanceof Refusal ? error : undefined;
  const message = refusal?.message ?? `fw dev made a mistake, please report it: ${(error as Error).message}`;
  answerJson(response, refusal?.status ?? 500, { error: refusal?.kind ?? 'Internal', message });
}

function answerJson(response: ServerResponse, status: number, value: unknown): void {
  if (response.destroyed || response.headersSent) return;
  if (status === 204) {
    response.writeHead(204).end();
    return;
  }
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.writeHead(status);
  response.end(JSON.stringify(value));
}
