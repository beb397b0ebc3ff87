// Inference: the declarations of the symbol of a type or a property in TypeScript 6.
import type * as Ts from 'typescript-6';
import type { Declared, Place } from '../compiler/compiler.js';
import { placeOf } from '../compiler/place-of.js';
import { declaredComment, declaredIn } from '../walk/declared-comment.js';
import type { DocComment } from '../walk/doc-comment.js';
import { isLanguageFile } from '../walk/language-file.js';

/** True if it is declared by JavaScript, by Node or by another package. */
export function isForeign(symbol: Ts.Symbol): boolean {
  const file = fileOf(symbol);
  return file !== undefined && /[\\/]node_modules[\\/]/.test(file);
}

/** The name of the built-in type of JavaScript or Node that this type is or extends. */
export function builtInName(type: Ts.Type, checker: Ts.TypeChecker, api: typeof Ts): string | undefined {
  return findBase(type, (symbol) => isLanguageFile(fileOf(symbol) ?? ''), checker, api)?.name;
}

/** True for a type that may be an instance of the class, or of a subclass. */
export function isInstance(type: Ts.Type, name: string, checker: Ts.TypeChecker, api: typeof Ts): boolean {
  if (type.isUnionOrIntersection()) return type.types.some((one) => isInstance(one, name, checker, api));
  if (type.isTypeParameter()) {
    const constraint = checker.getBaseConstraintOfType(type);
    return constraint !== undefined && isInstance(constraint, name, checker, api);
  }
  return findBase(type, (symbol) => symbol.name === name, checker, api) !== undefined;
}

/** The type of a property; undefined if the type, which may be null or undefined, does not have it. */
export function propertyType(type: Ts.Type, name: string, checker: Ts.TypeChecker): Ts.Type | undefined {
  const symbol = checker.getPropertyOfType(checker.getNonNullableType(type), name);
  return symbol && checker.getTypeOfSymbol(symbol);
}

/** The first match among the type itself and the types that it extends. */
function findBase(
  type: Ts.Type,
  isWanted: (symbol: Ts.Symbol) => boolean,
  checker: Ts.TypeChecker,
  api: typeof Ts,
): Ts.Symbol | undefined {
  // Mapped types are declared by the language too, but count as their result.
  const symbol = isDeclared(type, api) ? type.getSymbol() : undefined;
  if (symbol === undefined || isWanted(symbol)) return symbol;
  const declared = (type as Ts.TypeReference).target ?? type;
  if (!declared.isClassOrInterface()) return undefined;
  for (const base of checker.getBaseTypes(declared)) {
    const found = findBase(base, isWanted, checker, api);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** False for anonymous object types, mapped types, and `typeof` of an enum or a class. */
export function isDeclared(type: Ts.Type, { ObjectFlags, TypeFlags }: typeof Ts): boolean {
  if ((type.flags & TypeFlags.Object) === 0) return true;
  return ((type as Ts.ObjectType).objectFlags & (ObjectFlags.ClassOrInterface | ObjectFlags.Reference)) !== 0;
}

export function placeOfSymbol(symbol: Ts.Symbol): Place | undefined {
  const node = symbol.declarations?.[0];
  const source = node?.getSourceFile();
  return node && source && placeOf(source.fileName, source.text, node.getStart());
}

/** What a name in the source stands for, which may be imported. */
export function declaredAt(node: Ts.Node, checker: Ts.TypeChecker, api: typeof Ts): Declared | undefined {
  const symbol = checker.getSymbolAtLocation(node);
  if (symbol === undefined) return undefined;
  const target = symbol.flags & api.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const [declaration] = target.declarations ?? [];
  return declaration === undefined || isForeign(target) ? undefined : declaredIn(declaration);
}

/** Undefined for declarations of other packages. */
export function commentOfSymbol(symbol: Ts.Symbol): DocComment | undefined {
  const [declaration] = symbol.declarations ?? [];
  return declaration === undefined || isForeign(symbol) ? undefined : declaredComment(declaration);
}

function fileOf(symbol: Ts.Symbol): string | undefined {
  return symbol.declarations?.[0]?.getSourceFile().fileName;
}
