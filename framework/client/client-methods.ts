// The client: its methods, in the class and in its declarations.
import { printComment, printType } from '../wire/print/print-typescript.js';
import { allowsVoid, withoutVoid } from '../wire/union-of.js';
import type { ClientRoute, ProcedureNotes, ProcedureTypes } from '../wire/wire-type.js';
import type { ClientKind } from './client-kind.js';
import type { MemberPrinter } from './client-members.js';
import { isOptionalInput, routeInput, routeOutput } from './client-routes.js';
import { socketBody, socketSignature } from './client-sockets.js';
import { memberName } from './member-name.js';

/** The methods of the class; those of a group are arrow functions, because they use its private members. */
export function classMethods(kind: ClientKind): MemberPrinter {
  const { isRest } = kind;
  return {
    method(member, [name, call], indent) {
      const isAsync = isRoute(call) || call.kind !== 'subscription';
      const word = isAsync ? 'async ' : '';
      const [start, arrow, end] = isTop(indent)
        ? [`${word}${memberName(member)}`, '', '}']
        : [`${memberName(member)}: ${word}`, ' =>', '},'];
      const body = printBody(name, call, isRest);
      return [
        `${printNotes(call, indent)}${indent}${start}${printSignature(name, call, indent)}${arrow} {`,
        `${indent}  ${body}`,
        `${indent}${end}`,
        '',
      ].join('\n');
    },
    socket(member, named, indent) {
      const [, socket] = named;
      const [start, arrow, end] = isTop(indent)
        ? [memberName(member), '', '}']
        : [`${memberName(member)}: `, ' =>', '},'];
      return [
        `${printNotes(socket, indent)}${indent}${start}${socketSignature(named, indent, kind)}${arrow} {`,
        `${indent}  ${socketBody(named, kind)}`,
        `${indent}${end}`,
        '',
      ].join('\n');
    },
    openGroup: (member, indent) =>
      isTop(indent) ? `${indent}readonly ${member} = {\n` : `${indent}${member}: {\n`,
    closeGroup: (indent) => (isTop(indent) ? `${indent}};\n` : `${indent}},\n`),
  };
}

/** The methods of the declarations, as `tsc` emits them: those of a group are properties. */
export function declaredMethods(kind: ClientKind): MemberPrinter {
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
        ? `${comment}${name}${socketSignature(named, indent, kind)};\n`
        : `${comment}${name}: ${socketSignature(named, indent, kind, ' => ')};\n`;
    },
    openGroup: (member, indent) => `${indent}${isTop(indent) ? 'readonly ' : ''}${member}: {\n`,
    closeGroup: (indent) => `${indent}};\n`,
  };
}

/** Whether members of this indentation are those of the class. */
function isTop(indent: string): boolean {
  return indent.length === 2;
}

function isRoute(call: ProcedureTypes | ClientRoute): call is ClientRoute {
  return 'path' in call;
}

function printBody(name: string, call: ProcedureTypes | ClientRoute, isRest: boolean): string {
  if (isRoute(call)) return printRoute(name, call);
  return call.kind === 'subscription' ? printSubscribe(name, call) : printCall(name, call, isRest);
}

function printRoute(name: string, route: ClientRoute): string {
  const input = routeInput(name, route);
  const given = input.kind === 'void' ? '{}' : isOptionalInput(input) ? 'input ?? {}' : 'input';
  const output = routeOutput(route);
  const called = `await this.#route(${JSON.stringify(name)}, ${given}, options)`;
  if (output.kind === 'void') return `${called};`;
  if (output.kind === 'unknown') return `return ${called};`;
  return `return (${called}) as FwRoutes[${JSON.stringify(name)}]['output'];`;
}

/** A result that is not checked is `unknown` and needs no cast. */
function printCall(name: string, { kind, input, output }: ProcedureTypes, isRest: boolean): string {
  const call = isRest ? (kind === 'query' ? '#query(' : '#mutation(') : `#call('${kind}', `;
  // A mutation without an input sends an object, because not every server accepts an empty body.
  const nothing = isRest && kind === 'mutation' ? '{}' : 'undefined';
  const given = input.kind === 'void' ? nothing : 'input';
  const called = `await this.${call}${JSON.stringify(name)}, ${given}, options)`;
  if (output.kind === 'void') return `${called};`;
  return output.kind === 'unknown' ? `return ${called};` : `return (${called}) as ${outputOf(name)};`;
}

/** The events of a subscription. */
function printSubscribe(name: string, { input, output }: ProcedureTypes): string {
  const given = input.kind === 'void' ? 'undefined' : 'input';
  const events = `this.#subscribe(${JSON.stringify(name)}, ${given}, options)`;
  const cast = output.kind === 'unknown' ? '' : ` as AsyncGenerator<${outputOf(name)}, void, undefined>`;
  return `return ${events}${cast};`;
}

function outputOf(name: string): string {
  return `FwRpcProcedures[${JSON.stringify(name)}]['output']`;
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
