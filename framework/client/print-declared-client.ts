// The client: its declarations, as `tsc` would emit them, for a client that is written as JavaScript.
import { printDeclarations } from '../wire/print/print-typescript.js';
import type { ClientTypes } from '../wire/wire-type.js';
import { declaredContract } from './client-contract.js';
import { declaredGuard, printErrors } from './client-errors.js';
import { clientKind, hasProcedures, hasSocketsAlone } from './client-kind.js';
import { clientMembers, printMembers } from './client-members.js';
import { declaredMethods } from './client-methods.js';
import { declaredRouteEnd, printRoutes } from './client-routes.js';
import { printRules } from './client-rules.js';
import { declaredSocketClasses, socketTypes } from './client-socket-types.js';
import { printSockets } from './client-sockets.js';
import { subscriptionTypes } from './client-subscribe-types.js';
import {
  batchTypes,
  declaredErrors,
  declaredJsonRpcError,
  declaredJsonRpcTail,
  jsonRpcErrorType,
  sharedTypes,
} from './client-types.js';
import {
  classComment,
  headLine,
  joined,
  type PrintClientOptions,
  printProcedures,
  sortedProcedures,
} from './print-client.js';
import { declareSocketClient } from './print-socket-client.js';

/** Sorted like the client itself. */
export function printDeclaredClient(
  types: ClientTypes,
  { mode, version }: Pick<PrintClientOptions, 'mode' | 'version'>,
): string {
  const kind = clientKind(types, mode);
  if (hasSocketsAlone(kind)) return joined([headLine(version), ...declareSocketClient(types, kind)]);
  const { isRest, hasErrors, hasSockets } = kind;
  const procedures = sortedProcedures(types);
  const methods = printMembers(clientMembers(types), declaredMethods(kind), '  ');
  return joined([
    headLine(version),
    printDeclarations(types.named),
    printErrors(procedures),
    hasProcedures(kind) ? printProcedures(procedures) : '',
    declaredContract,
    types.routes === undefined ? '' : printRoutes(types.routes),
    printSockets(types.sockets),
    sharedTypes(kind),
    kind.hasSubscriptions ? subscriptionTypes(kind) : '',
    hasSockets ? socketTypes(kind) : '',
    isRest
      ? declaredErrors(hasErrors)
      : [
          declaredErrors(false),
          jsonRpcErrorType(hasErrors),
          declaredJsonRpcError(hasErrors),
          batchTypes(kind),
        ].join('\n'),
    [
      classComment(kind),
      'export declare class FwRpcClient {',
      '  #private;',
      '  constructor(baseUrl?: string, options?: FwRpcClientOptions);',
      `${methods.join('')}${isRest ? '' : declaredJsonRpcTail}`.trimEnd(),
      '}',
    ].join('\n'),
    hasErrors ? declaredGuard(isRest ? 'FwRpcHttpError' : 'JsonRpcClientError') : '',
    kind.hasRoutes ? declaredRouteEnd : '',
    hasSockets ? declaredSocketClasses(kind) : '',
    printRules(types),
  ]);
}
