// Answers the requests for the page about the app: those that workers pass on over a pipe, and, while there is no
// worker, those that reach the supervisor itself.
import { randomBytes } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, unlinkSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { isRunning } from '../../bundle/bundle-folder.js';
import { socketFolder } from '../../files/socket-folder.js';
import type { Access } from './access.js';
import { assertOwn, Refusal } from './refusals.js';

/** An answer in JSON; undefined is 204. */
type Answer = (request: IncomingMessage, response: ServerResponse, id: number) => unknown;

/** Answers by method and path; `:id` is a number. An answer that has written the response returns `written`. */
export type Routes = Readonly<Record<string, Answer>>;

export const written: symbol = Symbol('written');

const securityFields: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
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
      assertOwn(request, path === '/_fw/mcp');
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

const PIPE_NAME = 'pipe.sock';

/** A new folder, named after this process, so that the next one removes it if this one is killed. */
export function makePipeFolder(): string {
  const prefix = `fw-page-${process.pid}-`;
  // With the characters that mkdtemp adds.
  const around = socketFolder(join(`${prefix}000000`, PIPE_NAME));
  removeLeftovers(around);
  return mkdtempSync(join(around, prefix));
}

export function pipeIn(folder: string): string {
  return join(folder, PIPE_NAME);
}

/** Nothing is removed but the pipe and the empty folder, whatever else somebody has put there. */
export function removePipeFolder(folder: string): void {
  try {
    unlinkSync(pipeIn(folder));
  } catch {
    // It was not bound, or Node has removed it when the server closed.
  }
  try {
    rmdirSync(folder);
  } catch {
    // It was removed before, or has something else in it.
  }
}

/** Removes the folders of processes that were killed. Every user can make folders of such names here. */
function removeLeftovers(around: string): void {
  for (const name of readdirSync(around)) {
    const pid = /^fw-page-(\d{1,9})-/.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const folder = join(around, name);
    if (isOwnFolder(folder)) removePipeFolder(folder);
  }
}

/** Nobody else can change what is in such a folder, or put another in its place while it is removed. */
function isOwnFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return false;
  return found.uid === process.getuid?.() && (found.mode & 0o777) === 0o700;
}

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The files by their paths; everything else is not there. */
const files: Readonly<Record<string, string>> = {
  '/_fw/': 'page/index.html',
  '/_fw/assets/page.js': 'page/page.js.gz',
  '/_fw/assets/page.css': 'page/page.css.gz',
  '/_fw/live.js': 'live/live.js.gz',
  '/_fw/error.js': 'error-page/error.js.gz',
};

/** Answers with a file; false if the path is that of none. @throws Refusal if the package does not have it */
function answerFile(path: string, request: IncomingMessage, response: ServerResponse): boolean {
  const name = Object.hasOwn(files, path) ? files[path] : undefined;
  if (name === undefined) return false;
  const bytes = readPackaged(name);
  const isGzipped = name.endsWith('.gz');
  const extension = name.replace(/\.gz$/, '').split('.').at(-1) ?? '';
  response.setHeader('content-type', contentTypes[extension] ?? 'application/octet-stream');
  response.setHeader('vary', 'Accept-Encoding');
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (isGzipped && takesGzip) response.setHeader('content-encoding', 'gzip');
  response.writeHead(200);
  response.end(isGzipped && !takesGzip ? gunzipSync(bytes) : bytes);
  return true;
}

/** In the package, this code is in a chunk beside `dev/`; from the sources, the built files are in dist/. */
function readPackaged(name: string): Buffer {
  const places = [
    `../dev/workbench/${name}`,
    `./dev/workbench/${name}`,
    `../../../dist/cli/dev/workbench/${name}`,
  ];
  for (const place of places) {
    try {
      return readFileSync(fileURLToPath(new URL(place, import.meta.url)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Refusal(404, 'NotFound', `the installation of fw is incomplete: ${name} is missing`);
}
