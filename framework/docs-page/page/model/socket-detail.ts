// The page about an API: a WebSocket in detail.

import { urlTemplate } from '../../../router/url-pattern.js';
import type { ApiSocket } from '../../../rpc/api-description.js';
import type { NamedTypes, WireField } from '../../../wire/wire-type.js';
import type { Detail, Parameter, ParameterPlace } from './detail.js';
import { accessOf } from './route-access.js';
import { lookupOf } from './type-space.js';

export function socketDetail(socket: ApiSocket, named: NamedTypes): Detail {
  const { types, protocols, access, clientName } = socket;
  const { path, params, query, sends, receives, hasRpc, description, deprecated = false } = types;
  const lookup = lookupOf(named);
  return {
    description,
    deprecated,
    access: accessOf(access),
    parameters: [
      ...params.map((one) => parameter('path', one)),
      ...query.map((one) => parameter('query', one)),
    ],
    bodies: [],
    isBodyRequired: false,
    answers: [],
    inputs: lookup,
    outputs: lookup,
    target: {
      kind: 'socket',
      path: urlTemplate(path),
      clientName: clientName ?? undefined,
      protocols,
      sends: sends.fields,
      otherEvents: sends.values,
      receives: receives.fields,
      hasRpc,
    },
    problems: [],
  };
}

function parameter(place: ParameterPlace, { name, type, isOptional, description }: WireField): Parameter {
  return {
    in: place,
    name,
    type,
    isRequired: !isOptional,
    description,
    isDeprecated: false,
    style: place === 'path' ? 'simple' : 'form',
    explode: place === 'query',
    isJson: false,
  };
}
