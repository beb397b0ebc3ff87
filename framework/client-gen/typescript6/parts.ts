// Inference: the properties and names of types in TypeScript 6, with their documentation.

import { dirname } from 'node:path';
import type * as Ts from 'typescript-6';
import { absolutePath } from '../../files/absolute-path.js';
import type { Finding, Property, TypeName } from '../compiler/compiler.js';
import { settingsErrors } from '../compiler/settings-findings.js';
import { isTopLevel } from '../compiler/syntax.js';
import { commentOfSymbol, isDeclared, isForeign, placeOfSymbol } from './symbol.js';

export function propertyOf(symbol: Ts.Symbol, checker: Ts.TypeChecker, api: typeof Ts): Property<Ts.Type> {
  const { SymbolFlags } = api;
  return {
    name: symbol.name,
    type: checker.getTypeOfSymbol(symbol),
    isOptional: (symbol.flags & SymbolFlags.Optional) !== 0,
    isGetter: (symbol.flags & SymbolFlags.Accessor) !== 0 && isMemberOfClass(symbol, api),
    description: descriptionOf(symbol, checker, api),
    comment: () => commentOfSymbol(symbol),
    place: () => (isForeign(symbol) ? undefined : placeOfSymbol(symbol)),
  };
}

function descriptionOf(symbol: Ts.Symbol, checker: Ts.TypeChecker, api: typeof Ts): string | undefined {
  const text = api.displayPartsToString(symbol.getDocumentationComment(checker));
  return text === '' ? undefined : text;
}

function isMemberOfClass(symbol: Ts.Symbol, { SymbolFlags }: typeof Ts): boolean {
  const { parent } = symbol as Ts.Symbol & { parent?: Ts.Symbol };
  return ((parent?.flags ?? 0) & SymbolFlags.Class) !== 0;
}

/** Undefined for anonymous and generic types, and for types of other packages. */
export function typeName(type: Ts.Type, checker: Ts.TypeChecker, api: typeof Ts): TypeName | undefined {
  const { SymbolFlags } = api;
  const named = SymbolFlags.Interface | SymbolFlags.Class | SymbolFlags.Enum;
  const own = isDeclared(type, api) ? type.getSymbol() : undefined;
  const symbol = type.aliasSymbol ?? (own !== undefined && own.flags & named ? own : undefined);
  if (symbol === undefined || symbol.name.startsWith('__') || isForeign(symbol)) return undefined;
  const args =
    type.aliasSymbol !== undefined ? (type.aliasTypeArguments ?? []) : ownArguments(type, checker, api);
  const name = symbol.declarations?.[0]?.getSourceFile().fileName;
  if (args.length > 0 || name === undefined) return undefined;
  const file = absolutePath(name);
  const { parent } = symbol as Ts.Symbol & { parent?: unknown };
  return {
    name: symbol.name,
    isExported: parent !== undefined,
    file,
    isTopLevel: () => symbol.declarations?.every(isTopLevel) === true,
    description: () => descriptionOf(symbol, checker, api),
    comment: () => commentOfSymbol(symbol),
    place: () => placeOfSymbol(symbol) ?? { file, line: 1, column: 1 },
  };
}

/** The type arguments, without that for `this`. */
function ownArguments(
  type: Ts.Type,
  checker: Ts.TypeChecker,
  { ObjectFlags }: typeof Ts,
): readonly Ts.Type[] {
  if (((type as Ts.ObjectType).objectFlags & ObjectFlags.Reference) === 0) return [];
  return checker
    .getTypeArguments(type as Ts.TypeReference)
    .filter((one) => !(one as { isThisType?: boolean }).isThisType);
}

export interface Settings {
  readonly options: Ts.CompilerOptions;
  readonly fileNames: string[];
  readonly faults: readonly Finding[];
}

export function readSettings(ts: typeof Ts, config: string): Settings {
  const source = ts.readJsonConfigFile(config, ts.sys.readFile);
  const { options, fileNames, errors } = ts.parseJsonSourceFileConfigFileContent(
    source,
    ts.sys,
    dirname(config),
  );
  const { parseDiagnostics = [] } = source as { parseDiagnostics?: readonly Ts.Diagnostic[] };
  // TypeScript reports some of them twice.
  const faults = [...new Set([...parseDiagnostics, ...errors])].map(({ file, start, messageText, code }) => ({
    file: file?.fileName,
    offset: start,
    text: ts.flattenDiagnosticMessageText(messageText, '\n'),
    code,
  }));
  return { options, fileNames, faults: settingsErrors(config, faults) };
}
