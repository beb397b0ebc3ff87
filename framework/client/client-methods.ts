// The client: its methods, with their types.
import { printComment, printType } from '../wire/print/print-typescript.js';
import { allowsVoid, withoutVoid } from '../wire/union-of.js';
import type { ClientRoute, ProcedureNotes, ProcedureTypes } from '../wire/wire-type.js';
import type { ClientKind } from './client-kind.js';
import type { MemberPrinter } from './client-members.js';
import { isOptionalInput, routeInput, routeOutput } from './client-routes.js';
import { socketSignature } from './client-sockets.js';
import { memberName } from './member-name.js';

/** The members of the client's interface: the methods of a group are properties. */
export function interfaceMembers({ hasCarriers }: Pick<ClientKind, 'hasCarriers'>): MemberPrinter {
  return {
    method(member, [whole, call], indent) {
      const comment = printNotes(call, indent);
      const name = `${indent}${memberName(member)}`;
      return isTop(indent)
        ? `${comment}${name}${printSignature(whole, call, indent)};\n`
        : `${comment}${name}: ${printSignature(whole, call, indent, ' => ')};\n`;
    },
    socket(member, named, indent) {
      const comment = printNotes(named[1], indent);
      const name = `${indent}${memberName(member)}`;
      return isTop(indent)
        ? `${comment}${name}${socketSignature(named, hasCarriers, indent, ': ')};\n`
        : `${comment}${name}: ${socketSignature(named, hasCarriers, indent, ' => ')};\n`;
    },
    openGroup: (member, indent) => `${indent}${isTop(indent) ? 'readonly ' : ''}${member}: {\n`,
    closeGroup: (indent) => `${indent}};\n`,
  };
}

/** Whether members of this indentation are those of the client itself. */
function isTop(indent: string): boolean {
  return indent.length === 2;
}

function isRoute(call: ProcedureTypes | ClientRoute): call is ClientRoute {
  return 'path' in call;
}

/** The documentation comment of a method of the client. */
function printNotes({ description, deprecated }: ProcedureNotes, indent: string): string {
  const tag = typeof deprecated === 'string' ? `@deprecated ${deprecated}` : deprecated && '@deprecated';
  return printComment([description, tag].filter(Boolean).join('\n'), indent);
}

/** The parameters and the result of a method of the client, with what stands between them. */
function printSignature(
  name: string,
  call: ProcedureTypes | ClientRoute,
  indent: string,
  between = ': ',
): string {
  if (isRoute(call)) {
    const input = routeInput(name, call);
    const parameter = isOptionalInput(input) ? 'input?' : 'input';
    const first = input.kind === 'void' ? [] : [`${parameter}: ${printType(input, indent)}`];
    return `(${[...first, 'options?: FwRpcCallOptions'].join(', ')})${between}Promise<${printType(routeOutput(call), indent)}>`;
  }
  const { kind, input, output } = call;
  // `undefined` is redundant in the type of an optional parameter.
  const given = printType(withoutVoid(input), indent);
  const parameter = input.kind === 'void' ? [] : [`input${allowsVoid(input) ? '?' : ''}: ${given}`];
  const isStream = kind === 'subscription';
  const options = `options?: ${isStream ? 'FwRpcSubscriptionOptions' : 'FwRpcCallOptions'}`;
  const type = printType(output, indent);
  const returned = isStream ? `AsyncGenerator<${type}, void, undefined>` : `Promise<${type}>`;
  return `(${[...parameter, options].join(', ')})${between}${returned}`;
}
