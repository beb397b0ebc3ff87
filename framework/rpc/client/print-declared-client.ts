// The client: its declarations, as `tsc` would emit them, for a client that is written as JavaScript.
import { printDeclarations } from '../types/print-typescript.js';
import type { WireTypes } from '../types/wire-type.js';
import { declaredContract } from './client-contract.js';
import { declaredGuard, printErrors } from './client-errors.js';
import { clientMembers, isTop, type MemberPrinter, printMembers } from './client-members.js';
import { printRules } from './client-rules.js';
import {
  batchTypes,
  declaredErrors,
  declaredJsonRpcError,
  declaredJsonRpcTail,
  jsonRpcErrorType,
  sharedTypes,
} from './client-types.js';
import { memberName } from './member-name.js';
import {
  clientKind,
  headLine,
  joined,
  type PrintClientOptions,
  printNotes,
  printProcedures,
  printSignature,
  sortedProcedures,
} from './print-client.js';

/** As `tsc` emits them: the methods of a group are properties. */
const declaredMethods: MemberPrinter = {
  method(member, [, procedure], indent) {
    const comment = printNotes(procedure, indent);
    const name = `${indent}${memberName(member)}`;
    return isTop(indent)
      ? `${comment}${name}${printSignature(procedure, indent)};\n`
      : `${comment}${name}: ${printSignature(procedure, indent, ' => ')};\n`;
  },
  openGroup: (member, indent) => `${indent}${isTop(indent) ? 'readonly ' : ''}${member}: {\n`,
  closeGroup: (indent) => `${indent}};\n`,
};

/** Sorted like the client itself. */
export function printDeclaredClient(
  types: WireTypes,
  { mode, version }: Pick<PrintClientOptions, 'mode' | 'version'>,
): string {
  const { isRest, hasErrors } = clientKind(types, mode);
  const procedures = sortedProcedures(types);
  const methods = printMembers(clientMembers(procedures), declaredMethods, '  ');
  return joined([
    headLine(version),
    printDeclarations(types.named),
    printErrors(procedures),
    printProcedures(procedures),
    declaredContract,
    sharedTypes(hasErrors),
    isRest
      ? declaredErrors(hasErrors)
      : [
          declaredErrors(false),
          jsonRpcErrorType(hasErrors),
          declaredJsonRpcError(hasErrors),
          batchTypes(hasErrors),
        ].join('\n'),
    [
      '/** One method for each procedure of the server. */',
      'export declare class FwRpcClient {',
      '  #private;',
      '  constructor(baseUrl?: string, options?: FwRpcClientOptions);',
      `${methods.join('')}${isRest ? '' : declaredJsonRpcTail}`.trimEnd(),
      '}',
    ].join('\n'),
    hasErrors ? declaredGuard(isRest ? 'FwRpcHttpError' : 'JsonRpcClientError') : '',
    printRules(types),
  ]);
}
