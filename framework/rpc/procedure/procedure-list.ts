// Registration: the procedures of a registry by their names, and the groups that the names form.
import { ConfigError } from '../../config-error.js';
import { groupsOf } from '../protocol/procedure-name.js';
import type { Procedure } from './procedure.js';

export class ProcedureList {
  readonly #procedures = new Map<string, Procedure>();
  /** The first procedure of each group: of `users` for `users.list`. */
  readonly #groups = new Map<string, Procedure>();

  get size(): number {
    return this.#procedures.size;
  }

  values(): Iterable<Procedure> {
    return this.#procedures.values();
  }

  /** @throws ConfigError if another procedure or a group has the name */
  assertFree(procedure: Procedure): void {
    const { name, place } = procedure;
    const present = this.#procedures.get(name);
    if (present !== undefined) {
      throw new ConfigError(
        'FW_RPC_NAME_TWICE',
        `two procedures are named '${name}': at ${present.place()} and at ${place()}; rename or remove one of them`,
      );
    }
    const member = this.#groups.get(name);
    if (member !== undefined) throw groupTaken(procedure, member);
    for (const group of groupsOf(name)) {
      const one = this.#procedures.get(group);
      if (one !== undefined) throw groupTaken(one, procedure);
    }
  }

  add(procedure: Procedure): void {
    this.#procedures.set(procedure.name, procedure);
    for (const group of groupsOf(procedure.name)) {
      if (!this.#groups.has(group)) this.#groups.set(group, procedure);
    }
  }
}

function groupTaken(procedure: Procedure, member: Procedure): ConfigError {
  return new ConfigError(
    'FW_RPC_NAME_AND_GROUP',
    `'${procedure.name}' (${procedure.place()}) is a procedure and the group of '${member.name}' (${member.place()}); rename one of them`,
  );
}
