// Inference: the name, declarations and documentation of the symbol of a type or a property in TypeScript 7.

import type { Node } from 'typescript/unstable/ast';
import type * as Api from 'typescript/unstable/sync';
import type { Checker, InterfaceType, Symbol as TsSymbol, Type } from 'typescript/unstable/sync';
import type { Declared, Place } from '../compiler/compiler.js';
import { placeOf } from '../compiler/place-of.js';
import { declaredComment, declaredIn } from '../walk/declared-comment.js';
import type { DocComment } from '../walk/doc-comment.js';
import { isLanguageFile } from '../walk/language-file.js';

/** True if it is declared by JavaScript, by Node or by another package. */
export function isForeign(symbol: TsSymbol): boolean {
  const path = symbol.declarations[0]?.path;
  return path !== undefined && /[\\/]node_modules[\\/]|^bundled:/.test(path);
}

/** The name of the built-in type of JavaScript or Node that this type is or extends. */
export function builtInName(type: Type, checker: Checker, api: typeof Api): string | undefined {
  const isBuiltIn = ({ declarations }: TsSymbol) => isLanguageFile(declarations[0]?.path ?? '');
  return findBase(type, isBuiltIn, checker, api)?.name;
}

/** True for a type that may be an instance of the class, or of a subclass. */
export function isInstance(type: Type, name: string, checker: Checker, api: typeof Api): boolean {
  if (type.isUnionType() || type.isIntersectionType()) {
    return type.getTypes().some((one) => isInstance(one, name, checker, api));
  }
  if (type.isTypeParameter()) {
    const constraint = checker.getBaseConstraintOfType(type);
    return constraint !== undefined && isInstance(constraint, name, checker, api);
  }
  return findBase(type, (symbol) => symbol.name === name, checker, api) !== undefined;
}

/** The type of a property; undefined if the type, which may be null or undefined, does not have it. */
export function propertyType(type: Type, name: string, checker: Checker): Type | undefined {
  const whole = checker.getNonNullableType(type);
  const symbol = whole && checker.getPropertyOfType(whole, name);
  return symbol && checker.getTypeOfSymbol(symbol);
}

/** The first match among the type itself and the types that it extends. */
function findBase(
  type: Type,
  isWanted: (symbol: TsSymbol) => boolean,
  checker: Checker,
  api: typeof Api,
): TsSymbol | undefined {
  const symbol = type.isObjectType() && isDeclared(type, api) ? type.getSymbol() : undefined;
  if (symbol === undefined || isWanted(symbol)) return symbol;
  // The source shows without a round trip whether there is a base type to query.
  if (!symbol.declarations.some((one) => hasHeritage(one.resolve()))) return undefined;
  const declared = type.isTypeReference() ? type.getTarget() : type;
  for (const base of checker.getBaseTypes(declared as InterfaceType)) {
    const found = findBase(base, isWanted, checker, api);
    if (found !== undefined) return found;
  }
  return undefined;
}

function hasHeritage(node: unknown): boolean {
  const { heritageClauses } = (node ?? {}) as { readonly heritageClauses?: { readonly length: number } };
  return heritageClauses !== undefined && heritageClauses.length > 0;
}

export function placeOfSymbol(symbol: TsSymbol): Place | undefined {
  const node = symbol.declarations[0]?.resolve();
  if (node === undefined) return undefined;
  const source = node.getSourceFile();
  return placeOf(source.fileName, source.text, node.getStart());
}

/** What the comment of a declaration says. */
interface Documentation {
  /** The text before the tags, as the compiler reads it. */
  readonly description?: string;
  readonly comment?: DocComment | undefined;
}

/** Reads it when it is called, once. */
export function documentationOf(symbol: TsSymbol, checker: Checker): () => Documentation {
  let known: Documentation | undefined;
  return () => {
    known ??= readDocumentation(symbol, checker);
    return known;
  };
}

/** Queries the compiler only if the source has a comment, because a query is a round trip. */
function readDocumentation(symbol: TsSymbol, checker: Checker): Documentation {
  const node = isForeign(symbol) ? undefined : symbol.declarations[0]?.resolve();
  if (node === undefined) return {};
  const before = node.getSourceFile().text.slice(node.pos, node.getStart());
  if (!before.includes('/**')) return {};
  const description = symbol.getDocumentationComment(checker);
  return { ...(description !== '' && { description }), comment: declaredComment(node) };
}

/** What a name in the source stands for, which may be imported. */
export function declaredAt(node: Node, checker: Checker, { SymbolFlags }: typeof Api): Declared | undefined {
  const symbol = checker.getSymbolAtLocation(node);
  if (symbol === undefined) return undefined;
  const target = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declaration = isForeign(target) ? undefined : target.declarations[0]?.resolve();
  return declaration === undefined ? undefined : declaredIn(declaration);
}

export function isOptionalParameter(parameter: TsSymbol): boolean {
  const node = parameter.valueDeclaration?.resolve() as
    | { questionToken?: unknown; initializer?: unknown }
    | undefined;
  return node?.questionToken !== undefined || node?.initializer !== undefined;
}

export function isMemberOfClass(symbol: TsSymbol, { Class }: typeof Api.SymbolFlags): boolean {
  return ((symbol.getParent()?.flags ?? 0) & Class) !== 0;
}

/** False for anonymous object types, which have no name to query. */
export function isDeclared(type: Type, { ObjectFlags }: typeof Api): boolean {
  if (!type.isObjectType()) return true;
  return (type.objectFlags & (ObjectFlags.ClassOrInterface | ObjectFlags.Reference)) !== 0;
}

/** True for the type of an object literal and for mapped types, which have no signatures to query. */
export function isPlainObject(type: Type, { ObjectFlags }: typeof Api): boolean {
  return type.isObjectType() && (type.objectFlags & (ObjectFlags.ObjectLiteral | ObjectFlags.Mapped)) !== 0;
}

/** True for interfaces, classes and enums; other names are those of type aliases. */
export function hasOwnName(type: Type, api: typeof Api): boolean {
  if (!isDeclared(type, api)) return false;
  const { Interface, Class, RegularEnum, ConstEnum } = api.SymbolFlags;
  const flags = type.getSymbol()?.flags ?? 0;
  return (flags & (Interface | Class | RegularEnum | ConstEnum)) !== 0;
}
