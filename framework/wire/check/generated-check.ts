// Types: a check as generated code, for types that are checked often. It accepts the same values as the closures of
// check-closures.ts, much faster, and leaves values that it does not accept, and types that it does not support, to them.

import { lookupIn, resolve } from '../resolve.js';
import type { NamedTypes, ObjectType, UnionType, WireType } from '../wire-type.js';
import { compileRules } from './check-rules.js';
import { INVALID } from './check-walk.js';

/** Returns the copy, or `INVALID` without a reason. */
export type GeneratedCheck = (value: unknown) => unknown;

/** Larger types are left to the closures, because the code of a named type is repeated at every reference. */
const MOST_NODES = 200;
const MOST_MEMBERS = 32;

/** Whether the runtime forbids code from strings, as that of some hosts of edge workers. */
let isForbidden = false;

/** Undefined if the type is left to the closures, or the runtime forbids code from strings. */
export function generateCheck(type: WireType, named: NamedTypes): GeneratedCheck | undefined {
  if (isForbidden) return undefined;
  const writer = new CheckWriter(named);
  if (!writer.write(type, 'value')) return undefined;
  const code = `return (value) => { ${writer.lines.join('\n')}\nreturn value; }`;
  try {
    return new Function('INVALID', 'own', 'rules', code)(INVALID, Object.hasOwn, writer.rules);
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    isForbidden = true;
    return undefined;
  }
}

/** Tests of kinds that are copied unchanged; `$` is the value. */
const TESTS: Readonly<Partial<Record<WireType['kind'], string>>> = {
  unknown: 'true',
  null: '$ === null',
  integer: 'Number.isInteger($)',
  number: 'Number.isFinite($)',
  string: "typeof $ === 'string'",
  boolean: "typeof $ === 'boolean'",
  array: 'Array.isArray($)',
  object: "typeof $ === 'object' && $ !== null && !Array.isArray($)",
};

/**
 * Writes statements that check the value of a variable and replace it by the copy. Strings of the types are written
 * into the code only as JSON.
 */
class CheckWriter {
  readonly lines: string[] = [];
  readonly rules: unknown[] = [];
  readonly #named: NamedTypes;
  /** Names that are being written, to detect recursive types. */
  readonly #open = new Set<string>();
  #nodes = 0;
  #names = 0;

  constructor(named: NamedTypes) {
    this.#named = named;
  }

  /** False if the type is left to the closures. */
  write(type: WireType, variable: string): boolean {
    this.#nodes++;
    if (this.#nodes > MOST_NODES) return false;
    // Rules check the value as it was sent; the copy replaces it below.
    this.#writeRules(type, variable);
    if (type.kind === 'ref') return this.#writeNamed(type.name, variable);
    if (type.kind === 'union') return this.#writeUnion(type, variable);
    const test = testOf(type, variable);
    if (test === undefined) return false;
    this.#refuseUnless(test);
    if (type.kind === 'array') return this.#writeItems(type.items, variable);
    return type.kind !== 'object' || this.#writeFields(type, variable);
  }

  #writeNamed(name: string, variable: string): boolean {
    const target = resolve({ kind: 'ref', name }, lookupIn(this.#named));
    if (target === undefined || this.#open.has(name)) return false;
    this.#open.add(name);
    const isWritten = this.write(target, variable);
    this.#open.delete(name);
    return isWritten;
  }

  #writeRules({ rules }: WireType, variable: string): void {
    const broken = rules && compileRules(rules);
    if (broken) this.#refuseUnless(`rules[${this.rules.push(broken) - 1}](${variable}) === undefined`);
  }

  /** Supports unions of scalars, and one type or null. */
  #writeUnion({ members }: UnionType, variable: string): boolean {
    if (members.length > MOST_MEMBERS) return false;
    const tests = members.map((one) => (isPlainScalar(one) ? testOf(one, variable) : undefined));
    if (tests.every((test) => test !== undefined)) {
      this.#refuseUnless(tests.length === 0 ? 'false' : tests.join(' || '));
      return true;
    }
    const [only, ...others] = members.filter(({ kind }) => kind !== 'null');
    if (only === undefined || others.length > 0 || members.length !== 2) return false;
    if (members.some((one) => one.kind === 'null' && one.rules)) return false;
    return this.#block(`if (${variable} !== null)`, () => this.write(only, variable));
  }

  #writeItems(items: WireType, variable: string): boolean {
    const list = this.#name();
    const item = this.#name();
    const index = this.#name();
    this.lines.push(`const ${list} = [];`);
    const isWritten = this.#block(`for (let ${index} = 0; ${index} < ${variable}.length; ${index}++)`, () => {
      this.lines.push(`let ${item} = ${variable}[${index}];`);
      if (!this.write(items, item)) return false;
      this.lines.push(`${list}.push(${item});`);
      return true;
    });
    this.lines.push(`${variable} = ${list};`);
    return isWritten;
  }

  #writeFields({ fields, values, rules }: ObjectType, variable: string): boolean {
    if (values !== undefined || rules?.additionalProperties === false) return false;
    const names: string[] = [];
    for (const { name, type, isOptional } of fields) {
      // In an object literal, `__proto__` would set the prototype.
      if (name === '__proto__') return false;
      const held = this.#name();
      names.push(held);
      const key = JSON.stringify(name);
      // Inherited properties, such as `constructor`, were not sent.
      this.lines.push(`let ${held} = own(${variable}, ${key}) ? ${variable}[${key}] : undefined;`);
      if (!isOptional && this.#isAny(type)) this.#refuseUnless(`${held} !== undefined`);
      const write = (): boolean => this.write(type, held);
      if (!(isOptional ? this.#block(`if (${held} !== undefined)`, write) : write())) return false;
    }
    this.#writeCopy(fields, names, variable);
    return true;
  }

  /** An object literal of the fields before the first optional one, then assignments, so that the order is kept. */
  #writeCopy(fields: ObjectType['fields'], names: readonly string[], variable: string): void {
    const missing = fields.findIndex(({ type, isOptional }) => isOptional || this.#mayBeNothing(type));
    const sure = missing === -1 ? fields.length : missing;
    const entry = (index: number): string => JSON.stringify(fields[index]?.name);
    const literal = names.slice(0, sure).map((held, index) => `${entry(index)}: ${held}`);
    this.lines.push(`${variable} = { ${literal.join(', ')} };`);
    for (let index = sure; index < fields.length; index++) {
      const held = names[index];
      this.lines.push(`if (${held} !== undefined) ${variable}[${entry(index)}] = ${held};`);
    }
  }

  #mayBeNothing(type: WireType): boolean {
    return resolve(type, lookupIn(this.#named))?.kind === 'union';
  }

  #isAny(type: WireType): boolean {
    return resolve(type, lookupIn(this.#named))?.kind === 'unknown';
  }

  #block(head: string, write: () => boolean): boolean {
    this.lines.push(`${head} {`);
    const isWritten = write();
    this.lines.push('}');
    return isWritten;
  }

  #refuseUnless(test: string): void {
    if (test !== 'true') this.lines.push(`if (!(${test})) return INVALID;`);
  }

  #name(): string {
    this.#names++;
    return `v${this.#names}`;
  }
}

function isPlainScalar(type: WireType): boolean {
  return !type.rules && ['null', 'integer', 'number', 'string', 'boolean', 'literal'].includes(type.kind);
}

/** Undefined for a type without a simple test. */
function testOf(type: WireType, variable: string): string | undefined {
  if (type.kind === 'literal') return `${variable} === ${JSON.stringify(type.value)}`;
  return TESTS[type.kind]?.replaceAll('$', variable);
}
