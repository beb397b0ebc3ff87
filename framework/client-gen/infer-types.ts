// Inference: the types of procedures without a schema and of routes, from the signatures of their handlers.

import type { RouteTypes, SocketTypes } from '../rpc/route-types.js';
import { canonicalText, order } from '../rpc/types/canonical.js';
import type { ProcedureNotes, ProcedureTypes, WireTypes } from '../rpc/types/wire-type.js';
import type { Compiler, Finding, Place, Registration, Registrations } from './compiler.js';
import { DefinedTypes } from './defined-types.js';
import { inferRoutes } from './infer-routes.js';
import { inferSockets } from './infer-sockets.js';
import { TypeWalk } from './type-walk.js';

/** The inferred types of a project. */
export interface InferredTypes extends WireTypes {
  /** The places where each procedure is registered; several if several registries have a procedure of that name. */
  readonly places: Readonly<Record<string, readonly Place[]>>;
  /** What the comments of procedures say, by the names of the procedures; also of those with schemas. */
  readonly notes: Readonly<Record<string, ProcedureNotes>>;
  /** What is known about the routes of Apps, by method and path. */
  readonly routes: Readonly<Record<string, RouteTypes>>;
  /** What is known about the sockets of Apps, by path. */
  readonly sockets: Readonly<Record<string, SocketTypes>>;
  /** Warnings, for example about `any`, which is not validated. */
  readonly warnings: readonly Finding[];
}

/** Types that cannot be sent as JSON, or code that does not compile. Nothing was inferred. */
export class InferenceError extends Error {
  override readonly name: string = 'InferenceError';
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(
      findings
        .map(({ place, message }) => `${place.file}:${place.line}:${place.column}: ${message}`)
        .join('\n'),
    );
    this.findings = findings;
  }
}

/** @throws InferenceError if a type cannot be sent as JSON, or the code does not compile */
export function inferTypes<Type>(compiler: Compiler<Type>): InferredTypes {
  if (compiler.settingsErrors.length > 0) throw new InferenceError(compiler.settingsErrors);
  const { found, findings, places, notes, routes, sockets } = compiler.registrations();
  const errors: Finding[] = [];
  const warnings: Finding[] = [...findings];
  // Inputs and outputs separately, because they allow different types: a Date can be returned, but not received.
  const names = { input: new DefinedTypes(), output: new DefinedTypes() };
  const procedures: Record<string, ProcedureTypes> = Object.create(null);
  const seen = new Map<string, { readonly place: Place; readonly types: ProcedureTypes }>();
  for (const one of sorted(found)) {
    const { name, kind, place } = one;
    const subject = { who: `${kind} '${name}'`, name, place };
    const walk = new TypeWalk(compiler, names, subject, { errors, warnings });
    const types = { kind, input: walk.input(one), output: walk.output(one) };
    const other = seen.get(name);
    if (other !== undefined && !isSame(types, other.types)) {
      const message = `procedure '${name}' is registered at ${other.place.file}:${other.place.line} too, with other types; rename one of them`;
      errors.push({ place, message });
    }
    if (other !== undefined) continue;
    seen.set(name, { place, types });
    if (!one.hasSchema.input || !one.hasSchema.output) procedures[name] = types;
  }
  // After the procedures, which have the first choice of names.
  const inferredSockets = inferSockets(compiler, sockets, names, { errors, warnings });
  const inferred = inferRoutes(compiler, routes, names);
  warnings.push(...inferred.warnings);
  // Broken code results in `any`: type errors are only looked for in that case.
  const broken = errors.length + warnings.length > 0 ? compiler.errors() : [];
  if (broken.length > 0) throw new InferenceError(broken);
  if (errors.length > 0) throw new InferenceError(errors);
  const named = names.output.with(names.input);
  return {
    procedures,
    named,
    places: byName(places),
    notes: firstNotes(notes),
    routes: inferred.routes,
    sockets: inferredSockets,
    warnings,
  };
}

/** Several registries may have the same procedure. */
function isSame(a: ProcedureTypes, b: ProcedureTypes): boolean {
  return (
    a.kind === b.kind &&
    canonicalText(a.input) === canonicalText(b.input) &&
    canonicalText(a.output) === canonicalText(b.output)
  );
}

function byName(places: Registrations<never>['places']): Record<string, Place[]> {
  const grouped: Record<string, Place[]> = Object.create(null);
  for (const [name, place] of places) grouped[name] = [...(grouped[name] ?? []), place];
  return grouped;
}

/** The first in the order of files and lines, which is the same for every compiler. */
function firstNotes(notes: Registrations<never>['notes']): Record<string, ProcedureNotes> {
  const first: Record<string, ProcedureNotes> = Object.create(null);
  const inOrder = notes.toSorted(
    ({ place: a }, { place: b }) => order(a.file, b.file) || a.line - b.line || a.column - b.column,
  );
  for (const { name, notes: own } of inOrder) first[name] ??= own;
  return first;
}

function sorted<Type>(found: readonly Registration<Type>[]): Registration<Type>[] {
  return found.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
