// What a server offers, by the file or the URL of a document: OpenAPI, or the `api.json` that `serveDocs` has.
import { readFile } from 'node:fs/promises';
import { Api } from '../../framework/api-model/api.js';
import type { ApiDescription } from '../../framework/rpc/api-description.js';
import { isBlockedPort } from '../process/blocked-port.js';
import { CliError } from '../terminal/errors.js';
import { reasonOf } from './fuzz-target.js';

/** How long a server may take to send the document, in milliseconds. */
const LOAD_LIMIT = 30_000;
const HELP = 'give a document of OpenAPI 3 as JSON, or the api.json of serveDocs';

/** @throws CliError if there is none, or it cannot be read as one */
export async function loadDocument(place: string): Promise<object> {
  const text = /^https?:\/\//i.test(place) ? await fetchText(place) : await readDocument(place);
  const value = parse(place, text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CliError(`${place} is not a document of an API: it is not an object of JSON`, { help: HELP });
  }
  if ('registries' in value) {
    assertOperations(value as unknown as ApiDescription, place);
    return value;
  }
  if (!('openapi' in value) || typeof value.openapi !== 'string' || !value.openapi.startsWith('3.')) {
    const found = 'swagger' in value ? `it is of Swagger ${String(value.swagger)}` : `it has no 'openapi: 3'`;
    throw new CliError(`${place} is not a document of OpenAPI 3: ${found}`, { help: HELP });
  }
  const others = { registries: [], sockets: [], socketTypes: {}, access: {}, schemes: {}, csrf: null };
  assertOperations({ ...others, document: value, hasClient: false }, place);
  return value;
}

/** @throws CliError if something in it is not of its kind, or it has nothing that can be called */
export function assertOperations(description: ApiDescription, place: string): void {
  let count: number;
  try {
    const api = new Api(description, 'http://localhost/');
    for (const operation of api.operations) api.detail(operation);
    count = api.operations.length;
  } catch (cause) {
    throw new CliError(`${place} cannot be read as a document of an API: ${reasonOf(cause)}`, {
      help: HELP,
      cause,
    });
  }
  if (count > 0) return;
  throw new CliError(`${place} has no operation that could be called`, {
    help: 'a route has a place in documents if it is described; see: fw docs described-routes',
  });
}

async function readDocument(place: string): Promise<string> {
  try {
    return await readFile(place, 'utf8');
  } catch (cause) {
    throw new CliError(`cannot read the document: ${(cause as Error).message}`, { help: HELP, cause });
  }
}

async function fetchText(url: string): Promise<string> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(LOAD_LIMIT) });
    text = await response.text();
  } catch (cause) {
    throw new CliError(`cannot load the document ${url}: ${reasonOf(cause)}`, {
      help: isBlockedPort(Number(new URL(url).port))
        ? 'start the server that has it on another port, or give a file'
        : 'start the server that has it, or give a file',
      cause,
    });
  }
  if (response.ok) return text;
  throw new CliError(`cannot load the document ${url}: it is answered ${response.status}`, {
    help: 'give the address under which the server has its document, such as http://127.0.0.1:3000/openapi.json',
  });
}

function parse(place: string, text: string): unknown {
  try {
    // Editors of Windows write the mark.
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch (cause) {
    throw new CliError(`${place} is not JSON: ${(cause as Error).message}`, { help: HELP, cause });
  }
}
