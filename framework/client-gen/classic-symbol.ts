// Inference: what TypeScript 6 knows of the symbol of a type or a property: where it is declared, and by whom.
import type * as Ts from 'typescript-6';
import type { Place } from './compiler.js';
import { isLanguageFile } from './language-file.js';
import { placeOf } from './place-of.js';

/** Declared by the language, by Node or by another package. */
export function isForeign(symbol: Ts.Symbol): boolean {
  const file = fileOf(symbol);
  return file !== undefined && /[\\/]node_modules[\\/]/.test(file);
}

/** The name of the language's or Node's type that this is, or that it extends. */
export function builtInName(type: Ts.Type, checker: Ts.TypeChecker, api: typeof Ts): string | undefined {
  const symbol = type.getSymbol();
  // Mapped types are declared by the language too, but are what they map to.
  if (symbol === undefined || !isDeclared(type, api)) return undefined;
  const file = fileOf(symbol);
  if (file !== undefined && isLanguageFile(file)) return symbol.name;
  const declared = (type as Ts.TypeReference).target ?? type;
  if (!declared.isClassOrInterface()) return undefined;
  for (const base of checker.getBaseTypes(declared)) {
    const name = builtInName(base, checker, api);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** False for object types that are written where they are used, mapped types, and `typeof` of an enum or a class. */
export function isDeclared(type: Ts.Type, { ObjectFlags, TypeFlags }: typeof Ts): boolean {
  if ((type.flags & TypeFlags.Object) === 0) return true;
  return ((type as Ts.ObjectType).objectFlags & (ObjectFlags.ClassOrInterface | ObjectFlags.Reference)) !== 0;
}

export function placeOfSymbol(symbol: Ts.Symbol): Place | undefined {
  const node = symbol.declarations?.[0];
  const source = node?.getSourceFile();
  return node && source && placeOf(source.fileName, source.text, node.getStart());
}

function fileOf(symbol: Ts.Symbol): string | undefined {
  return symbol.declarations?.[0]?.getSourceFile().fileName;
}
