// Inference: the types of procedures without a schema and of routes, from the signatures of their handlers.

import type { RouteTypes, SocketTypes } from '../rpc/route-types.js';
import { canonicalText, order } from '../rpc/types/canonical.js';
import type { ProcedureNotes, ProcedureTypes, WireTypes } from '../rpc/types/wire-type.js';
import type { Compiler, Finding, Place, Registrations } from './compiler.js';
import { TypeNames } from './defined-types.js';
import type { FoundPlace, FoundProcedure, FoundTypes } from './found-types.js';
import { joinRoutes, readRoutes } from './infer-routes.js';
import { joinSockets, readSockets } from './infer-sockets.js';
import { KeptTypes, type Reach } from './kept/kept-types.js';
import { KnownTypes } from './kept/known-types.js';
import { comparePlaces } from './place-of.js';
import { TypeWalk } from './type-walk.js';
import type { Findings } from './walk-findings.js';

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

/**
 * @param kept what earlier inferences of the same compiler found
 * @param reach how the changes since then reach the files; undefined if they may reach everything
 * @throws InferenceError if a type cannot be sent as JSON, or the code does not compile
 */
export function inferTypes<Type>(
  compiler: Compiler<Type>,
  kept: KeptTypes = new KeptTypes(),
  reach?: Reach,
): InferredTypes {
  if (compiler.settingsErrors.length > 0) throw new InferenceError(compiler.settingsErrors);
  return inferFrom(compiler, kept.after(reach), kept);
}

/** Infers everything if too little is known. */
function inferFrom<Type>(compiler: Compiler<Type>, known: KnownTypes, kept: KeptTypes): InferredTypes {
  const everything = () => inferFrom(compiler, new KnownTypes(), kept);
  const registrations = compiler.registrations(known);
  if (!known.isOf(compiler.sources)) return everything();
  const errors: Finding[] = [];
  const warnings: Finding[] = [...registrations.findings];
  const names = new TypeNames();
  const read = readTypes(compiler, registrations, names, { errors, warnings });
  const found = known.with(read, names, compiler.sources);
  if (found === undefined) return everything();
  const inferred = { ...joinProcedures(found, errors), ...joinOthers(found, { errors, warnings }) };
  const isClean = errors.length + warnings.length === 0;
  // What is wrong, and which names are taken, depends on all procedures.
  if (known.isPartial && (!isClean || names.dependOnOrder)) return everything();
  // Broken code results in `any`: type errors are only looked for in that case.
  const broken = isClean ? [] : compiler.errors();
  if (broken.length > 0) throw new InferenceError(broken);
  if (errors.length > 0) throw new InferenceError(errors);
  if (isClean && !names.dependOnOrder) kept.keep(found, names, known, compiler.sources);
  else kept.forget();
  return { ...inferred, named: names.output.with(names.input), warnings };
}

function readTypes<Type>(
  compiler: Compiler<Type>,
  { found, places, notes, routes, sockets }: Registrations<Type>,
  names: TypeNames,
  { errors, warnings }: Findings,
): FoundTypes {
  const procedures = sorted(found).map((one): FoundProcedure => {
    const { name, kind, place, hasSchema } = one;
    const subject = { who: `${kind} '${name}'`, name, place };
    const walk = new TypeWalk(compiler, names, subject, { errors, warnings });
    const types = { kind, input: walk.input(one), output: walk.output(one) };
    return { name, kind, place, hasSchema, types, uses: walk.uses };
  });
  return {
    procedures,
    places: places.map(([name, place]) => ({ name, place })),
    notes,
    // After the procedures, which have the first choice of names.
    sockets: readSockets(compiler, sockets, names, { errors, warnings }),
    routes: readRoutes(compiler, routes, names, warnings),
  };
}

function joinProcedures(
  { procedures, places, notes }: FoundTypes,
  errors: Finding[],
): Pick<InferredTypes, 'procedures' | 'places' | 'notes'> {
  const types: Record<string, ProcedureTypes> = Object.create(null);
  const seen = new Map<string, FoundProcedure>();
  for (const one of sorted(procedures)) {
    const { name, place } = one;
    const other = seen.get(name);
    if (other !== undefined && !isSame(one.types, other.types)) {
      const message = `procedure '${name}' is registered at ${other.place.file}:${other.place.line} too, with other types; rename one of them`;
      errors.push({ place, message });
    }
    if (other !== undefined) continue;
    seen.set(name, one);
    if (!one.hasSchema.input || !one.hasSchema.output) types[name] = one.types;
  }
  return { procedures: types, places: byName(places), notes: firstNotes(notes) };
}

function joinOthers(
  { routes, sockets }: FoundTypes,
  { errors, warnings }: Findings,
): Pick<InferredTypes, 'routes' | 'sockets'> {
  return { sockets: joinSockets(sockets, errors), routes: joinRoutes(routes, warnings) };
}

/** Several registries may have the same procedure. */
function isSame(a: ProcedureTypes, b: ProcedureTypes): boolean {
  return (
    a.kind === b.kind &&
    canonicalText(a.input) === canonicalText(b.input) &&
    canonicalText(a.output) === canonicalText(b.output)
  );
}

function byName(places: readonly FoundPlace[]): Record<string, Place[]> {
  const grouped: Record<string, Place[]> = Object.create(null);
  for (const { name, place } of places) {
    const group = grouped[name];
    if (group === undefined) grouped[name] = [place];
    else group.push(place);
  }
  return grouped;
}

/** The first in the order of files and lines, which is the same for every compiler. */
function firstNotes(notes: Registrations<never>['notes']): Record<string, ProcedureNotes> {
  const first: Record<string, ProcedureNotes> = Object.create(null);
  const inOrder = notes.toSorted(({ place: a }, { place: b }) => comparePlaces(a, b));
  for (const { name, notes: own } of inOrder) first[name] ??= own;
  return first;
}

function sorted<One extends { readonly name: string }>(found: readonly One[]): One[] {
  return found.toSorted((a, b) => order(a.name, b.name));
}
