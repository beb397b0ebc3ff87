// Inference: the types that promises resolve to, which the API of TypeScript 7 does not provide.
import type * as Api from 'typescript/unstable/sync';
import type { Checker, Symbol as TsSymbol, Type, TypeReference } from 'typescript/unstable/sync';
import { isDeclared } from './ts7-symbol.js';

export class Ts7Awaited {
  readonly #checker: Checker;
  readonly #api: typeof Api;
  readonly #known = new Map<number, readonly Type[]>();

  constructor(checker: Checker, api: typeof Api) {
    this.#checker = checker;
    this.#api = api;
  }

  of(type: Type): readonly Type[] {
    const known = this.#known.get(type.id);
    if (known !== undefined) return known;
    // A thenable that resolves to itself would never end.
    this.#known.set(type.id, []);
    try {
      const awaited = this.#await(type);
      this.#known.set(type.id, awaited);
      return awaited;
    } catch (error) {
      this.#known.delete(type.id);
      throw error;
    }
  }

  #await(type: Type): readonly Type[] {
    if (type.isUnionType()) {
      const members = type.getTypes().map((member) => ({ member, awaited: this.of(member) }));
      const isSame = members.every(({ member, awaited }) => awaited.length === 1 && awaited[0] === member);
      return isSame ? [type] : members.flatMap(({ awaited }) => awaited);
    }
    if (!type.isObjectType() && !type.isIntersectionType()) return [type];
    const name = isDeclared(type, this.#api) ? type.getSymbol()?.name : undefined;
    if (name === 'Promise' || name === 'PromiseLike') {
      const [inner] = this.#checker.getTypeArguments(type as TypeReference);
      return inner === undefined ? [type] : this.of(inner);
    }
    const then = this.#checker.getPropertyOfType(type, 'then');
    const inner = then && this.#resolved(then);
    return inner === undefined ? [type] : this.of(inner);
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
