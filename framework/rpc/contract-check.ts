// RPC: whether the types that a client was made for are still those of the server, as far as it uses them.

import { diffTypes } from './types/diff-types.js';
import { parseType } from './types/parse-type.js';
import { printType } from './types/print-typescript.js';
import { contractHash } from './types/same-type.js';
import { TypeSyntaxError } from './types/type-syntax-error.js';
import type { ProcedureTypes, WireType, WireTypes } from './types/wire-type.js';

/** The field that generated clients send with the option `checkContract`. */
export const CONTRACT_HEADER = 'x-fw-contract';

/** Clients send at most 4 KB; what is longer is not one of theirs. */
const LONGEST = 8_192;

/** How many answers are kept: every release of a client asks for each procedure in the same words. */
const MOST_KEPT = 500;

/** Tells clients by the texts of their types whether a change since then breaks them. */
export class ContractCheck {
  readonly #hash: string;
  readonly #now: WireTypes;
  readonly #known = new Map<string, readonly string[] | undefined>();

  constructor(types: WireTypes) {
    this.#hash = contractHash(types);
    this.#now = asPrinted(types);
  }

  /**
   * The procedures that a change breaks for the client; none where it may go on. Undefined where the text names
   * another contract as a whole, or is not one.
   *
   * @param sent `{"procedures":{name:[kind,input,output]},"types":{name:text}}` for what is called, or the hash of
   * the whole contract where that would be too long.
   */
  broken(sent: string): readonly string[] | undefined {
    if (sent === this.#hash) return [];
    if (!sent.startsWith('{') || sent.length > LONGEST) return undefined;
    if (!this.#known.has(sent)) {
      if (this.#known.size >= MOST_KEPT) this.#known.clear();
      this.#known.set(sent, this.#compare(sent));
    }
    return this.#known.get(sent);
  }

  #compare(sent: string): readonly string[] | undefined {
    const old = readContract(sent);
    if (old === undefined) return undefined;
    const names = Object.keys(old.procedures);
    const own = names.filter((name) => Object.hasOwn(this.#now.procedures, name));
    const procedures = Object.fromEntries(
      own.map((name) => [name, this.#now.procedures[name] as ProcedureTypes]),
    );
    const now: WireTypes = { procedures, named: this.#now.named };
    return names.filter((name) => {
      const only = { procedures: { [name]: old.procedures[name] as ProcedureTypes }, named: old.named };
      const same = Object.hasOwn(procedures, name) ? { [name]: procedures[name] as ProcedureTypes } : {};
      return diffTypes(only, { ...now, procedures: same }).some(({ isBreaking }) => isBreaking);
    });
  }
}

/** As a client knows them: its texts say nothing of integers and rules. */
function asPrinted({ procedures, named }: WireTypes): WireTypes {
  const again = (type: WireType): WireType => parseType(printType(type));
  return {
    procedures: mapped(procedures, ({ kind, input, output }) => ({
      kind,
      input: again(input),
      output: again(output),
    })),
    named: mapped(named, again),
  };
}

/** Undefined where it is not the text of a contract. */
function readContract(text: string): WireTypes | undefined {
  try {
    const { procedures, types } = JSON.parse(text) as Record<string, unknown>;
    if (!isRecord(procedures) || !isRecord(types)) return undefined;
    return { procedures: mapped(procedures, readProcedure), named: mapped(types, readType) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeSyntaxError) return undefined;
    throw error;
  }
}

function readProcedure(entry: unknown): ProcedureTypes {
  const [kind, input, output] = Array.isArray(entry) ? entry : [];
  if (kind !== 'query' && kind !== 'mutation') throw new SyntaxError('a procedure is a query or a mutation');
  return { kind, input: readType(input), output: readType(output) };
}

function readType(text: unknown): WireType {
  if (typeof text !== 'string') throw new SyntaxError('a type is a text');
  return parseType(text);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without a prototype: names come from clients. */
function mapped<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  const made: Record<string, B> = Object.create(null);
  for (const [name, value] of Object.entries(record)) made[name] = change(value);
  return made;
}
