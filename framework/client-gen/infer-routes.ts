// Inference: what documents say about the routes of an app, from the types that their handlers return.

import type { AnswerTypes, RouteTypes } from '../rpc/contract/route-types.js';
import { canonicalText, order } from '../wire/canonical.js';
import type { Compiler, Finding, RouteRegistration } from './compiler/compiler.js';
import { comparePlaces } from './compiler/place-of.js';
import type { FoundPlace, FoundRoute } from './found-types.js';
import type { TypeNames } from './walk/defined-types.js';
import { routeAnswers } from './walk/route-answers.js';
import { TypeWalk } from './walk/type-walk.js';

/**
 * Nothing in a route makes a generation fail, because requests are answered without the inferred types.
 *
 * @param warnings about types that JSON does not have, which are `unknown`
 */
export function readRoutes<Type>(
  compiler: Compiler<Type>,
  registered: readonly RouteRegistration<Type>[],
  names: TypeNames,
  warnings: Finding[],
): FoundRoute[] {
  return inOrder(registered).map((route) => {
    const { name, notes, prefix, place } = route;
    const findings = { errors: warnings, warnings: [] };
    const walk = new TypeWalk(compiler, names, { who: name, name, place }, findings);
    const answers = routeAnswers(compiler, route, (types) => walk.answer(types));
    const types = { ...notes, ...(prefix !== '' && { prefix }), ...(answers !== undefined && { answers }) };
    return { name, place, types, uses: walk.uses };
  });
}

/** By method and path. @param warnings about routes that cannot be told apart */
export function joinRoutes(
  found: readonly FoundRoute[],
  warnings: Finding[],
): Readonly<Record<string, RouteTypes>> {
  const routes: Record<string, RouteTypes> = Object.create(null);
  const first = new Map<string, FoundRoute>();
  const ambiguous = new Set<string>();
  for (const route of inOrder(found)) {
    const { name, types, place } = route;
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, route);
      routes[name] = types;
    } else if (!isSame(types, other.types)) {
      ambiguous.add(name);
      warnings.push({ place, message: sameName(name, other) });
    }
  }
  for (const name of ambiguous) delete routes[name];
  for (const [name, types] of Object.entries(routes))
    if (Object.keys(types).length === 0) delete routes[name];
  return routes;
}

/** By name, and then by the order of files and lines, which is the same for every compiler. */
function inOrder<Route extends FoundPlace>(routes: readonly Route[]): readonly Route[] {
  return routes.toSorted((a, b) => order(a.name, b.name) || comparePlaces(a.place, b.place));
}

function isSame(a: RouteTypes, b: RouteTypes): boolean {
  const said = ({ description, deprecated, prefix }: RouteTypes) => [description, deprecated, prefix];
  return (
    JSON.stringify(said(a)) === JSON.stringify(said(b)) && answersText(a.answers) === answersText(b.answers)
  );
}

function answersText(answers: AnswerTypes | undefined): string {
  if (answers === undefined) return '';
  const texts = Object.entries(answers).map(([status, bodies]) => [
    status,
    ...Object.entries(bodies).map(([media, type]) => [media, canonicalText(type)]),
  ]);
  return JSON.stringify(texts);
}

function sameName(name: string, { place: { file, line } }: FoundRoute): string {
  return (
    `${name} is registered on another App too, at ${file}:${line}, with other answers or another comment, and ` +
    "documents show those of neither; give each App the path that it is mounted under: new App<'/users'>()"
  );
}
