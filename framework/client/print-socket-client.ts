// The client of an App that has sockets alone: nothing of what sends requests.
import { printDeclarations } from '../wire/print/print-typescript.js';
import type { ClientTypes } from '../wire/wire-type.js';
import type { ClientKind } from './client-kind.js';
import { clientMembers, printMembers } from './client-members.js';
import { classMethods, declaredMethods } from './client-methods.js';
import { urlFunctions } from './client-routes.js';
import { ownBase } from './client-runtime.js';
import { socketClass } from './client-socket-class.js';
import { declaredSocketClasses, socketTypes } from './client-socket-types.js';
import { printSockets, socketEnd, socketMethod, socketOptions } from './client-sockets.js';
import { abortTypes } from './client-types.js';

const comment = '/** One method for each socket of the server. */';

/** The parts of the client after its first line. */
export function printSocketClient(
  types: ClientTypes,
  kind: ClientKind,
  { baseUrl }: { readonly baseUrl: string },
): string[] {
  return [
    ...typesOf(types, kind),
    [
      comment,
      'export class FwRpcClient {',
      '  readonly #baseUrl: string;',
      '  readonly #options: FwRpcClientOptions;',
      '',
      `  constructor(baseUrl = ${JSON.stringify(baseUrl)}, options: FwRpcClientOptions = {}) {`,
      '    this.#baseUrl = baseUrl;',
      '    this.#options = options;',
      '  }',
      '',
      printMembers(clientMembers(types), classMethods(kind), '  ').join('\n'),
      socketMethod(ownBase, kind).trim().replace(/^/, '  '),
      '}',
    ].join('\n'),
    urlFunctions,
    socketClass(kind) + socketEnd,
  ];
}

/** The parts of its declarations. */
export function declareSocketClient(types: ClientTypes, kind: ClientKind): string[] {
  return [
    ...typesOf(types, kind),
    [
      comment,
      'export declare class FwRpcClient {',
      '  #private;',
      '  constructor(baseUrl?: string, options?: FwRpcClientOptions);',
      printMembers(clientMembers(types), declaredMethods(kind), '  ').join('').trimEnd(),
      '}',
    ].join('\n'),
    declaredSocketClasses(kind),
  ];
}

function typesOf(types: ClientTypes, kind: ClientKind): string[] {
  return [
    printDeclarations(types.named),
    printSockets(types.sockets),
    abortTypes,
    `export interface FwRpcClientOptions {
  /** Closes every socket, for good. */
  signal?: FwRpcSignal | undefined;
${socketOptions(kind)}}`,
    socketTypes(kind),
  ];
}
