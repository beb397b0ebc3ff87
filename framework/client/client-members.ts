// The client: its methods, and the groups of methods that the names of procedures form.

import { groupsOf } from '../rpc/protocol/procedure-name.js';
import type { ClientRoute, ClientSocket, ClientTypes, ProcedureTypes } from '../wire/wire-type.js';

/** A procedure or a route, by its whole name. */
export type NamedCall = readonly [name: string, call: ProcedureTypes | ClientRoute];

/** A socket of the client, by its whole name. */
type NamedSocket = readonly [name: string, socket: ClientSocket];

/** A method of the client, or a group of them. */
export type ClientMember =
  | { readonly member: string; readonly call: NamedCall }
  | { readonly member: string; readonly socket: NamedSocket }
  | { readonly member: string; readonly group: readonly ClientMember[] };

/** How methods and groups are printed, each as whole lines. */
export interface MemberPrinter {
  method(member: string, call: NamedCall, indent: string): string;
  /** The method that opens a socket. */
  socket(member: string, socket: NamedSocket, indent: string): string;
  openGroup(member: string, indent: string): string;
  closeGroup(indent: string): string;
}

/** The members, sorted by name; a group stands where its first one does. */
export function clientMembers({
  procedures,
  routes = {},
  sockets = {},
}: ClientTypes): readonly ClientMember[] {
  const calls: NamedCall[] = [...Object.entries(procedures), ...Object.entries(routes)];
  const named = [
    ...calls.map((call) => ({ name: call[0], of: { call } })),
    ...Object.entries(sockets).map((socket) => ({ name: socket[0], of: { socket } })),
  ];
  const top: ClientMember[] = [];
  const groups = new Map<string, ClientMember[]>([['', top]]);
  for (const { name, of } of named.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    let at = '';
    for (const group of groupsOf(name)) {
      if (!groups.has(group)) {
        const members: ClientMember[] = [];
        groups.set(group, members);
        groups.get(at)?.push({ member: lastPart(group), group: members });
      }
      at = group;
    }
    groups.get(at)?.push({ member: at === '' ? name : lastPart(name), ...of });
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
    if ('call' in one) return printer.method(one.member, one.call, indent);
    if ('socket' in one) return printer.socket(one.member, one.socket, indent);
    const inside = printMembers(one.group, printer, `${indent}  `);
    return printer.openGroup(one.member, indent) + inside.join('') + printer.closeGroup(indent);
  });
}
