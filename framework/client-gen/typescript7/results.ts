// Inference: what handlers return: the types that promises resolve to, which the API of TypeScript 7 does not provide,
// and those of events.
import type * as Api from 'typescript/unstable/sync';
import type { Checker, Symbol as TsSymbol, Type, TypeReference } from 'typescript/unstable/sync';
import type { Compiler, Registration } from '../compiler/compiler.js';
import { ITERABLES, isAsyncIterator, TRACKED } from '../walk/iterables.js';
import { typeOrAny } from './panic.js';
import { isDeclared, isInstance } from './symbol.js';

type Responded = ReturnType<Compiler<Type>['response']>;

export class Ts7Results {
  readonly #checker: Checker;
  readonly #api: typeof Api;
  readonly #awaited = new Map<number, readonly Type[]>();
  readonly #responses = new Map<number, Responded>();
  readonly #events = new Map<number, readonly Type[] | undefined>();

  constructor(checker: Checker, api: typeof Api) {
    this.#checker = checker;
    this.#api = api;
  }

  awaited(type: Type): readonly Type[] {
    const known = this.#awaited.get(type.id);
    if (known !== undefined) return known;
    // A thenable that resolves to itself would never end.
    this.#awaited.set(type.id, []);
    try {
      const awaited = this.#await(type);
      this.#awaited.set(type.id, awaited);
      return awaited;
    } catch (error) {
      this.#awaited.delete(type.id);
      throw error;
    }
  }

  /** See `Compiler.events`. */
  events(type: Type): readonly Type[] | undefined {
    if (!this.#events.has(type.id)) this.#events.set(type.id, ts7Events(type, this.#checker, this.#api));
    return this.#events.get(type.id);
  }

  /** See `Compiler.response`. */
  response(type: Type): Responded {
    if (!this.#responses.has(type.id)) {
      this.#responses.set(type.id, responseOf(type, this.#checker, this.#api));
    }
    return this.#responses.get(type.id);
  }

  /** The types that a handler sends: those of its result, or those of the events of a subscription. */
  sent({ kind, output }: Pick<Registration<Type>, 'kind' | 'output'>): readonly Type[] {
    const results = this.awaited(output);
    return kind === 'subscription' ? results.flatMap((one) => this.events(one) ?? [one]) : results;
  }

  #await(type: Type): readonly Type[] {
    if (type.isUnionType()) {
      const members = type.getTypes().map((member) => ({ member, awaited: this.awaited(member) }));
      const isSame = members.every(({ member, awaited }) => awaited.length === 1 && awaited[0] === member);
      return isSame ? [type] : members.flatMap(({ awaited }) => awaited);
    }
    if (!type.isObjectType() && !type.isIntersectionType()) return [type];
    const name = isDeclared(type, this.#api) ? type.getSymbol()?.name : undefined;
    if (name === 'Promise' || name === 'PromiseLike') {
      const [inner] = this.#checker.getTypeArguments(type as TypeReference);
      return inner === undefined ? [type] : this.awaited(inner);
    }
    const then = this.#checker.getPropertyOfType(type, 'then');
    const inner = then && this.#resolved(then);
    return inner === undefined ? [type] : this.awaited(inner);
  }

  /** `V` of `then(resolved: (value: V) => …)`. */
  #resolved(then: TsSymbol): Type | undefined {
    const resolve = this.#firstParameter(this.#checker.getTypeOfSymbol(then));
    return this.#firstParameter(resolve && this.#checker.getNonNullableType(resolve));
  }

  #firstParameter(type: Type | undefined): Type | undefined {
    const [signature] =
      type === undefined ? [] : this.#checker.getSignaturesOfType(type, this.#api.SignatureKind.Call);
    return signature === undefined || signature.getParameters().length === 0
      ? undefined
      : this.#checker.getParameterType(signature, 0);
  }
}

/** The response that a type stands for; see `Compiler.response`. */
function responseOf(type: Type, checker: Checker, api: typeof Api): Responded {
  if (!type.isObjectType() || !isDeclared(type, api)) return undefined;
  if (type.isTypeReference() && type.getSymbol()?.name === 'JsonResponse') {
    const [body, status] = checker.getTypeArguments(type as TypeReference);
    if (body !== undefined && status !== undefined) return { body, status };
  }
  return isInstance(type, 'FwResponse', checker, api) ? 'opaque' : undefined;
}

/** Undefined for a type that is not an async iterable. */
function ts7Events(type: Type, checker: Checker, api: typeof Api): readonly Type[] | undefined {
  const yielded = iterated(type, checker, api, 0);
  if (yielded === undefined) return undefined;
  const members = yielded.isUnionType() ? yielded.getTypes() : [yielded];
  const events = members.map((one) => argumentOf(one, (name) => name === TRACKED, checker, api) ?? one);
  // The members of a union do not have its name.
  return events.every((one, index) => one === members[index]) ? [yielded] : events;
}

/** Classes may return another iterable from their own method, and that one again. */
const DEEPEST = 5;

function iterated(type: Type, checker: Checker, api: typeof Api, depth: number): Type | undefined {
  const known = argumentOf(type, (name) => ITERABLES.has(name), checker, api);
  if (known !== undefined || depth === DEEPEST) return known;
  if (!type.isObjectType() && !type.isIntersectionType()) return undefined;
  const method = checker.getPropertiesOfType(type).find(({ name }) => isAsyncIterator(name));
  const made = method && checker.getTypeOfSymbol(method);
  const [signature] = made === undefined ? [] : checker.getSignaturesOfType(made, api.SignatureKind.Call);
  const returned = signature && checker.getReturnTypeOfSignature(signature);
  return returned && iterated(returned, checker, api, depth + 1);
}

function argumentOf(
  type: Type,
  isWanted: (name: string) => boolean,
  checker: Checker,
  api: typeof Api,
): Type | undefined {
  if (!type.isObjectType() || !isDeclared(type, api) || !type.isTypeReference()) return undefined;
  const name = type.getSymbol()?.name;
  if (name === undefined || !isWanted(name)) return undefined;
  return checker.getTypeArguments(type as TypeReference)[0];
}

export interface ReadSignature {
  /** How many signatures there are; only a single one is read. */
  readonly count: number;
  readonly output?: Type;
  readonly parameter?: TsSymbol;
  /** True for a rest parameter. */
  readonly isRest: boolean;
}

export function ts7Signature(handler: Type | undefined, checker: Checker, api: typeof Api): ReadSignature {
  const signatures = handler ? checker.getSignaturesOfType(handler, api.SignatureKind.Call) : [];
  const [signature] = signatures;
  const count = signatures.length;
  if (signature === undefined || count > 1) return { count, isRest: false };
  const output = typeOrAny(checker, () => checker.getReturnTypeOfSignature(signature));
  const [parameter, ...others] = signature.getParameters();
  const isRest = signature.hasRestParameter && others.length === 0;
  return { count, isRest, ...(output && { output }), ...(parameter && { parameter }) };
}
