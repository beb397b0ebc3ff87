// Inference: what a route answers, by status and media type, from the type that its handler returns.

import type { AnswerTypes } from '../../rpc/contract/route-types.js';
import { unionOf } from '../../wire/union-of.js';
import type { WireType } from '../../wire/wire-type.js';
import type { Compiler, RouteRegistration } from '../compiler/compiler.js';

/** The key of answers whose status the types do not show. */
const UNKNOWN = '2XX';

const JSON_TYPE = 'application/json';

/** The parts of what a handler may return. */
interface Parts<Type> {
  /** JSON by status. */
  readonly json: Map<string, Type[]>;
  /** Statuses and media types of other bodies, and of none: the media type is empty. */
  readonly others: Set<string>;
}

/**
 * Undefined if nothing is known.
 *
 * @param walk converts the types of a JSON body
 */
export function routeAnswers<Type>(
  compiler: Compiler<Type>,
  { output, setsStatus }: RouteRegistration<Type>,
  walk: (types: readonly Type[]) => WireType,
): AnswerTypes | undefined {
  if (output === undefined) return undefined;
  const parts: Parts<Type> = { json: new Map(), others: new Set() };
  for (const type of compiler.awaited(output)) {
    addParts(type, compiler, parts, setsStatus ? () => UNKNOWN : (status) => status);
  }
  const statuses = [...parts.json.keys(), ...[...parts.others].map((one) => one.split(' ')[0] ?? '')];
  const known = [...new Set(statuses)].sort();
  if (
    known.length === 0 ||
    (known.length === 1 && parts.others.has(`${UNKNOWN} `) && !parts.json.has(UNKNOWN))
  )
    return undefined;
  const answers: Record<string, Record<string, WireType>> = {};
  for (const status of known) {
    const bodies: Record<string, WireType> = {};
    const types = parts.json.get(status);
    if (types !== undefined) bodies[JSON_TYPE] = unionOf([walk(types)]);
    for (const media of ['text/plain', 'application/octet-stream']) {
      if (parts.others.has(`${status} ${media}`)) bodies[media] = { kind: 'string' };
    }
    answers[status] = bodies;
  }
  return answers;
}

/** @param plain the status of values that are not responses, given what it usually is */
function addParts<Type>(
  type: Type,
  compiler: Compiler<Type>,
  parts: Parts<Type>,
  plain: (usual: string) => string,
): void {
  const leaves = leavesOf(type, compiler);
  const kinds = leaves.map((leaf) => kindOf(leaf, compiler));
  // A union of JSON alone keeps its name.
  if (kinds.every((kind) => kind === 'json')) {
    addJson(parts, plain('200'), type);
    return;
  }
  for (const [index, leaf] of leaves.entries()) {
    const kind = kinds[index];
    if (kind === 'json') addJson(parts, plain('200'), leaf);
    else if (kind === 'nothing') parts.others.add(`${plain('204')} `);
    else if (kind === 'opaque') parts.others.add(`${UNKNOWN} `);
    else if (kind === 'text') parts.others.add(`${plain('200')} text/plain`);
    else if (kind === 'bytes') parts.others.add(`${plain('200')} application/octet-stream`);
    else if (typeof kind === 'object') {
      const statuses = statusesOf(kind.status, compiler);
      for (const status of statuses) addJson(parts, status, kind.body);
      if (statuses.length === 0) parts.others.add(`${UNKNOWN} `);
    }
  }
}

function addJson<Type>({ json }: Parts<Type>, status: string, type: Type): void {
  json.set(status, [...(json.get(status) ?? []), type]);
}

function leavesOf<Type>(type: Type, compiler: Compiler<Type>): readonly Type[] {
  // The members of a response are not sent.
  if (compiler.response(type) !== undefined) return [type];
  const shape = compiler.shape(type);
  return shape.kind === 'union' ? shape.members.flatMap((one) => leavesOf(one, compiler)) : [type];
}

type Leaf<Type> =
  | 'json'
  | 'text'
  | 'bytes'
  | 'nothing'
  | 'never'
  /** Anything: a response without a type, or no type at all. */
  | 'opaque'
  | { readonly body: Type; readonly status: Type };

function kindOf<Type>(type: Type, compiler: Compiler<Type>): Leaf<Type> {
  const response = compiler.response(type);
  if (response !== undefined) return response;
  const shape = compiler.shape(type);
  switch (shape.kind) {
    case 'any':
    case 'error':
    case 'unknown':
    case 'nonprimitive':
      return 'opaque';
    case 'undefined':
      return 'nothing';
    case 'never':
      return 'never';
    case 'string':
      return 'text';
    case 'literal':
      return typeof shape.value === 'string' ? 'text' : 'json';
    case 'parameter':
      return shape.constraint === undefined ? 'opaque' : kindOf(shape.constraint, compiler);
    case 'object':
      if (shape.builtIn === 'Uint8Array' || shape.builtIn === 'Buffer') return 'bytes';
      if (shape.builtIn === 'Response') return 'opaque';
      // It counts as thrown.
      return shape.builtIn?.endsWith('Error') === true ? 'never' : 'json';
    default:
      return 'json';
  }
}

/** Empty if the status is not known when the code is compiled. */
function statusesOf<Type>(type: Type, compiler: Compiler<Type>): string[] {
  const leaves = leavesOf(type, compiler).map((leaf) => compiler.shape(leaf));
  const known = leaves.flatMap((one) =>
    one.kind === 'literal' && typeof one.value === 'number' ? [String(one.value)] : [],
  );
  return known.length === leaves.length ? known : [];
}
