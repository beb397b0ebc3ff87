// RPC: checks whether a change of the types since a client was generated breaks the calls of that client.

import { diffTypes } from '../../wire/compare/diff-types.js';
import { contractHash } from '../../wire/compare/same-type.js';
import { printType } from '../../wire/print/print-typescript.js';
import { parseType } from '../../wire/read/parse-type.js';
import { TypeSyntaxError } from '../../wire/read/tokens.js';
import { isKind, type ProcedureTypes, type WireType, type WireTypes } from '../../wire/wire-type.js';

/** The header field that generated clients send with the option `checkContract`. */
export const CONTRACT_HEADER = 'x-fw-contract';

/** Generated clients send at most 4 KB; a longer value is not from one of them. */
const LONGEST = 8_192;

/** How many results are cached: all clients of one release send the same text for a procedure. */
const MOST_KEPT = 500;

/** Compares the types that clients send with those of the server. */
export class ContractCheck {
  readonly #hash: string;
  readonly #now: WireTypes;
  readonly #known = new Map<string, readonly string[] | undefined>();

  constructor(types: WireTypes) {
    this.#hash = contractHash(types);
    this.#now = asPrinted(types);
  }

  /**
   * The procedures that a change breaks for the client; empty if the call may run. Undefined if the text is the hash
   * of another contract, or not valid.
   *
   * @param sent `{"procedures":{name:[kind,input,output,errors?]},"types":{name:text}}` for the called procedures, or the hash
   * of the whole contract if that would be too long
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

/** The types as a client sends them, whose texts contain neither integers nor rules. */
function asPrinted({ procedures, named }: WireTypes): WireTypes {
  const again = (type: WireType): WireType => parseType(printType(type));
  return {
    procedures: mapped(procedures, ({ kind, input, output, errors = {} }) => ({
      kind,
      input: again(input),
      output: again(output),
      errors: mapped(errors, ({ data }) => ({ data: again(data) })),
    })),
    named: mapped(named, again),
  };
}

/** Undefined if the text is not a contract. */
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
  const [kind, input, output, errors = {}] = Array.isArray(entry) ? entry : [];
  if (!isKind(kind)) throw new SyntaxError('a procedure has a kind');
  if (!isRecord(errors)) throw new SyntaxError('the errors of a procedure are an object');
  return {
    kind,
    input: readType(input),
    output: readType(output),
    errors: mapped(errors, (data) => ({ data: readType(data) })),
  };
}

function readType(text: unknown): WireType {
  if (typeof text !== 'string') throw new SyntaxError('a type is a text');
  return parseType(text);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without a prototype, because names come from clients. */
function mapped<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  const made: Record<string, B> = Object.create(null);
  for (const [name, value] of Object.entries(record)) made[name] = change(value);
  return made;
}
