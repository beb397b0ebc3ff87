// Inference: the properties of TypeScript 7's types. Each query is a round trip to the compiler's process, and only
// the query for types accepts many symbols at once, so the types that a walk needs are queried level by level before.
import type * as Api from 'typescript/unstable/sync';
import type { Checker, Symbol as TsSymbol, Type } from 'typescript/unstable/sync';
import type { Compiler, Property, Shape } from '../compiler/compiler.js';
import { typesOfSymbols } from './panic.js';
import type { Ts7Pipeline } from './pipeline.js';
import { documentationOf, isForeign, isMemberOfClass, placeOfSymbol } from './symbol.js';

/** Deeper types are queried when they are needed, because generic types may be infinite. */
const LEVELS = 12;

export class Ts7Properties {
  readonly #checker: Checker;
  readonly #flags: typeof Api.SymbolFlags;
  readonly #pipeline: Ts7Pipeline;
  readonly #listed = new Map<number, readonly Property<Type>[]>();

  constructor(checker: Checker, flags: typeof Api.SymbolFlags, pipeline: Ts7Pipeline) {
    this.#checker = checker;
    this.#flags = flags;
    this.#pipeline = pipeline;
  }

  of(type: Type): readonly Property<Type>[] {
    const known = this.#listed.get(type.id);
    if (known !== undefined) return known;
    this.#list([type]);
    return this.#listed.get(type.id) ?? [];
  }

  /** @param compiler queries one type */
  prefetch(roots: readonly Type[], compiler: Pick<Compiler<Type>, 'shape' | 'name'>): void {
    const seen = new Set<number>();
    let level = roots;
    for (let depth = 0; depth < LEVELS && level.length > 0; depth++) {
      const fresh = level.filter(({ id }) => !seen.has(id) && seen.add(id));
      const shapes = this.#pipeline.each(fresh, (type) => ({ type, shape: compiler.shape(type) }));
      this.#list(shapes.filter(({ shape }) => hasProperties(shape)).map(({ type }) => type));
      this.#pipeline.prepare(shapes, ({ shape }) => shape.kind === 'object' && shape.isCallable());
      const properties = shapes.flatMap(({ type }) => this.#listed.get(type.id) ?? []);
      this.#pipeline.prepare(properties, (property) => property.description);
      this.#pipeline.prepare(fresh, (type) => compiler.name(type)?.description());
      level = shapes.flatMap(({ type, shape }) => this.#inside(type, shape));
    }
  }

  #inside(type: Type, shape: Shape<Type>): readonly Type[] {
    switch (shape.kind) {
      case 'union':
      case 'intersection':
        return shape.members;
      case 'array':
        return [shape.items];
      case 'tuple':
        return shape.items.map((item) => item.type);
      case 'object': {
        const listed = this.#listed.get(type.id) ?? [];
        // A type with toJSON is sent as the result of that.
        return listed.some(({ name }) => name === 'toJSON')
          ? []
          : [...listed.map((property) => property.type), ...shape.values];
      }
      default:
        return [];
    }
  }

  #list(types: readonly Type[]): void {
    const wanted = types.filter(({ id }) => !this.#listed.has(id));
    this.#pipeline.prepare(wanted, (type) => this.#checker.getPropertiesOfType(type));
    const symbols = wanted.map((type) =>
      this.#checker.getPropertiesOfType(type).filter(({ name }) => !/^__[@#]/.test(name)),
    );
    const all = symbols.flat();
    const found = typesOfSymbols(this.#checker, all);
    let at = 0;
    wanted.forEach((type, index) => {
      const own = symbols[index] ?? [];
      this.#listed.set(
        type.id,
        own.flatMap((symbol) => this.#property(symbol, found[at++])),
      );
    });
  }

  #property(symbol: TsSymbol, type: Type | undefined): Property<Type>[] {
    if (type === undefined) return [];
    const documentation = documentationOf(symbol, this.#checker);
    return [
      {
        name: symbol.name,
        type,
        isOptional: (symbol.flags & this.#flags.Optional) !== 0,
        isGetter: (symbol.flags & this.#flags.Accessor) !== 0 && isMemberOfClass(symbol, this.#flags),
        get description() {
          return documentation().description;
        },
        comment: () => documentation().comment,
        place: () => (isForeign(symbol) ? undefined : placeOfSymbol(symbol)),
      },
    ];
  }
}

function hasProperties(shape: Shape<Type>): boolean {
  return shape.kind === 'object' ? shape.builtIn === undefined : shape.kind === 'intersection';
}
