// Inference: TypeScript 6, through the compiler API that runs in this process.

import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type * as Ts from 'typescript-6';
import type { AbsolutePath } from '../../files/absolute-path.js';
import { NamedPaths } from '../../files/named-paths.js';
import type {
  Compiler,
  Finding,
  Gathered,
  Known,
  ObjectShape,
  Registration,
  Registrations,
  Shape,
  Sources,
  TypeName,
} from '../compiler/compiler.js';
import { placeOf } from '../compiler/place-of.js';
import { settingsWarnings } from '../compiler/settings-findings.js';
import type { Syntax, SyntaxFile, SyntaxNode } from '../compiler/syntax.js';
import { isAlwaysModule } from '../find/always-module.js';
import { findCalls } from '../find/find-calls.js';
import type { RegistrationCall } from '../find/find-registrations.js';
import { firstArgument } from '../find/first-argument.js';
import { isOwnFile, isTestFile } from '../find/own-files.js';
import { referenced } from '../find/referenced.js';
import { overloaded, registered, unreadable } from '../find/registered.js';
import type { AskedOfRoutes } from '../find/registered-route.js';
import { registeringFiles } from '../find/registering-files.js';
import { plainKind } from '../walk/plain-kind.js';
import { ts6Events } from './events.js';
import { propertyOf, readSettings, type Settings, typeName } from './parts.js';
import { responseOf } from './response.js';
import { ts6Routes } from './routes.js';
import { builtInName, declaredAt, isInstance, propertyType } from './symbol.js';

export class Ts6Compiler implements Compiler<Ts.Type> {
  readonly #ts: typeof Ts;
  readonly #config: AbsolutePath;
  readonly #service: Ts.LanguageService;
  readonly #paths = new NamedPaths();
  readonly #versions = new Map<AbsolutePath, number>();
  #program: Ts.Program;
  #checker: Ts.TypeChecker;
  #settings: Settings;
  sources: Sources = { all: [], own: [], registering: [], withRoutes: false };

  constructor(ts: typeof Ts, config: AbsolutePath) {
    this.#ts = ts;
    this.#config = config;
    this.#settings = readSettings(ts, config);
    this.#service = ts.createLanguageService({
      getCompilationSettings: () => this.#settings.options,
      getScriptFileNames: () => this.#settings.fileNames,
      getScriptVersion: (file) =>
        `${this.#versions.get(this.#paths.of(file)) ?? 0} ${statSync(file, { throwIfNoEntry: false })?.mtimeMs}`,
      getScriptSnapshot: (file) => {
        const text = ts.sys.readFile(file);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => dirname(config),
      getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      // A linked workspace package counts as the app's own code.
      ...(ts.sys.realpath && { realpath: ts.sys.realpath }),
      readDirectory: ts.sys.readDirectory,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
    });
    this.#program = this.#open();
    this.#checker = this.#program.getTypeChecker();
  }

  get settingsErrors(): readonly Finding[] {
    return this.#settings.faults;
  }

  registrations(known: Known): Registrations<Ts.Type> {
    const into: Gathered<Ts.Type> = {
      found: [],
      places: [],
      notes: [],
      routes: [],
      sockets: [],
      findings: [],
    };
    const own = this.#program
      .getSourceFiles()
      .filter(({ fileName, isDeclarationFile }) => !isDeclarationFile && isOwnFile(fileName));
    const { files, withRoutes } = registeringFiles(
      own.flatMap(({ fileName, text }) =>
        isTestFile(fileName, this.#config) ? [] : [[this.#paths.of(fileName), text] as const],
      ),
    );
    this.sources = {
      all: this.#pathsOf(this.#program.getSourceFiles()),
      own: this.#pathsOf(own),
      registering: files,
      withRoutes,
    };
    into.findings.push(...settingsWarnings(this.#config, own, this.#program.getCompilerOptions()));
    for (const file of files) {
      const source = known.hasFile(file) ? undefined : this.#program.getSourceFile(this.#paths.nameOf(file));
      if (source === undefined) continue;
      const syntax: Syntax = {
        SyntaxKind: this.#ts.SyntaxKind,
        forEachChild: (node, visit) => {
          this.#ts.forEachChild(node as unknown as Ts.Node, (child) => visit(child as unknown as SyntaxNode));
        },
      };
      const parts = known.unknownIn(file, source as unknown as SyntaxFile, syntax);
      const calls = findCalls(parts, source.text, syntax, withRoutes);
      for (const call of calls.procedures) this.#register(call, source, into);
      ts6Routes(
        calls,
        source,
        { checker: this.#checker, api: this.#ts, asked: this.#asked(), withRoutes },
        into,
      );
    }
    return into;
  }

  imports(file: AbsolutePath): readonly AbsolutePath[] {
    const names = ts6Imports(this.#paths.nameOf(file), this.#program, this.#ts);
    return names.map((name) => this.#paths.of(name));
  }

  isAlwaysModule(file: AbsolutePath): boolean {
    return isAlwaysModule(this.#program.getSourceFile(this.#paths.nameOf(file)));
  }

  #pathsOf(sources: readonly Ts.SourceFile[]): readonly AbsolutePath[] {
    return [...new Set(sources.map(({ fileName }) => this.#paths.of(fileName)))];
  }

  #register(call: RegistrationCall, source: Ts.SourceFile, into: Gathered<Ts.Type>): void {
    const typeAt = (node: unknown) => this.#checker.getTypeAtLocation(node as Ts.Node);
    const registry = typeAt(call.registry);
    if (!isInstance(registry, 'RpcRegistry', this.#checker, this.#ts)) return;
    const place = placeOf(source.fileName, source.text, call.nameNode.getStart());
    const prefix = () => propertyType(registry, 'prefix', this.#checker);
    const { names = [], hasSchema } = registered(call, { ...this.#asked(), prefix }, place, into) ?? {};
    if (hasSchema === undefined) return;
    const handler = call.handler as unknown as Ts.Node;
    const signatures = typeAt(handler).getCallSignatures();
    const [signature] = signatures;
    for (const name of names) {
      if (signature === undefined) into.findings.push({ place, message: unreadable(name) });
      else if (signatures.length > 1)
        into.findings.push({ place, message: overloaded(name, signatures.length) });
      else {
        const input = this.#input(signature, handler);
        into.found.push({
          name,
          kind: call.kind,
          place,
          hasSchema,
          input,
          output: signature.getReturnType(),
        });
      }
    }
  }

  #asked(): AskedOfRoutes<Ts.Type> {
    return {
      typeAt: (node: unknown) => this.#checker.getTypeAtLocation(node as Ts.Node),
      shape: (type) => this.shape(type),
      returned: (type) => this.returned(type),
      declaredAt: (node: unknown) => declaredAt(node as Ts.Node, this.#checker, this.#ts),
    };
  }

  #input(signature: Ts.Signature, handler: Ts.Node): Registration<Ts.Type>['input'] {
    const [parameter, ...others] = signature.getParameters();
    if (parameter === undefined) return undefined;
    const declaration = parameter.valueDeclaration as Ts.ParameterDeclaration | undefined;
    const type = this.#checker.getTypeOfSymbolAtLocation(parameter, handler);
    if (declaration?.dotDotDotToken !== undefined && others.length === 0)
      return firstArgument(this.shape(type));
    const isOptional = declaration?.questionToken !== undefined || declaration?.initializer !== undefined;
    return { type, isOptional };
  }

  identity(type: Ts.Type): number {
    return (type as Ts.Type & { id: number }).id;
  }

  shape(type: Ts.Type): Shape<Ts.Type> {
    const { TypeFlags } = this.#ts;
    const { flags } = type;
    if (flags & TypeFlags.Any) {
      return {
        kind: (type as Ts.Type & { intrinsicName?: string }).intrinsicName === 'error' ? 'error' : 'any',
      };
    }
    const plain = plainKind(flags, TypeFlags);
    if (plain !== undefined) return { kind: plain };
    if (type.isUnion()) return { kind: 'union', members: type.types };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { kind: 'literal', value: type.value };
    if (flags & TypeFlags.BooleanLiteral) {
      return {
        kind: 'literal',
        value: (type as Ts.Type & { intrinsicName?: string }).intrinsicName === 'true',
      };
    }
    if (flags & TypeFlags.StringLike) return { kind: 'string' };
    if (flags & TypeFlags.NumberLike) return { kind: 'number' };
    if (type.isIntersection()) return { kind: 'intersection', members: type.types };
    if (flags & TypeFlags.Instantiable) {
      return { kind: 'parameter', constraint: this.#checker.getBaseConstraintOfType(type) };
    }
    if (flags & TypeFlags.NonPrimitive) return { kind: 'nonprimitive' };
    return this.#reference(type) ?? this.objectShape(type);
  }

  /** Arrays and tuples are references to a generic type. */
  #reference(type: Ts.Type): Shape<Ts.Type> | undefined {
    const checker = this.#checker;
    if (checker.isTupleType(type)) {
      const { ElementFlags } = this.#ts;
      const { elementFlags } = (type as Ts.TupleTypeReference).target;
      return {
        kind: 'tuple',
        items: checker.getTypeArguments(type as Ts.TypeReference).map((item, index) => {
          const flag = elementFlags[index] ?? ElementFlags.Required;
          const isRest = (flag & (ElementFlags.Rest | ElementFlags.Variadic)) !== 0;
          return { type: item, is: isRest ? 'rest' : flag & ElementFlags.Optional ? 'optional' : 'required' };
        }),
      };
    }
    if (!checker.isArrayLikeType(type)) return undefined;
    const [items] = checker.getTypeArguments(type as Ts.TypeReference);
    return items && { kind: 'array', items };
  }

  objectShape(type: Ts.Type): ObjectShape<Ts.Type> {
    const checker = this.#checker;
    const { ESSymbolLike } = this.#ts.TypeFlags;
    // Skips keys that are symbols, and `#private` fields.
    const properties = checker
      .getPropertiesOfType(type)
      .filter(({ escapedName }) => !/^__[@#]/.test(escapedName as string));
    return {
      kind: 'object',
      isCallable: () =>
        type.getCallSignatures().length > 0 ||
        ((properties.length === 0 || properties.some(({ name }) => name === 'prototype')) &&
          type.getConstructSignatures().length > 0),
      builtIn: builtInName(type, checker, this.#ts),
      properties: () => properties.map((property) => propertyOf(property, checker, this.#ts)),
      values: checker
        .getIndexInfosOfType(type)
        .filter(({ keyType }) => (keyType.flags & ESSymbolLike) === 0)
        .map((info) => info.type),
    };
  }

  returned(type: Ts.Type): Ts.Type | undefined {
    return type.getCallSignatures()[0]?.getReturnType();
  }

  response(type: Ts.Type): ReturnType<Compiler<Ts.Type>['response']> {
    return responseOf(type, this.#checker, this.#ts);
  }

  awaited(type: Ts.Type): readonly Ts.Type[] {
    // The awaited type of the whole union would lose the names of its members.
    const members = type.isUnion() ? type.types : [type];
    const awaited = members.map((member) => this.#checker.getAwaitedType(member) ?? member);
    return awaited.every((one, index) => one === members[index]) ? [type] : awaited;
  }

  readonly events = (type: Ts.Type): readonly Ts.Type[] | undefined =>
    ts6Events(type, this.#checker, this.#ts);

  name(type: Ts.Type): TypeName | undefined {
    return typeName(type, this.#checker, this.#ts);
  }

  errors(): readonly Finding[] {
    return this.sources.registering.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const name = this.#paths.nameOf(file);
      return [...this.#service.getSyntacticDiagnostics(name), ...this.#service.getSemanticDiagnostics(name)]
        .filter(({ category }) => category === this.#ts.DiagnosticCategory.Error)
        .map(({ start, messageText, code }) => ({
          place: placeOf(file, text, start ?? 0),
          message: `${this.#ts.flattenDiagnosticMessageText(messageText, '\n')} (TS${code})`,
        }));
    });
  }

  update(changed: readonly AbsolutePath[]): void {
    for (const file of changed) this.#versions.set(file, (this.#versions.get(file) ?? 0) + 1);
    this.#paths.forget();
    this.#settings = readSettings(this.#ts, this.#config);
    this.#program = this.#open();
    this.#checker = this.#program.getTypeChecker();
  }

  close(): void {
    this.#service.dispose();
  }

  #open(): Ts.Program {
    const program = this.#service.getProgram();
    if (program === undefined) throw new Error('TypeScript gave no program');
    return program;
  }
}

/** The files that a source imports, as TypeScript 5.9 and 6 resolve them. */
function ts6Imports(file: string, program: Ts.Program, ts: typeof Ts): readonly string[] {
  const source = program.getSourceFile(file);
  if (source === undefined) return [];
  const options = program.getCompilerOptions();
  const imported = ts.preProcessFile(source.text, true, true).importedFiles.flatMap(({ fileName }) => {
    const { resolvedModule } = ts.resolveModuleName(fileName, file, options, ts.sys);
    return resolvedModule === undefined ? [] : [resolvedModule.resolvedFileName];
  });
  return [...imported, ...referenced(file, source.referencedFiles)];
}
