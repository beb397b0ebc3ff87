// The client: its methods, and the groups of methods that the names of procedures form.
import { groupsOf } from '../procedure-name.js';
import type { ProcedureTypes } from '../types/wire-type.js';

/** A procedure, by its whole name. */
export type NamedProcedure = readonly [name: string, procedure: ProcedureTypes];

/** A method of the client, or a group of them. */
export type ClientMember =
  | { readonly member: string; readonly procedure: NamedProcedure }
  | { readonly member: string; readonly group: readonly ClientMember[] };

/** How methods and groups are printed, each as whole lines. */
export interface MemberPrinter {
  method(member: string, procedure: NamedProcedure, indent: string): string;
  openGroup(member: string, indent: string): string;
  closeGroup(indent: string): string;
}

/** The members in the order of the procedures; a group stands where its first procedure does. */
export function clientMembers(procedures: readonly NamedProcedure[]): readonly ClientMember[] {
  const top: ClientMember[] = [];
  const groups = new Map<string, ClientMember[]>([['', top]]);
  for (const procedure of procedures) {
    const [name] = procedure;
    let at = '';
    for (const group of groupsOf(name)) {
      if (!groups.has(group)) {
        const members: ClientMember[] = [];
        groups.set(group, members);
        groups.get(at)?.push({ member: lastPart(group), group: members });
      }
      at = group;
    }
    groups.get(at)?.push({ member: at === '' ? name : lastPart(name), procedure });
  }
  return top;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

export function printMembers(
  members: readonly ClientMember[],
  printer: MemberPrinter,
  indent: string,
): string[] {
  return members.map((one) => {
    if ('procedure' in one) return printer.method(one.member, one.procedure, indent);
    const inside = printMembers(one.group, printer, `${indent}  `);
    return printer.openGroup(one.member, indent) + inside.join('') + printer.closeGroup(indent);
  });
}
