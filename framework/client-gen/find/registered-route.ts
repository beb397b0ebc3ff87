// Inference: what a call registers on an App: its route, the type that its handler returns, and its comment.

import type { ProcedureNotes } from '../../wire/wire-type.js';
import type { Asked, Place, RouteRegistration, Shape } from '../compiler/compiler.js';
import type { SyntaxNode } from '../compiler/syntax.js';
import { describedText } from '../walk/doc-comment.js';
import { type RouteCall, setsStatus } from './find-routes.js';

/** The queries to a compiler about routes. */
export interface AskedOfRoutes<Type> extends Asked<Type> {
  /** The return type of a function; undefined for other types. */
  returned(type: Type): Type | undefined;
}

/**
 * @param prefix of the type of the App
 * @returns undefined if documents show nothing of it: it has neither a description nor a comment, or its path is not
 * known
 */
export function registeredRoute<Type>(
  call: RouteCall,
  prefix: string,
  asked: AskedOfRoutes<Type>,
  place: Place,
): RouteRegistration<Type> | undefined {
  const path = call.path ?? pathOfConstant(call.pathNode, asked);
  if (path === undefined) return undefined;
  const declared = call.isDeclared ? asked.declaredAt(call.handler) : undefined;
  const comment = call.comment ?? declared?.comment;
  if (!call.isDescribed && comment === undefined) return undefined;
  const description = comment && describedText(comment);
  const deprecated = comment?.deprecated;
  const notes: ProcedureNotes = {
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
  };
  const handler = call.hasReturns ? undefined : asked.typeAt(call.handler);
  return {
    name: `${call.method} ${whole(prefix, path)}`,
    prefix,
    place,
    notes,
    setsStatus: call.setsStatus || setsStatus(declared?.code ?? ''),
    output: handler && asked.returned(handler),
  };
}

/** The path of a constant: a text, or what `route` returned. */
export function pathOfConstant<Type>(
  pathNode: SyntaxNode,
  { typeAt, shape }: Asked<Type>,
): string | undefined {
  const type = typeAt(pathNode);
  const constant = type && shape(type);
  const property =
    constant?.kind === 'object' ? constant.properties().find(({ name }) => name === 'path') : undefined;
  return literalOf(property === undefined ? constant : shape(property.type));
}

/** The path with the prefix that the type of its App declares. */
export function whole(prefix: string, path: string): string {
  return path === '/' && prefix !== '' ? prefix : prefix + path;
}

function literalOf(shape: Shape<unknown> | undefined): string | undefined {
  return shape?.kind === 'literal' && typeof shape.value === 'string' && shape.value.startsWith('/')
    ? shape.value
    : undefined;
}
