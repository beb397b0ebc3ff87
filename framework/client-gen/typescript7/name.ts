// Inference: the name under which TypeScript 7 declares a type.
import type * as Api from 'typescript/unstable/sync';
import type { Checker, Project, Type, TypeReference } from 'typescript/unstable/sync';
import { absolutePath } from '../../files/absolute-path.js';
import type { TypeName } from '../compiler/compiler.js';
import { isTopLevel } from '../compiler/syntax.js';
import { referenced } from '../find/referenced.js';
import { documentationOf, hasOwnName, isForeign, placeOfSymbol } from './symbol.js';

/** Undefined for anonymous and generic types, and for types of other packages. */
export function typeName(type: Type, checker: Checker, api: typeof Api): TypeName | undefined {
  const alias = type.getAliasSymbol();
  const symbol = alias ?? (hasOwnName(type, api) ? type.getSymbol() : undefined);
  if (symbol === undefined || symbol.name.startsWith('__') || isForeign(symbol)) return undefined;
  const isGeneric =
    alias === undefined
      ? type.isTypeReference() && checker.getTypeArguments(type as TypeReference).length > 0
      : type.getAliasTypeArguments().length > 0;
  const path = symbol.declarations[0]?.path;
  if (isGeneric || path === undefined) return undefined;
  const file = absolutePath(path);
  const documentation = documentationOf(symbol, checker);
  return {
    name: symbol.name,
    isExported: symbol.getParent() !== undefined,
    file,
    isTopLevel: () => symbol.declarations.every((one) => isTopLevel(one.resolve())),
    description: () => documentation().description,
    comment: () => documentation().comment,
    place: () => placeOfSymbol(symbol) ?? { file, line: 1, column: 1 },
  };
}

/**
 * The names of the program: where the disk ignores case, declarations have theirs in lower case.
 *
 * @param file its name
 */
export function ts7Imports(file: string, { program, checker }: Project): readonly string[] {
  const source = program.getSourceFile(file);
  if (source === undefined) return [];
  const modules = source.imports.length === 0 ? [] : checker.getSymbolAtLocation(source.imports);
  const paths = modules.flatMap((module) => module?.declarations.map(({ path }) => path) ?? []);
  const imported = paths.map((path) => program.getSourceFile(path)?.fileName ?? path);
  return [...imported, ...referenced(file, source.referencedFiles)];
}
