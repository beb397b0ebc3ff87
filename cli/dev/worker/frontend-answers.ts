// Answers what no route of the app matches from the frontend's dev server, through `serveSpa`.
import diagnostics from 'node:diagnostics_channel';
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FrontendOffer, FrontendRequest } from '../../../framework/static/frontend-channel.js';
import { FRONTEND_FIELD } from '../../process/messages.js';
import { isOwn } from './own-requests.js';

/** How long the dev server may take to start, in milliseconds. */
const START_LIMIT = 15_000;
const RETRY_AFTER = 50;
/** Fields of one connection (RFC 9110, section 7.6.1), and those that the dev server is asked without. */
const UNSENT = /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|host|accept-encoding)$/;
const OWN_FIELDS = /^(?:connection|keep-alive|trailer|transfer-encoding|upgrade|date)$/;
/** Statuses whose responses have no body (RFC 9110, sections 15.3.5 and 15.4.5). */
const bodiless: readonly number[] = [204, 205, 304];

interface FrontendServer extends FrontendPlace {
  readonly port: number;
  readonly key: string;
  /** Added to every page; it does not reload the page. */
  readonly liveScript: string;
}

/** Call it before the app runs. @param onAnswer called in the context of each request that is answered */
export function answerFromFrontend(
  server: FrontendServer,
  onAnswer: (target: string) => void = () => {},
): void {
  const agent = new http.Agent({ keepAlive: true });
  const files = new FrontendFiles(server);
  diagnostics.subscribe('fw:frontend', (offer) => {
    (offer as FrontendOffer).answer = async (request) => {
      onAnswer(request.target);
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
  const deadline = performance.now() + START_LIMIT;
  for (;;) {
    try {
      return await askOnce(server, agent, request);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
      if (performance.now() > deadline) return undefined;
      await delay(RETRY_AFTER, undefined, { signal: request.signal });
    }
  }
}

function askOnce(
  { port, key }: FrontendServer,
  agent: http.Agent,
  { method, target, headers, signal }: FrontendRequest,
): Promise<IncomingMessage> {
  const sent = Object.entries(headers).filter(([name]) => !UNSENT.test(name));
  return new Promise((settle, reject) => {
    const request = http.request({
      port,
      host: '127.0.0.1',
      method,
      path: target,
      // `fw dev` has checked the Host of the client, and Vite would accept only those that it knows.
      headers: { ...Object.fromEntries(sent), host: `127.0.0.1:${port}`, [FRONTEND_FIELD]: key },
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
    if (OWN_FIELDS.test(name) || value === undefined) continue;
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

/** What the frontend may read, as absolute paths. */
interface FrontendPlace {
  /** Of the app. */
  readonly root: string;
  /** With Vite's configuration. */
  readonly folder: string;
  /** Files and folders of the app that the frontend imports. */
  readonly allowed: readonly string[];
}

/** Programs of Vite and its plugins that open an editor; `connect` compares without case. */
const EDITOR = /\/(?:__|@)[^/]*(?:open-?in-?editor|launch-?editor)/i;
/** Never of use to a page. */
const SECRET_FILE = /(?:^|\/)(?:\.env(?:\..*)?|\.git|\.fw|fw\.toml)(?:\/|$)/i;
/** Not either, unless somebody has put it into `public/`. */
const PRIVATE_FILE = /\.(?:pem|key|crt|p12|db|sqlite3?)(?:-[a-z]+)?$/i;
/** Those that Vite tries for a path without one. */
const extensions = ['', '.mjs', '.js', '.mts', '.ts', '.jsx', '.tsx', '.json'];
/** How long the list of linked packages is kept, in milliseconds. */
const LINKS_LIFE = 5000;

export class FrontendFiles {
  readonly #root: string;
  readonly #folder: string;
  readonly #allowed: readonly string[];
  #linked: { readonly folders: readonly string[]; readonly until: number } | undefined;

  constructor({ root, folder, allowed }: FrontendPlace) {
    this.#root = real(root) ?? root;
    this.#folder = real(folder) ?? folder;
    this.#allowed = allowed.map((path) => real(path) ?? path);
  }

  /** Why Vite does not get a request, or undefined. @param isOwn whether the developer has sent it */
  refusal(target: string, isOwn: boolean): string | undefined {
    const [path = ''] = target.split('?', 1);
    const texts = spellings(path);
    if (texts === undefined) return 'This is not a path of the frontend.\n';
    if (texts.some((text) => EDITOR.test(text)))
      return 'fw dev opens no editor here: places in its own page and overlay do.\n';
    if (!isOwn && texts.some((text) => this.#isTool(text)))
      return 'Tools of the dev server are for its developer, at localhost.\n';
    if (texts.some((text) => this.#leadsOut(text))) return FOREIGN_FILE;
    return undefined;
  }

  /** Plugins of Vite have their pages and programs below names such as `/__inspect/`. */
  #isTool(text: string): boolean {
    return /^(?!.*\/@(?:fs|id)\/).*\/__/.test(text) && !existsSync(join(this.#folder, text));
  }

  /** Whether a text leads to a file that is not the frontend's, read as a path below its folder or of the machine. */
  #leadsOut(text: string): boolean {
    const below = [join(this.#folder, text), join(this.#folder, posix.normalize(`/${text}`))];
    const named = [...below, ...namedPaths(text)].map(trimmed);
    if (named.some((path) => this.#isOfBackend(path))) return true;
    // A page may be called as a folder of the machine is, such as `/app` in a container: only files count.
    return [...named, trimmed(machinePath(text))].some((path) =>
      extensions.some((extension) => this.#isForeignFile(path + extension)),
    );
  }

  #isOfBackend(path: string): boolean {
    return isWithin(this.#root, path) && !this.#isOfFrontend(path);
  }

  #isForeignFile(path: string): boolean {
    const found = real(path);
    if (found === undefined || statSync(found, { throwIfNoEntry: false })?.isFile() !== true) return false;
    return this.#isSecret(found) || !this.#isOfFrontend(found);
  }

  #isSecret(path: string): boolean {
    const name = slashed(isWithin(this.#root, path) ? relative(this.#root, path) : basename(path));
    return SECRET_FILE.test(name) || (PRIVATE_FILE.test(name) && !/(?:^|\/)public\//.test(name));
  }

  #isOfFrontend(path: string): boolean {
    if ([this.#folder, ...this.#allowed].some((folder) => isWithin(folder, path))) return true;
    const inside = isWithin(this.#root, path) ? relative(this.#root, path) : path;
    if (/(?:^|\/)node_modules\//.test(slashed(inside))) return true;
    return this.#linkedPackages().some((folder) => isWithin(folder, path));
  }

  /** Packages of a workspace, which are links in `node_modules`, but not the app itself. */
  #linkedPackages(): readonly string[] {
    if (this.#linked === undefined || this.#linked.until < performance.now()) {
      const folders = ancestors(this.#folder)
        .flatMap((folder) => linksIn(join(folder, 'node_modules')))
        .filter((folder) => !isWithin(folder, this.#root) && !isWithin(folder, this.#folder));
      this.#linked = { folders, until: performance.now() + LINKS_LIFE };
    }
    return this.#linked.folders;
  }
}

const FOREIGN_FILE =
  'fw dev serves no file of the backend. If the frontend imports it, name it in fw.toml: [dev] frontend_allow = ["src/shared"]\n';

/** What a path may be read as: decoded up to twice, cut where Vite cuts. Undefined if it is not a path. */
function spellings(path: string): readonly string[] | undefined {
  // Browsers send neither.
  if (!path.startsWith('/') || /[#\\]/.test(path)) return undefined;
  const found = new Set([path]);
  try {
    const once = decodeURIComponent(path);
    found.add(once);
    if (/%[0-9a-f]{2}/i.test(once)) found.add(decodeURIComponent(once));
  } catch {
    // A `%` that was encoded, or one that is none: Vite refuses the latter.
  }
  for (const text of [...found]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: file systems end a name there
    const [cut = ''] = text.split(/[?#\u0000]/, 1);
    found.add(cut);
    found.add(cut.replaceAll('\\', '/'));
  }
  return [...found];
}

/** The paths of the machine that a text names: what follows each `/@fs/` and `/@id/`. */
function namedPaths(text: string): readonly string[] {
  return [...text.matchAll(/\/@(?:fs|id)(?=\/)/g)].map(({ index, 0: prefix }) =>
    machinePath(text.slice(index + prefix.length)),
  );
}

function machinePath(text: string): string {
  const path = text.replace(/^\/+(?:__x00__)?\/*/, '/');
  // A drive of Windows.
  return sep === '\\' && /^\/[a-z]:/i.test(path) ? path.slice(1) : path;
}

function trimmed(path: string): string {
  return resolve(path.replace(/(?<=[^/\\])[/\\]+$/, ''));
}

/** The path as the file system has it, also in case. */
function real(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

function ancestors(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestors(above)];
}

function linksIn(folder: string): string[] {
  const names = namesIn(folder).flatMap((name) =>
    name.startsWith('@') ? namesIn(join(folder, name)).map((inner) => join(name, inner)) : [name],
  );
  return names.flatMap((name) => {
    const path = join(folder, name);
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return (isLink && real(path)) || [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
