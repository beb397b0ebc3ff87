// Types: the check of objects. Only own keys are read, and every key of the copy is its own.

import { lookupIn, resolve } from '../resolve.js';
import type { ObjectType, WireType } from '../wire-type.js';
import type { Compiler } from './check-closures.js';
import { type Check, type Failures, got, INVALID } from './check-walk.js';

type Source = Readonly<Record<string, unknown>>;

interface FieldCheck {
  readonly name: string;
  readonly isOptional: boolean;
  /** Whether its type accepts any value; `undefined` is not a value. */
  readonly isAny: boolean;
  readonly check: Check;
}

export function compileObject(type: ObjectType, compiler: Compiler): Check {
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
