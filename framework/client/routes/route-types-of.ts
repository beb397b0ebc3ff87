// The client of an App: the types of one route, from its extractors and what it declares to answer.

import { errorBodyOf } from '../../app/routes/layers.js';
import type { ResponseDescription } from '../../extract/route.js';
import { openApiError } from '../../openapi/openapi-error.js';
import type { DocumentSchemas } from '../../openapi/routes/document-schemas.js';
import { routeNotes } from '../../openapi/routes/route-notes.js';
import { routeName, type ShownRoute } from '../../openapi/routes/shown-route.js';
import type { AnswerTypes, RouteTypes } from '../../rpc/contract/route-types.js';
import type { ClientRoute, RouteBody, WireField, WireType } from '../../wire/wire-type.js';

const unknownType: WireType = { kind: 'unknown' };
const noBody: WireType = { kind: 'void' };
const textType: WireType = { kind: 'string' };

/** Undefined for a route that answers with bytes, which a client reads with `fetch`. */
export function routeTypesOf(
  route: ShownRoute,
  schemas: DocumentSchemas,
  inferred: RouteTypes | undefined,
): ClientRoute | undefined {
  const { method, pattern, description } = route;
  const notes = routeNotes(description.options, inferred);
  const declared = [...(description.answers ?? [])];
  if (declared.some(([, answer]) => isBytes(answer))) return undefined;
  const types = declared.map(
    ([status, answer]) => [status, answerType(route, status, answer, schemas)] as const,
  );
  const answers = types.filter(([status]) => status < 400);
  const told = toldOf(notes);
  return {
    method,
    path: pattern.source,
    params: paramsOf(route, schemas),
    query: fieldsFrom(route, 'query', schemas),
    body: bodyOf(route, schemas),
    answers: description.answers === undefined ? undefined : Object.fromEntries(answers),
    text: declared.flatMap(([status, { contentType }]) => (contentType === undefined ? [] : [status])),
    errors: {
      ...errorsOf(route, schemas),
      ...Object.fromEntries(types.filter(([status]) => status >= 400)),
    },
    ...(told !== '' && { description: told }),
    ...(notes.deprecated === true && { deprecated: true }),
  };
}

/** What the documentation comment of a method says. */
export function toldOf({ summary, description }: ReturnType<typeof routeNotes>): string {
  return [summary, description].filter((one) => one !== undefined).join('\n\n');
}

function isBytes({ contentType }: ResponseDescription): boolean {
  return contentType !== undefined && !contentType.startsWith('text/');
}

function answerType(
  route: ShownRoute,
  status: number,
  answer: ResponseDescription,
  schemas: DocumentSchemas,
): WireType {
  if (answer.contentType !== undefined) return textType;
  if (answer.body === undefined) return noBody;
  return schemas.type(`the ${status} of ${routeName(route)}`, answer.body, 'output');
}

/** A parameter that no extractor describes is a string. */
export function paramsOf(route: ShownRoute, schemas: DocumentSchemas): readonly WireField[] {
  const described = fieldsFrom(route, 'path', schemas);
  return route.pattern.names.map((name) => {
    const { type = textType } = described.find((field) => field.name === name) ?? {};
    return { name, type: inUrl(type), isOptional: false };
  });
}

export function fieldsFrom(
  route: ShownRoute,
  from: 'path' | 'query',
  schemas: DocumentSchemas,
): readonly WireField[] {
  const found = new Map<string, WireField>();
  for (const extractor of route.description.extractors) {
    const fields = extractor[from];
    if (fields === undefined) continue;
    for (const field of schemas.wireFields(`the ${from} of ${routeName(route)}`, fields, 'input')) {
      found.set(field.name, { ...field, type: inUrl(field.type) });
    }
  }
  return [...found.values()];
}

/** A schema that converts the text of a URL takes anything; a client has these types to send. */
function inUrl(type: WireType): WireType {
  if (type.kind !== 'unknown') return type;
  return { ...type, kind: 'union', members: [{ kind: 'string' }, { kind: 'number' }, { kind: 'boolean' }] };
}

function bodyOf(route: ShownRoute, schemas: DocumentSchemas): RouteBody | undefined {
  const bodies = route.description.extractors.flatMap(({ body, bodyType = 'application/json' }) =>
    body === undefined ? [] : [{ schema: body, contentType: bodyType }],
  );
  const [first, second] = bodies;
  if (first === undefined) return undefined;
  if (second !== undefined) {
    throw openApiError(
      'FW_OPENAPI_BODIES',
      `${routeName(route)} has ${bodies.length} extractors of the body, which a client cannot send as one; use one extractor`,
    );
  }
  const { schema, contentType } = first;
  const isTyped = contentType === 'application/json' || contentType === 'multipart/form-data';
  return {
    contentType,
    type: isTyped ? schemas.type(`the body of ${routeName(route)}`, schema, 'input') : textType,
  };
}

/** The errors that the route and its extractors describe, with the body that its App sends. */
function errorsOf(route: ShownRoute, schemas: DocumentSchemas): Record<string, WireType> {
  const { extractors, options } = route.description;
  const statuses = [...extractors, options].flatMap(({ errors = {} }) => Object.keys(errors));
  if (statuses.length === 0) return {};
  const type = errorType(route, schemas);
  return Object.fromEntries(statuses.map((status) => [status, type]));
}

/** The standard error of fw (`{"error", "message", "issues"}`). */
const wireError: WireType = {
  kind: 'object',
  fields: [
    {
      name: 'error',
      type: textType,
      isOptional: false,
      description: 'The kind of the error, such as NotFound.',
    },
    { name: 'message', type: textType, isOptional: false },
    {
      name: 'issues',
      isOptional: true,
      description: 'The fields that validation rejected.',
      type: {
        kind: 'array',
        items: {
          kind: 'object',
          fields: [
            {
              name: 'path',
              isOptional: false,
              type: {
                kind: 'array',
                items: { kind: 'union', members: [{ kind: 'string' }, { kind: 'number' }] },
              },
            },
            { name: 'message', type: textType, isOptional: false },
          ],
        },
      },
    },
  ],
};

function errorType(route: ShownRoute, schemas: DocumentSchemas): WireType {
  const own = errorBodyOf(route.layers);
  if (own === undefined) return schemas.named('ErrorResponse', wireError);
  return own.returns === undefined
    ? unknownType
    : schemas.type('the errors of onError', own.returns, 'output');
}

/** The route with the answers that `fw generate` inferred, if it declares none. Undefined if one of them is bytes. */
export function withInferred(
  route: ClientRoute,
  answers: AnswerTypes | undefined,
  schemas: DocumentSchemas,
): ClientRoute | undefined {
  if (route.answers !== undefined || answers === undefined) return route;
  const types = Object.entries(answers).map(([status, bodies]) => {
    const [[media, type] = ['', noBody]] = Object.entries(bodies);
    const body = media === 'application/json' ? schemas.inferredType(type) : type;
    return [status, media.startsWith('text/') ? textType : body] as const;
  });
  const text = Object.entries(answers).flatMap(([status, bodies]) =>
    Object.keys(bodies)[0]?.startsWith('text/') === true ? [Number(status)] : [],
  );
  const media = Object.values(answers).flatMap((bodies) => Object.keys(bodies));
  if (media.includes('application/octet-stream')) return undefined;
  const successes = types.filter(([status]) => Number(status) < 400);
  return {
    ...route,
    // With a status that the handler chooses, the answer may be any.
    ...(!('2XX' in answers) && { answers: Object.fromEntries(successes), text }),
    errors: { ...route.errors, ...Object.fromEntries(types.filter(([status]) => Number(status) >= 400)) },
  };
}
