// Inference: TypeScript 7, through its API over a pipe to the native compiler.
import { readFileSync } from 'node:fs';
import type * as Ast from 'typescript/unstable/ast';
import type * as Api from 'typescript/unstable/sync';
import type { Type } from 'typescript/unstable/sync';
import type { AbsolutePath } from '../../files/absolute-path.js';
import type {
  Compiler,
  Finding,
  Gathered,
  Known,
  ObjectShape,
  Place,
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
import { overloaded, registered, unreadable } from '../find/registered.js';
import type { AskedOfRoutes } from '../find/registered-route.js';
import { registeringFiles } from '../find/registering-files.js';
import { plainKind } from '../walk/plain-kind.js';
import { ts7Errors, ts7SettingsErrors } from './findings.js';
import { ts7Imports, typeName } from './name.js';
import { listShape, ts7Object } from './object.js';
import { typeOrAny, typesOfSymbols } from './panic.js';
import type { Ts7Pipeline } from './pipeline.js';
import { Ts7Program } from './program.js';
import { Ts7Properties } from './properties.js';
import { type ReadSignature, Ts7Results, ts7Signature } from './results.js';
import { bodiesOf, eventDataOf, ts7Routes } from './routes.js';
import { declaredAt, isInstance, isOptionalParameter, propertyType } from './symbol.js';

/** The modules of the project's own TypeScript 7. */
export interface Ts7Modules {
  readonly api: typeof Api;
  readonly ast: typeof Ast;
}

/** A registration, before the type of the parameter is known. */
interface Signed extends Omit<Registration<Type>, 'input'>, Omit<ReadSignature, 'count' | 'output'> {}

interface PlacedCall {
  readonly call: RegistrationCall;
  readonly registry: Type;
  readonly handler: Type | undefined;
  readonly place: Place;
}

function nothing(): Gathered<Type> {
  return { found: [], places: [], notes: [], routes: [], sockets: [], findings: [] };
}

export class Ts7Compiler implements Compiler<Type> {
  readonly #modules: Ts7Modules;
  readonly #config: AbsolutePath;
  readonly #open: Ts7Program;
  sources: Sources = { all: [], own: [], registering: [], withRoutes: false };
  /** A cache, because each query is a round trip to another process. */
  readonly #shapes = new Map<number, Shape<Type>>();
  readonly #names = new Map<number, TypeName | undefined>();
  readonly #prefixes = new Map<number, Type | undefined>();
  readonly #pipeline: Ts7Pipeline;
  readonly #asked: AskedOfRoutes<Type>;
  /** Undefined until they are needed, because they wait until the program is read. */
  #read: { readonly properties: Ts7Properties; readonly results: Ts7Results } | undefined;

  /** Starts the compiler, which reads the program while this process goes on. */
  constructor(modules: Ts7Modules, config: AbsolutePath, once: boolean) {
    this.#modules = modules;
    this.#config = config;
    this.#open = new Ts7Program(modules.api, config, once);
    this.#pipeline = this.#open.pipeline;
    this.#asked = {
      typeAt: (node) => this.#open.checker.getTypeAtLocation(node as Ast.Node),
      shape: (type) => this.shape(type),
      returned: (type) => this.returned(type),
      declaredAt: (node) => declaredAt(node as Ast.Node, this.#open.checker, modules.api),
    };
  }

  open(): void {
    void this.#open.project;
  }

  registrations(known: Known): Registrations<Type> {
    const into = nothing();
    const signed: Signed[] = [];
    const { program, checker } = this.#open;
    const { api } = this.#modules;
    const names = this.#open.files();
    const own = names.filter(isOwnFile);
    const { files, withRoutes } = registeringFiles(
      own
        .filter((file) => !isTestFile(file, this.#config))
        .map((file) => [file, readFileSync(file, 'utf8')] as const),
    );
    this.sources = { all: names, own, registering: files, withRoutes };
    into.findings.push(...settingsWarnings(this.#config, own, this.#open.project.compilerOptions));
    for (const file of files) {
      const source = known.hasFile(file) ? undefined : program.getSourceFile(this.#open.nameOf(file));
      if (source === undefined) continue;
      const syntax: Syntax = {
        SyntaxKind: this.#modules.ast.SyntaxKind,
        forEachChild: (node, visit) => {
          (node as unknown as Ast.Node).forEachChild((child) => visit(child as unknown as SyntaxNode));
        },
      };
      const parts = known.unknownIn(file, source as unknown as SyntaxFile, syntax);
      const found = findCalls(parts, source.text, syntax, withRoutes);
      const { procedures } = found;
      const nodes = procedures.flatMap(
        ({ registry, handler }) => [registry, handler] as unknown as Ast.Node[],
      );
      const types = nodes.length === 0 ? [] : checker.getTypeAtLocation(nodes);
      const calls = procedures.flatMap((call, index) => {
        const [registry, handler] = [types[index * 2], types[index * 2 + 1]];
        if (registry === undefined || !isInstance(registry, 'RpcRegistry', checker, api)) return [];
        return [
          { call, registry, handler, place: placeOf(source.fileName, source.text, call.nameNode.getStart()) },
        ];
      });
      this.#pipeline.prepare(calls, (one) => this.#register(one, nothing()));
      for (const one of calls) signed.push(...this.#register(one, into));
      const around = { checker, api, pipeline: this.#pipeline, asked: this.#asked, withRoutes };
      ts7Routes(found, source, around, into);
    }
    into.found.push(...this.#complete(signed));
    const outputs = into.routes.flatMap(({ output }) => (output === undefined ? [] : [output]));
    const leaves = this.#pipeline.each(outputs, (output) =>
      this.awaited(output).flatMap((type) => bodiesOf(type, (one) => this.response(one))),
    );
    const roots = [...leaves.flat(), ...into.sockets.flatMap(eventDataOf)];
    this.#properties.prefetch(roots, this);
    return into;
  }

  imports(file: AbsolutePath): readonly AbsolutePath[] {
    return this.#open.pathsOf(ts7Imports(this.#open.nameOf(file), this.#open.project));
  }

  isAlwaysModule(file: AbsolutePath): boolean {
    return isAlwaysModule(this.#open.program.getSourceFile(this.#open.nameOf(file)));
  }

  #register({ call, registry, handler, place }: PlacedCall, into: Gathered<Type>): Signed[] {
    const asked = { ...this.#asked, prefix: () => this.#prefixOf(registry) };
    const { names = [], hasSchema } = registered(call, asked, place, into) ?? {};
    if (hasSchema === undefined) return [];
    const { count, ...signature } = ts7Signature(handler, this.#open.checker, this.#modules.api);
    return names.flatMap((name) => {
      const { output } = signature;
      if (output === undefined || count > 1) {
        const message = count > 1 ? overloaded(name, count) : unreadable(name);
        into.findings.push({ place, message });
        return [];
      }
      return [{ name, kind: call.kind, place, hasSchema, ...signature, output }];
    });
  }

  #prefixOf(registry: Type): Type | undefined {
    if (!this.#prefixes.has(registry.id)) {
      this.#prefixes.set(registry.id, propertyType(registry, 'prefix', this.#open.checker));
    }
    return this.#prefixes.get(registry.id);
  }

  /** Adds the types of the parameters and of their contents, in as few queries as possible. */
  #complete(signed: readonly Signed[]): Registration<Type>[] {
    const parameters = signed.flatMap(({ parameter }) => (parameter === undefined ? [] : [parameter]));
    const types = typesOfSymbols(this.#open.checker, parameters);
    const typeOf = new Map(parameters.map((parameter, index) => [parameter, types[index]]));
    const found = signed.map(({ parameter, isRest, ...one }) => {
      const type = parameter && typeOf.get(parameter);
      if (type !== undefined && isRest) return { ...one, input: firstArgument(this.shape(type)) };
      const isOptional = parameter !== undefined && isOptionalParameter(parameter);
      return { ...one, input: type && { type, isOptional } };
    });
    const sent = this.#pipeline.each(found, (one) => (one.hasSchema.output ? [] : this.#results.sent(one)));
    const inputs = found.flatMap(({ input, hasSchema }) =>
      input === undefined || hasSchema.input ? [] : [input.type],
    );
    this.#properties.prefetch([...inputs, ...sent.flat()], this);
    return found;
  }

  identity(type: Type): number {
    return type.id;
  }

  shape(type: Type): Shape<Type> {
    const known = this.#shapes.get(type.id);
    if (known !== undefined) return known;
    const shape = this.#look(type);
    this.#shapes.set(type.id, shape);
    return shape;
  }

  #look(type: Type): Shape<Type> {
    const { TypeFlags } = this.#modules.api;
    const { flags } = type;
    if (type.isErrorType()) return { kind: 'error' };
    if (flags & TypeFlags.Any) return { kind: 'any' };
    const plain = plainKind(flags, TypeFlags);
    if (plain !== undefined) return { kind: plain };
    if (type.isUnionType()) return { kind: 'union', members: type.getTypes() };
    if (type.isLiteralType()) return { kind: 'literal', value: type.value as string | number | boolean };
    if (flags & TypeFlags.StringLike) return { kind: 'string' };
    if (flags & TypeFlags.NumberLike) return { kind: 'number' };
    if (type.isIntersectionType()) return { kind: 'intersection', members: type.getTypes() };
    if (flags & TypeFlags.Instantiable) {
      return { kind: 'parameter', constraint: this.#open.checker.getBaseConstraintOfType(type) };
    }
    if (flags & TypeFlags.NonPrimitive) return { kind: 'nonprimitive' };
    return listShape(type, this.#open.checker, this.#modules.api) ?? this.objectShape(type);
  }

  objectShape(type: Type): ObjectShape<Type> {
    return ts7Object(type, () => this.#properties.of(type), this.#open.checker, this.#modules.api);
  }

  returned(type: Type): Type | undefined {
    const { checker } = this.#open;
    const [signature] = checker.getSignaturesOfType(type, this.#modules.api.SignatureKind.Call);
    return signature && typeOrAny(checker, () => checker.getReturnTypeOfSignature(signature));
  }

  response(type: Type): ReturnType<Compiler<Type>['response']> {
    return this.#results.response(type);
  }

  awaited(type: Type): readonly Type[] {
    return this.#results.awaited(type);
  }

  events(type: Type): readonly Type[] | undefined {
    return this.#results.events(type);
  }

  name(type: Type): TypeName | undefined {
    if (!this.#names.has(type.id)) {
      this.#names.set(type.id, typeName(type, this.#open.checker, this.#modules.api));
    }
    return this.#names.get(type.id);
  }

  get settingsErrors(): readonly Finding[] {
    return ts7SettingsErrors(this.#config, this.#open.program);
  }

  errors(): readonly Finding[] {
    const names = this.sources.registering.map((file) => this.#open.nameOf(file));
    return ts7Errors(names, this.#open.program, this.#modules.api);
  }

  update(changed: readonly AbsolutePath[]): void {
    this.#open.update(changed);
    this.#read = undefined;
    this.#shapes.clear();
    this.#names.clear();
    this.#prefixes.clear();
  }

  close(): void {
    this.#open.close();
  }

  get #properties(): Ts7Properties {
    return this.#reading.properties;
  }

  get #results(): Ts7Results {
    return this.#reading.results;
  }

  get #reading() {
    const { api } = this.#modules;
    this.#read ??= {
      properties: new Ts7Properties(this.#open.checker, api.SymbolFlags, this.#pipeline),
      results: new Ts7Results(this.#open.checker, api),
    };
    return this.#read;
  }
}
