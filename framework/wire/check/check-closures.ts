// Types: each wire type as closures that check a value. They need no code from strings, which browsers forbid pages
// with a strict policy.

import { type Lookup, lookupIn, resolve } from '../resolve.js';
import type { ArrayType, NamedTypes, ObjectType, TupleType, WireType } from '../wire-type.js';
import { compileRules } from './check-rules.js';
import { compileUnion } from './check-union.js';
import { type Check, Failures, got, INVALID, literalText } from './check-walk.js';

export interface CheckIssue {
  /** The keys and indices that lead from the input to the invalid value; empty for the input itself. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type CheckResult = { readonly value: unknown } | { readonly issues: readonly CheckIssue[] };

/** Compiles the check of a type and of the types inside it. */
export interface Compiler {
  readonly named: NamedTypes;
  compile(type: WireType): Check;
}

/**
 * A check like that of `compileCheck`, which never becomes generated code.
 *
 * @throws Error if a name is not in `named`, or a `pattern` is not a regular expression.
 */
export function compileClosures(type: WireType, named: NamedTypes): (value: unknown) => CheckResult {
  const check = new CheckCompiler(named).compile(type);
  return (value) => {
    const walk = new Failures();
    const checked = check(value, walk);
    return checked === INVALID ? { issues: walk.issues } : { value: checked };
  };
}

class CheckCompiler implements Compiler {
  readonly named: NamedTypes;
  readonly #lookup: Lookup;
  /** The checks by type; undefined for a type that is being compiled, which a recursive type refers to again. */
  readonly #checks = new Map<WireType, Check | undefined>();

  constructor(named: NamedTypes) {
    this.named = named;
    this.#lookup = lookupIn(named);
  }

  compile(type: WireType): Check {
    if (!this.#checks.has(type)) {
      this.#checks.set(type, undefined);
      this.#checks.set(type, withRules(this.#compileBare(type), type));
    }
    return this.#checks.get(type) ?? ((value, walk) => this.#checks.get(type)?.(value, walk));
  }

  #compileBare(type: WireType): Check {
    switch (type.kind) {
      case 'literal':
        return (value, walk) =>
          value === type.value
            ? value
            : walk.fail(`expected ${literalText(type.value)}, ${got(value, true)}`);
      case 'ref':
        return this.#reference(type.name);
      case 'array':
        return compileArray(type, this);
      case 'tuple':
        return compileTuple(type, this);
      case 'object':
        return compileObject(type, this);
      case 'union':
        return compileUnion(type, this);
      default:
        return SCALARS[type.kind];
    }
  }

  #reference(name: string): Check {
    const type = resolve({ kind: 'ref', name }, this.#lookup);
    if (type === undefined) throw new Error(`the type '${name}' is not defined; define it, or write it out`);
    return this.compile(type);
  }
}

type ScalarKind = Exclude<WireType['kind'], 'literal' | 'ref' | 'array' | 'tuple' | 'object' | 'union'>;

const SCALARS: Readonly<Record<ScalarKind, Check>> = {
  unknown: (value) => value,
  // `JSON.stringify` writes undefined in an array as null.
  void: (value, walk) =>
    value === undefined || value === null ? undefined : walk.fail(`expected nothing, ${got(value)}`),
  null: (value, walk) => (value === null ? null : walk.fail(`expected null, ${got(value)}`)),
  integer: (value, walk) =>
    Number.isInteger(value) ? value : walk.fail(`expected integer, ${got(value, typeof value === 'number')}`),
  number: (value, walk) => (Number.isFinite(value) ? value : walk.fail(`expected number, ${got(value)}`)),
  string: (value, walk) => (typeof value === 'string' ? value : walk.fail(`expected string, ${got(value)}`)),
  file: (value, walk) => (value instanceof Blob ? value : walk.fail(`expected file, ${got(value)}`)),
  boolean: (value, walk) =>
    typeof value === 'boolean' ? value : walk.fail(`expected boolean, ${got(value)}`),
};

function withRules(check: Check, { rules }: WireType): Check {
  const broken = rules && compileRules(rules);
  if (!broken) return check;
  return (value, walk) => {
    const checked = check(value, walk);
    if (checked === INVALID) return INVALID;
    const message = broken(value);
    return message === undefined ? checked : walk.fail(message);
  };
}

function compileArray(type: ArrayType, compiler: Compiler): Check {
  const item = compiler.compile(type.items);
  const checkItems = (value: readonly unknown[], walk: Failures): unknown => {
    const list: unknown[] = [];
    let isValid = true;
    for (let index = 0; index < value.length; index++) {
      const checked = walk.at(index, value[index], item);
      if (checked === INVALID) isValid = false;
      else list.push(checked);
      if (!isValid && walk.isFull) break;
    }
    return isValid ? list : INVALID;
  };
  return (value, walk) =>
    Array.isArray(value) ? walk.inside(checkItems, value) : walk.fail(`expected array, ${got(value)}`);
}

function compileTuple(type: TupleType, compiler: Compiler): Check {
  const items = type.items.map((item) => compiler.compile(item));
  const rest = type.rest && compiler.compile(type.rest);
  const { required = items.length } = type;
  const size = rest
    ? `at least ${required}`
    : required === items.length
      ? `${required}`
      : `${required} to ${items.length}`;
  const checkItems = (value: readonly unknown[], walk: Failures): unknown => {
    const list: unknown[] = [];
    let isValid = true;
    for (let index = 0; index < value.length; index++) {
      const check = items[index] ?? rest;
      const checked = check ? walk.at(index, value[index], check) : INVALID;
      if (checked === INVALID) isValid = false;
      else list.push(checked);
      if (!isValid && walk.isFull) break;
    }
    return isValid ? list : INVALID;
  };
  return (value, walk) => {
    if (!Array.isArray(value)) return walk.fail(`expected array, ${got(value)}`);
    if (value.length < required || (!rest && value.length > items.length)) {
      return walk.fail(`expected ${size} items, got ${value.length}`);
    }
    return walk.inside(checkItems, value);
  };
}

type Source = Readonly<Record<string, unknown>>;

interface FieldCheck {
  readonly name: string;
  readonly isOptional: boolean;
  /** Whether its type accepts any value; `undefined` is not a value. */
  readonly isAny: boolean;
  readonly check: Check;
}

function compileObject(type: ObjectType, compiler: Compiler): Check {
  const fields: readonly FieldCheck[] = type.fields.map((field) => ({
    name: field.name,
    isOptional: field.isOptional,
    isAny: resolve(field.type, lookupIn(compiler.named))?.kind === 'unknown',
    check: compiler.compile(field.type),
  }));
  const values = type.values && compiler.compile(type.values);
  const names = new Set(fields.map(({ name }) => name));
  const key = compileKeys(type);
  const isClosed = type.rules?.additionalProperties === false;
  const checkInside = (source: Source, walk: Failures): unknown => {
    const copy: Record<string, unknown> = {};
    let isValid = true;
    for (let index = 0; index < fields.length; index++) {
      const { name, isOptional, isAny, check } = fields[index] as FieldCheck;
      // Inherited properties, such as `constructor`, were not sent.
      const value = Object.hasOwn(source, name) ? source[name] : undefined;
      if (value === undefined && isOptional) continue;
      const checked =
        value === undefined && isAny
          ? walk.failAt(name, 'expected any value, got nothing')
          : walk.at(name, value, check);
      if (checked === INVALID) {
        if (walk.isFull) return INVALID;
        isValid = false;
      } else if (checked !== undefined) put(copy, name, checked);
    }
    if (isClosed && !hasOnly(source, names, walk)) return INVALID;
    if (values === undefined) return isValid ? copy : INVALID;
    for (const name of Object.keys(source)) {
      if (names.has(name)) continue;
      const checked = key(name, walk) ? walk.at(name, source[name], values) : INVALID;
      if (checked === INVALID) isValid = false;
      else put(copy, name, checked);
      if (!isValid && walk.isFull) return INVALID;
    }
    return isValid ? copy : INVALID;
  };
  return (value, walk) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      return walk.fail(`expected object, ${got(value)}`);
    }
    return walk.inside(checkInside, value as Source);
  };
}

/** Whether there are no other keys; each other key is an issue. */
function hasOnly(source: Source, names: ReadonlySet<string>, walk: Failures): boolean {
  let isOnly = true;
  for (const name of Object.keys(source)) {
    if (names.has(name)) continue;
    walk.failAt(name, 'expected no such key');
    isOnly = false;
    if (walk.isFull) break;
  }
  return isOnly;
}

/** Defines the property, because an assignment to `__proto__` would set the prototype. */
function put(copy: Record<string, unknown>, name: string, value: unknown): void {
  // Stryker disable next-line ConditionalExpression: definitions make the same of other names, only slower
  if (name !== '__proto__') copy[name] = value;
  else Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Records may require that their keys match a pattern. */
function compileKeys({ rules }: WireType): (name: string, walk: Failures) => boolean {
  const names = rules?.propertyNames;
  if (names === null || typeof names !== 'object' || !('pattern' in names)) return () => true;
  const pattern = String(names.pattern);
  const wanted = new RegExp(pattern, 'u');
  return (name, walk) =>
    wanted.test(name) || walk.failAt(name, `the key does not match ${pattern}`) !== INVALID;
}
