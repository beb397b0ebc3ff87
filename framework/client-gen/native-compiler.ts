// Inference: TypeScript 7, through its API over a pipe to the native compiler.
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type * as Ast from 'typescript/unstable/ast';
import type * as Api from 'typescript/unstable/sync';
import type { Project, Symbol as TsSymbol, Type, TypeReference } from 'typescript/unstable/sync';
import type {
  Compiler,
  Finding,
  Gathered,
  ObjectShape,
  Place,
  Registration,
  Registrations,
  Shape,
  Sources,
  TypeName,
} from './compiler.js';
import {
  findRegistrations,
  mayRegister,
  type RegistrationCall,
  type SyntaxNode,
} from './find-registrations.js';
import { fileChanges } from './native-changes.js';
import { NativeProperties } from './native-properties.js';
import { hasOwnName, isDeclared, isForeign, placeOfSymbol } from './native-symbol.js';
import { placeOf } from './place-of.js';

/** The modules of the project's own TypeScript 7. */
export interface NativeModules {
  readonly api: typeof Api;
  readonly ast: typeof Ast;
}

/** A registration whose parameter's type is not known yet. */
interface Signed extends Omit<Registration<Type>, 'input'> {
  readonly parameter: TsSymbol | undefined;
}

export class NativeCompiler implements Compiler<Type> {
  readonly #modules: NativeModules;
  readonly #api: Api.API;
  readonly #config: string;
  #snapshot: Api.Snapshot;
  #project: Project;
  sources: Sources = { own: [], registering: [] };
  #known: ReadonlySet<string> = new Set();
  /** Each question is a round trip to another process. */
  readonly #shapes = new Map<number, Shape<Type>>();
  readonly #awaited = new Map<number, Type>();
  #properties: NativeProperties;

  constructor(modules: NativeModules, config: string) {
    this.#modules = modules;
    this.#config = config;
    this.#api = new modules.api.API({});
    this.#snapshot = this.#api.updateSnapshot({ openProjects: [config] });
    this.#project = this.#open();
    this.#properties = this.#propertiesOf(this.#project);
  }

  registrations(): Registrations<Type> {
    const into: Gathered<Type> = { found: [], places: [], findings: [] };
    const signed: Signed[] = [];
    const { program } = this.#project;
    const names = program.getSourceFileNames();
    this.#known = new Set(names);
    const own = names.filter((file) => !/\.d\.[cm]?ts$|[\\/]node_modules[\\/]|^bundled:/.test(file));
    const registering = own.filter((file) => mayRegister(readFileSync(file, 'utf8')));
    this.sources = { own, registering };
    for (const file of registering) {
      const source = program.getSourceFile(file);
      if (source === undefined) continue;
      const calls = findRegistrations(source as unknown as SyntaxNode, source.text, {
        SyntaxKind: this.#modules.ast.SyntaxKind,
        forEachChild: (node, visit) => {
          (node as unknown as Ast.Node).forEachChild((child) => visit(child as unknown as SyntaxNode));
        },
      });
      const { checker } = this.#project;
      const nodes = calls.flatMap(({ registry, handler }) => [registry, handler] as unknown as Ast.Node[]);
      const types = nodes.length === 0 ? [] : checker.getTypeAtLocation(nodes);
      calls.forEach((call, index) => {
        if (types[index * 2]?.getSymbol()?.name !== 'RpcRegistry') return;
        const place = placeOf(file, source.text, call.nameNode.getStart());
        signed.push(...this.#register(call, types[index * 2 + 1], place, into));
      });
    }
    into.found.push(...this.#complete(signed));
    return into;
  }

  #register(
    call: RegistrationCall,
    handler: Type | undefined,
    place: Place,
    { places, findings }: Gathered<Type>,
  ): Signed[] {
    const { checker } = this.#project;
    const { name } = call;
    if (name !== undefined) places.push([name, place]);
    if (call.hasTexts) return [];
    if (name === undefined) {
      findings.push({ place, message: 'a procedure whose name is not written out cannot be inferred' });
      return [];
    }
    const signature =
      handler && checker.getSignaturesOfType(handler, this.#modules.api.SignatureKind.Call)[0];
    const output = signature && checker.getReturnTypeOfSignature(signature);
    if (signature === undefined || output === undefined) {
      findings.push({ place, message: `the handler of '${name}' is no function that can be read` });
      return [];
    }
    const [parameter] = signature.getParameters();
    return [{ name, kind: call.kind, place, hasSchema: call.hasSchema, output, parameter }];
  }

  /** With the types of their parameters, and what those hold: asked together, as each question costs. */
  #complete(signed: readonly Signed[]): Registration<Type>[] {
    const parameters = signed.flatMap(({ parameter }) => (parameter === undefined ? [] : [parameter]));
    const types = parameters.length === 0 ? [] : this.#project.checker.getTypeOfSymbol(parameters);
    const typeOf = new Map(parameters.map((parameter, index) => [parameter, types[index]]));
    const found = signed.map(({ parameter, ...one }) => {
      const type = parameter && typeOf.get(parameter);
      const isOptional = parameter !== undefined && this.#isOptionalParameter(parameter);
      return { ...one, input: type && { type, isOptional } };
    });
    const roots = found.flatMap(({ input, output, hasSchema }) => [
      ...(input === undefined || hasSchema.input ? [] : [input.type]),
      ...(hasSchema.output ? [] : [this.awaited(output)]),
    ]);
    this.#properties.prefetch(roots, (type) => this.shape(type));
    return found;
  }

  #isOptionalParameter(parameter: TsSymbol): boolean {
    const node = parameter.valueDeclaration?.resolve() as
      | { questionToken?: unknown; initializer?: unknown }
      | undefined;
    return node?.questionToken !== undefined || node?.initializer !== undefined;
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
    if (flags & TypeFlags.Unknown) return { kind: 'unknown' };
    if (flags & TypeFlags.Never) return { kind: 'never' };
    if (flags & TypeFlags.Null) return { kind: 'null' };
    if (flags & (TypeFlags.Undefined | TypeFlags.Void)) return { kind: 'undefined' };
    if (flags & TypeFlags.BigIntLike) return { kind: 'bigint' };
    if (flags & TypeFlags.ESSymbolLike) return { kind: 'symbol' };
    if (flags & TypeFlags.Boolean) return { kind: 'boolean' };
    if (type.isUnionType()) return { kind: 'union', members: type.getTypes() };
    if (type.isLiteralType()) return { kind: 'literal', value: type.value as string | number | boolean };
    if (flags & TypeFlags.StringLike) return { kind: 'string' };
    if (flags & TypeFlags.NumberLike) return { kind: 'number' };
    if (type.isIntersectionType()) return { kind: 'intersection', members: type.getTypes() };
    if (flags & (TypeFlags.TypeParameter | TypeFlags.IndexedAccess | TypeFlags.Conditional)) {
      return { kind: 'parameter', constraint: this.#project.checker.getBaseConstraintOfType(type) };
    }
    if (flags & TypeFlags.NonPrimitive) return { kind: 'unknown' };
    return this.#reference(type) ?? this.objectShape(type);
  }

  /** Arrays and tuples are references to a generic type. */
  #reference(type: Type): Shape<Type> | undefined {
    const { checker } = this.#project;
    if (!type.isTypeReference()) return undefined;
    const target = (type as TypeReference).getTarget();
    if (target.isTupleType()) {
      const { ElementFlags } = this.#modules.api;
      const items = checker.getTypeArguments(type as TypeReference);
      return {
        kind: 'tuple',
        items: items.map((item, index) => {
          const flag = target.elementFlags[index] ?? ElementFlags.Required;
          const isRest = (flag & (ElementFlags.Rest | ElementFlags.Variadic)) !== 0;
          return { type: item, is: isRest ? 'rest' : flag & ElementFlags.Optional ? 'optional' : 'required' };
        }),
      };
    }
    const name = type.getSymbol()?.name;
    if (name !== 'Array' && name !== 'ReadonlyArray') return undefined;
    const [items] = checker.getTypeArguments(type as TypeReference);
    return items && { kind: 'array', items };
  }

  objectShape(type: Type): ObjectShape<Type> {
    const { checker } = this.#project;
    const symbol = isDeclared(type, this.#modules.api) ? type.getSymbol() : undefined;
    const listed = () => this.#properties.of(type);
    return {
      kind: 'object',
      // What has properties is an object to JSON as well; only the rest is worth a question.
      isCallable: () =>
        listed().length === 0 &&
        checker.getSignaturesOfType(type, this.#modules.api.SignatureKind.Call).length > 0,
      builtIn: symbol !== undefined && isForeign(symbol) ? symbol.name : undefined,
      properties: listed,
      values: checker.getIndexInfosOfType(type)[0]?.valueType,
    };
  }

  returned(type: Type): Type | undefined {
    const { checker } = this.#project;
    const [signature] = checker.getSignaturesOfType(type, this.#modules.api.SignatureKind.Call);
    return signature && checker.getReturnTypeOfSignature(signature);
  }

  awaited(type: Type): Type {
    const known = this.#awaited.get(type.id);
    if (known !== undefined) return known;
    const awaited = this.#await(type);
    this.#awaited.set(type.id, awaited);
    return awaited;
  }

  #await(type: Type): Type {
    const name =
      type.isObjectType() && isDeclared(type, this.#modules.api) ? type.getSymbol()?.name : undefined;
    if (name !== 'Promise' && name !== 'PromiseLike') return type;
    const [inner] = this.#project.checker.getTypeArguments(type as TypeReference);
    return inner === undefined ? type : this.awaited(inner);
  }

  name(type: Type): TypeName | undefined {
    const alias = type.getAliasSymbol();
    const symbol = alias ?? (hasOwnName(type, this.#modules.api) ? type.getSymbol() : undefined);
    if (symbol === undefined || symbol.name.startsWith('__') || isForeign(symbol)) return undefined;
    const isGeneric =
      alias === undefined
        ? type.isTypeReference() && this.#project.checker.getTypeArguments(type as TypeReference).length > 0
        : type.getAliasTypeArguments().length > 0;
    if (isGeneric) return undefined;
    const place = () => placeOfSymbol(symbol) ?? { file: '', line: 0, column: 0 };
    return { name: symbol.name, isExported: symbol.getParent() !== undefined, place };
  }

  errors(): readonly Finding[] {
    const { program } = this.#project;
    const { DiagnosticCategory } = this.#modules.api;
    return this.sources.registering.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
        .filter(({ category }) => category === DiagnosticCategory.Error)
        .map(({ pos, text: message, code }) => ({
          place: placeOf(file, text, pos),
          message: `${message} (TS${code})`,
        }));
    });
  }

  update(changed: readonly string[]): void {
    const before = this.#snapshot;
    this.#snapshot = this.#api.updateSnapshot({ fileChanges: fileChanges(changed, this.#known) });
    before.dispose();
    this.#shapes.clear();
    this.#awaited.clear();
    this.#project = this.#open();
    this.#properties = this.#propertiesOf(this.#project);
  }

  close(): void {
    // A compiler that is asked to stop writes `context canceled` into the terminal; there is nothing to save.
    this.#snapshot.dispose();
    const { client } = this.#api as unknown as { client?: { channel?: { child?: ChildProcess } } };
    client?.channel?.child?.kill('SIGKILL');
    this.#api.close();
  }

  #propertiesOf({ checker }: Project): NativeProperties {
    return new NativeProperties(checker, this.#modules.api.SymbolFlags);
  }

  #open(): Project {
    const project = this.#snapshot.getProject(this.#config);
    if (project === undefined) throw new Error(`TypeScript could not open ${this.#config}`);
    return project;
  }
}
