// The client: its text, and the files that a program writes.

import { writeIfChanged } from '../files/write-file.js';
import { checkValue } from '../options/check.js';
import { matching } from '../options/rules.js';
import { VERSION } from '../version.js';
import { contractHash } from '../wire/compare/same-type.js';
import type { ClientTypes } from '../wire/wire-type.js';
import type { GenerateClientFileOptions, GenerateClientOptions } from './client-options.js';
import { type PrintClientOptions, printClient } from './print-client.js';
import { printDeclaredClient } from './print-declared-client.js';
import { printQueries } from './print-queries.js';

type Mode = PrintClientOptions['mode'];

const DEFAULT_BASE: Readonly<Record<Mode, string>> = { jsonrpc: '/rpc', rest: '/api' };

/** A client of routes and sockets alone calls the origin of the page. */
function defaultBase({ procedures, routes, sockets }: ClientTypes, mode: Mode): string {
  const isOfApp = routes !== undefined || sockets !== undefined;
  return isOfApp && Object.keys(procedures).length === 0 ? '' : DEFAULT_BASE[mode];
}

export function clientText(
  types: ClientTypes,
  mode: Mode,
  { baseUrl = defaultBase(types, mode), client: form }: GenerateClientOptions,
): string {
  return printClient(types, { mode, baseUrl, contract: contractHash(types), version: VERSION, form });
}

const PATH = matching(/./s, 'the path of a file; fw generate gives it as process.argv[2]');

/** `fw generate` sets variables: FW_BASE_URL, FW_CLIENT, and FW_DECLARATIONS, the path of a client that needs declarations. */
export async function writeClient(
  types: ClientTypes,
  mode: Mode,
  path: string,
  options: GenerateClientFileOptions,
): Promise<void> {
  checkValue('generateClientFile', 'the path', path, PATH);
  const { resolve } = await import('node:path');
  const { FW_BASE_URL, FW_CLIENT, FW_DECLARATIONS } = process.env;
  const chosen: GenerateClientFileOptions = {
    ...(FW_BASE_URL !== undefined && { baseUrl: FW_BASE_URL }),
    ...(FW_CLIENT === 'import' && { client: FW_CLIENT }),
    ...options,
  };
  const { declarations = FW_DECLARATIONS !== undefined && resolve(path) === FW_DECLARATIONS } = options;
  // Before anything is written, so that no client is written without the requested declarations.
  const declared = declarations ? declarationsPath(path) : undefined;
  const queries = options.queryOptions === true ? queriesFile(path) : undefined;
  const queriesText =
    queries === undefined ? '' : printQueries(types, { client: queries.client, version: VERSION });
  await writeIfChanged(path, clientText(types, mode, chosen));
  if (declared !== undefined)
    await writeIfChanged(
      declared,
      printDeclaredClient(types, { mode, version: VERSION, form: chosen.client }),
    );
  if (queries !== undefined) await writeIfChanged(queries.path, queriesText);
}

/** The path of the second file, and what it imports the client as. @throws Error if the client's name has none */
function queriesFile(path: string): { readonly path: string; readonly client: string } {
  const [, name, ending] = /([^/\\]*)\.(m?ts)$/.exec(path) ?? [];
  if (name === undefined || ending === undefined || name.endsWith('.d')) {
    throw new Error(`the queries of '${path}' have no name; give the client one that ends in .ts or .mts`);
  }
  return {
    path: `${path.slice(0, -ending.length - 1)}-queries.${ending}`,
    client: `./${name}.${ending.replace('ts', 'js')}`,
  };
}

/** @throws Error if the client's name has no matching name for declarations */
function declarationsPath(path: string): string {
  if (!/\.m?ts$/.test(path) || /\.d\.m?ts$/.test(path)) {
    throw new Error(
      `the declarations of '${path}' have no name; give the client one that ends in .ts or .mts`,
    );
  }
  return path.replace(/(\.m?ts)$/, '.d$1');
}
