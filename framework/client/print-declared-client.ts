// The client: its declarations, as `tsc` would emit them, for a client that is written as JavaScript.
import type { ClientTypes } from '../wire/wire-type.js';
import { DECLARED_CONTRACT } from './client-contract.js';
import { declaredErrorGuard, declaredNamedErrorGuard } from './client-errors.js';
import { clientKind, hasProcedures, runtimeFunctions, sendsRequests } from './client-kind.js';
import { declaredRouteGuard } from './client-routes.js';
import { printRules } from './client-rules.js';
import {
  CLASS_TYPE,
  headLine,
  joined,
  ofClient,
  type PrintClientOptions,
  printServerTypes,
} from './print-client.js';
import { declareRuntime, printImport, runtimeOf } from './runtime-parts.js';

/** Sorted like the client itself. */
export function printDeclaredClient(
  types: ClientTypes,
  { mode, version, form }: Pick<PrintClientOptions, 'mode' | 'version' | 'form'>,
): string {
  const kind = clientKind(types, mode);
  const isImport = form === 'import';
  const ofServer = printServerTypes(types, kind, sendsRequests(kind) ? DECLARED_CONTRACT : '');
  const own = [
    ...ofClient(types, kind),
    `export declare ${CLASS_TYPE};`,
    kind.hasErrors ? declaredErrorGuard(kind.isRest) : '',
    hasProcedures(kind) ? declaredNamedErrorGuard(kind) : '',
    kind.hasRoutes ? declaredRouteGuard : '',
  ];
  const text = joined([...ofServer, ...own]);
  const runtime = runtimeOf(runtimeFunctions(kind), text);
  return joined([
    headLine(version),
    isImport ? printImport(runtime, [], text) : '',
    ...ofServer,
    ...(isImport ? [] : declareRuntime(runtime)),
    ...own,
    printRules(types),
  ]);
}
