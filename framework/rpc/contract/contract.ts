// RPC: reads the contract file that `fw generate` writes: the types of procedures without a schema. An app has it each
// time it starts, so it is only checked then, and nothing is made of it before it is needed.
import { ConfigError } from '../../config-error.js';
import { CompactTypeError, parseCompact } from '../../wire/read/parse-compact.js';
import { visitRefs } from '../../wire/resolve.js';
import { isKind, type NamedTypes, type ProcedureNotes, type WireType } from '../../wire/wire-type.js';
import { CONTRACT_VERSION } from './contract-text.js';
import type { AnswerTypes, EventWireTypes, RouteTypes, SocketTypes } from './route-types.js';

type Fields = Readonly<Record<string, unknown>>;
type Side = 'input' | 'output';

/** The kind of a procedure, and the texts of its input and its output. */
type Texts = readonly [unknown, input: string, output: string];

/** The type of an input, and the named types that it refers to. */
export interface InputType {
  readonly type: WireType;
  readonly named: NamedTypes;
}

/** The types of a contract file. */
export class Contract {
  readonly #procedures: Readonly<Record<string, Texts>>;
  readonly #texts: Readonly<Record<string, string>>;
  readonly #notes: Fields;
  readonly #routes: Fields;
  readonly #sockets: Fields;
  readonly #inputs = new Map<string, InputType>();
  /** The named types that were parsed. */
  readonly #types = new Map<string, WireType>();
  #named: NamedTypes | undefined;

  /** @throws ConfigError if it is not a contract of this version, with the place of the fault */
  constructor(contract: unknown) {
    const { version, procedures, named, notes = {}, routes = {}, sockets = {} } = fields(contract, 'it');
    if (version !== CONTRACT_VERSION) {
      const shown = JSON.stringify(version) ?? 'missing';
      throw malformed('version', `is ${shown}, this fw reads ${CONTRACT_VERSION}; run fw generate`);
    }
    this.#procedures = checkedProcedures(fields(procedures, 'procedures'));
    this.#texts = checkedTexts(fields(named, 'named'));
    this.#notes = fields(notes, 'notes');
    this.#routes = fields(routes, 'routes');
    this.#sockets = fields(sockets, 'sockets');
  }

  /** The named types; reading one parses it. @throws ConfigError if its text is not a type */
  get named(): NamedTypes {
    if (this.#named === undefined) {
      const types: Record<string, WireType> = Object.create(null);
      for (const name of Object.keys(this.#texts)) {
        Object.defineProperty(types, name, { get: () => this.#type(name), enumerable: true });
      }
      this.#named = types;
    }
    return this.#named;
  }

  /** What the comment of a procedure says. @throws ConfigError if that is malformed */
  notes(procedure: string): ProcedureNotes {
    if (!Object.hasOwn(this.#notes, procedure)) return {};
    const at = `notes[${JSON.stringify(procedure)}]`;
    return readNotes(fields(this.#notes[procedure], at), at);
  }

  /**
   * What is known about a route such as `GET /users/:id`; undefined if the contract does not have it.
   *
   * @throws ConfigError if that is malformed
   */
  route(name: string): RouteTypes | undefined {
    if (!Object.hasOwn(this.#routes, name)) return undefined;
    const at = `routes[${JSON.stringify(name)}]`;
    const route = fields(this.#routes[name], at);
    const { answers } = route;
    return {
      ...readNotes(route, at),
      ...readPrefix(route, at),
      ...(answers !== undefined && { answers: this.#answers(answers, `${at}.answers`) }),
    };
  }

  /**
   * What is known about the socket of a path; undefined if the contract does not have it. All named types that its
   * events refer to are parsed.
   *
   * @throws ConfigError if that is malformed
   */
  socket(path: string): SocketTypes | undefined {
    if (!Object.hasOwn(this.#sockets, path)) return undefined;
    const at = `sockets[${JSON.stringify(path)}]`;
    const socket = fields(this.#sockets[path], at);
    const { receives, sends } = socket;
    return {
      ...readNotes(socket, at),
      ...readPrefix(socket, at),
      ...(receives !== undefined && { receives: this.#events(receives, `${at}.receives`) }),
      ...(sends !== undefined && { sends: this.#events(sends, `${at}.sends`) }),
    };
  }

  #events(value: unknown, at: string): EventWireTypes {
    const types: Record<string, WireType> = Object.create(null);
    for (const [event, text] of Object.entries(fields(value, at))) {
      const part = `${at}[${JSON.stringify(event)}]`;
      if (typeof text !== 'string') throw malformed(part, 'is not a string');
      const type = this.#parse(text, part);
      this.#reached(type);
      types[event] = type;
    }
    return types;
  }

  #answers(value: unknown, at: string): AnswerTypes {
    const answers = Object.entries(fields(value, at)).map(([status, bodies]) => {
      const own = `${at}[${JSON.stringify(status)}]`;
      if (!/^[2-5](?:\d\d|XX)$/.test(status)) throw malformed(own, 'is not the answer of a status');
      const types = Object.entries(fields(bodies, own)).map(([media, text]) => {
        const part = `${own}[${JSON.stringify(media)}]`;
        if (typeof text !== 'string') throw malformed(part, 'is not a string');
        return [media, this.#parse(text, part)] as const;
      });
      return [status, Object.fromEntries(types)] as const;
    });
    return Object.fromEntries(answers);
  }

  has(procedure: string): boolean {
    return Object.hasOwn(this.#procedures, procedure);
  }

  /**
   * The type of an input; undefined if the contract does not have the procedure. All named types that it refers to are
   * parsed too, so that a fault in one of them is found by the first call at the latest.
   *
   * @throws ConfigError if a text is not a type
   */
  inputType(procedure: string): InputType | undefined {
    const known = this.#inputs.get(procedure);
    if (known !== undefined) return known;
    const type = this.#side(procedure, 'input');
    if (type === undefined) return undefined;
    const input = { type, named: this.#reached(type) };
    this.#inputs.set(procedure, input);
    return input;
  }

  /** Like `inputType`, without the names. */
  input(procedure: string): WireType | undefined {
    return this.inputType(procedure)?.type;
  }

  /**
   * Whether it is certain, without its type being parsed, that an input is not a scalar: it begins with an object or a
   * tuple.
   */
  hasObject(procedure: string): boolean {
    return /^[{[]/.test(this.#text(procedure, 'input') ?? '');
  }

  /** Like `input`, but the named types that it refers to are not parsed. */
  output(procedure: string): WireType | undefined {
    return this.#side(procedure, 'output');
  }

  #side(procedure: string, side: Side): WireType | undefined {
    const text = this.#text(procedure, side);
    if (text === undefined) return undefined;
    return this.#parse(text, `procedures[${JSON.stringify(procedure)}].${side}`);
  }

  #text(procedure: string, side: Side): string | undefined {
    if (!this.has(procedure)) return undefined;
    return this.#procedures[procedure]?.[side === 'input' ? 1 : 2];
  }

  #type(name: string): WireType {
    const known = this.#types.get(name);
    if (known !== undefined) return known;
    const type = this.#parse(this.#texts[name] as string, `named[${JSON.stringify(name)}]`);
    this.#types.set(name, type);
    return type;
  }

  /** The named types that a type refers to, directly and indirectly. */
  #reached(type: WireType): NamedTypes {
    const named: Record<string, WireType> = Object.create(null);
    const open = [type];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      visitRefs(next, (name) => {
        if (name in named) return;
        const target = this.#type(name);
        named[name] = target;
        open.push(target);
      });
    }
    return named;
  }

  #parse(text: string, at: string): WireType {
    try {
      return parseCompact(text, (name) => Object.hasOwn(this.#texts, name));
    } catch (error) {
      if (error instanceof CompactTypeError) throw malformed(at, error.message);
      throw error;
    }
  }
}

function readNotes({ description, deprecated }: Fields, at: string): ProcedureNotes {
  if (description !== undefined && typeof description !== 'string')
    throw malformed(`${at}.description`, 'is not a string');
  if (deprecated !== undefined && deprecated !== true && typeof deprecated !== 'string')
    throw malformed(`${at}.deprecated`, 'is neither true nor a string');
  return {
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
  };
}

function readPrefix({ prefix }: Fields, at: string): { readonly prefix?: string } {
  if (prefix === undefined) return {};
  if (typeof prefix !== 'string') throw malformed(`${at}.prefix`, 'is not a string');
  return { prefix };
}

// The loops of both run before anything is compiled, when an iterator or a function for each item takes most of the time.

function checkedProcedures(procedures: Fields): Readonly<Record<string, Texts>> {
  const names = Object.keys(procedures);
  for (let i = 0; i < names.length; i++) {
    const value = procedures[names[i] as string] as readonly unknown[];
    const isWhole =
      Array.isArray(value) &&
      typeof value[1] === 'string' &&
      typeof value[2] === 'string' &&
      isKind(value[0]);
    if (!isWhole) throw refusedProcedure(names[i] as string, value);
  }
  return procedures as Readonly<Record<string, Texts>>;
}

function refusedProcedure(name: string, value: unknown): Error {
  const at = `procedures[${JSON.stringify(name)}]`;
  if (!Array.isArray(value)) return malformed(at, 'is not an array');
  const [kind, input] = value as readonly unknown[];
  if (!isKind(kind)) return malformed(`${at}[0]`, `is not 'query', 'mutation' or 'subscription'`);
  return malformed(typeof input === 'string' ? `${at}[2]` : `${at}[1]`, 'is not a string');
}

function checkedTexts(named: Fields): Readonly<Record<string, string>> {
  const names = Object.keys(named);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    if (typeof named[name] !== 'string') throw malformed(`named[${JSON.stringify(name)}]`, 'is not a string');
  }
  return named as Readonly<Record<string, string>>;
}

function fields(value: unknown, at: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw malformed(at, 'is not an object');
}

function malformed(at: string, why: string): Error {
  return new ConfigError('FW_RPC_CONTRACT', `this is not a contract of fw generate: ${at} ${why}`);
}
