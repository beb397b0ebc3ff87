// RPC: reads the contract file that `fw generate` writes: the types of procedures without a schema. Their texts are
// parsed when they are first needed, because most of them are needed by clients alone.
import { ConfigError } from '../config-error.js';
import { CONTRACT_VERSION } from './contract-text.js';
import type { AnswerTypes, EventWireTypes, RouteTypes, SocketTypes } from './route-types.js';
import { isKind } from './types/kinds.js';
import { CompactTypeError, parseCompact } from './types/parse-compact.js';
import { visitRefs } from './types/resolve.js';
import type { NamedTypes, ProcedureNotes, WireType } from './types/wire-type.js';

type Fields = Readonly<Record<string, unknown>>;
type Side = 'input' | 'output';

/** The texts of one procedure. */
type Texts = Readonly<Record<Side, string>>;

/** The types of a contract file. */
export class Contract {
  readonly #procedures = new Map<string, Texts>();
  readonly #notes: Fields;
  readonly #routes: Fields;
  readonly #sockets: Fields;
  readonly #inputs = new Map<string, WireType>();
  /** Names whose types were parsed, with the types that they refer to. */
  readonly #parsed = new Set<string>();
  /** The named types; reading one parses it. @throws ConfigError if its text is not a type */
  readonly named: NamedTypes;

  /** @throws ConfigError if it is not a contract of this version, with the place of the fault */
  constructor(contract: unknown) {
    const { version, procedures, named, notes = {}, routes = {}, sockets = {} } = fields(contract, 'it');
    if (version !== CONTRACT_VERSION) {
      const shown = JSON.stringify(version) ?? 'missing';
      throw malformed('version', `is ${shown}, this fw reads ${CONTRACT_VERSION}; run fw generate`);
    }
    for (const [name, value] of Object.entries(fields(procedures, 'procedures'))) {
      this.#procedures.set(name, texts(value, `procedures[${JSON.stringify(name)}]`));
    }
    const types: Record<string, WireType> = Object.create(null);
    for (const [name, text] of Object.entries(fields(named, 'named'))) {
      const at = `named[${JSON.stringify(name)}]`;
      if (typeof text !== 'string') throw malformed(at, 'is not a string');
      define(types, name, () => this.#parse(text, at));
    }
    this.named = types;
    this.#notes = fields(notes, 'notes');
    this.#routes = fields(routes, 'routes');
    this.#sockets = fields(sockets, 'sockets');
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
      this.#parseReached(type);
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
    return this.#procedures.has(procedure);
  }

  /**
   * The type of an input; undefined if the contract does not have the procedure. All named types that it refers to are
   * parsed too, so that a fault in one of them is found by the first call at the latest.
   *
   * @throws ConfigError if a text is not a type
   */
  input(procedure: string): WireType | undefined {
    const known = this.#inputs.get(procedure);
    if (known !== undefined) return known;
    const type = this.#side(procedure, 'input');
    if (type === undefined) return undefined;
    this.#parseReached(type);
    this.#inputs.set(procedure, type);
    return type;
  }

  /**
   * Whether it is certain, without its type being parsed, that an input is not a scalar: it begins with an object or a
   * tuple.
   */
  hasObject(procedure: string): boolean {
    return /^[{[]/.test(this.#procedures.get(procedure)?.input ?? '');
  }

  /** Like `input`, without the named types. */
  output(procedure: string): WireType | undefined {
    return this.#side(procedure, 'output');
  }

  #side(procedure: string, side: Side): WireType | undefined {
    const text = this.#procedures.get(procedure)?.[side];
    if (text === undefined) return undefined;
    return this.#parse(text, `procedures[${JSON.stringify(procedure)}].${side}`);
  }

  #parseReached(type: WireType): void {
    const open = [type];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      visitRefs(next, (name) => {
        const target = this.#parsed.has(name) ? undefined : this.named[name];
        this.#parsed.add(name);
        if (target !== undefined) open.push(target);
      });
    }
  }

  #parse(text: string, at: string): WireType {
    try {
      return parseCompact(text, (name) => Object.hasOwn(this.named, name));
    } catch (error) {
      if (error instanceof CompactTypeError) throw malformed(at, error.message);
      throw error;
    }
  }
}

/** A property whose value is made when it is first read. */
function define(types: Record<string, WireType>, name: string, make: () => WireType): void {
  const get = (): WireType => {
    const value = make();
    Object.defineProperty(types, name, { value });
    return value;
  };
  Object.defineProperty(types, name, { get, enumerable: true, configurable: true });
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

function texts(value: unknown, at: string): Texts {
  if (!Array.isArray(value)) throw malformed(at, 'is not an array');
  const [kind, input, output] = value as readonly unknown[];
  if (!isKind(kind)) throw malformed(`${at}[0]`, `is not 'query', 'mutation' or 'subscription'`);
  if (typeof input !== 'string') throw malformed(`${at}[1]`, 'is not a string');
  if (typeof output !== 'string') throw malformed(`${at}[2]`, 'is not a string');
  return { input, output };
}

function fields(value: unknown, at: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw malformed(at, 'is not an object');
}

function malformed(at: string, why: string): Error {
  return new ConfigError('FW_RPC_CONTRACT', `this is not a contract of fw generate: ${at} ${why}`);
}
