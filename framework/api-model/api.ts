// A model of an API: what it shows, read from `api.json`.

import { urlPattern, urlTemplate } from '../router/url-pattern.js';
import type { ApiDescription, ApiRegistry, ApiSocket } from '../rpc/api-description.js';
import { allowsVoid, withoutVoid } from '../wire/union-of.js';
import type { ErrorTypes, NamedTypes, WireField, WireType } from '../wire/wire-type.js';
import { type Scheme, schemesOf } from './credentials.js';
import type { Answer, Body, Detail, Parameter, ParameterPlace } from './detail.js';
import { type Operation, operationsOf } from './operations.js';
import { accessOf } from './route-access.js';
import { RouteDetails } from './route-detail.js';
import { lookupOf } from './type-space.js';
import { fieldsOf, textOf } from './unknown-value.js';

export class Api {
  readonly title: string;
  readonly version: string | undefined;
  readonly description: string | undefined;
  readonly operations: readonly Operation[];
  readonly schemes: readonly Scheme[];
  readonly csrf: ApiDescription['csrf'];
  readonly #description: ApiDescription;
  readonly #routes: RouteDetails;
  readonly #details = new Map<string, Detail>();

  /** @param url of `api.json` */
  constructor(description: ApiDescription, url: string) {
    const info = fieldsOf(fieldsOf(description.document).info);
    this.title = textOf(info.title) ?? 'API';
    this.version = textOf(info.version);
    this.description = textOf(info.description);
    this.operations = operationsOf(description);
    this.schemes = schemesOf(description);
    this.csrf = description.csrf;
    this.#description = description;
    this.#routes = new RouteDetails(description, url);
  }

  detail(operation: Operation): Detail {
    const known = this.#details.get(operation.id) ?? this.#read(operation);
    this.#details.set(operation.id, known);
    return known;
  }

  #read({ origin }: Operation): Detail {
    const { registries, sockets, socketTypes } = this.#description;
    if (origin.from === 'document') return this.#routes.detail(origin.path, origin.method, origin.item);
    const registry = origin.from === 'registry' ? registries[origin.index] : undefined;
    const socket = origin.from === 'sockets' ? sockets[origin.index] : undefined;
    const found =
      origin.from === 'registry'
        ? registry && procedureDetail(registry, origin.name)
        : socket && socketDetail(socket, socketTypes);
    if (found === undefined) throw new Error('the operation is not in the description of the API');
    return found;
  }
}

/** A WebSocket in detail. */
function socketDetail(socket: ApiSocket, named: NamedTypes): Detail {
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

/** A procedure of a registry in detail. */
function procedureDetail(registry: ApiRegistry, name: string): Detail | undefined {
  const { types, mode, path, access } = registry;
  const procedure = types.procedures[name];
  if (procedure === undefined) return undefined;
  const { kind, input, output, description, deprecated = false, errors = {} } = procedure;
  const lookup = lookupOf(types.named);
  const isStream = kind === 'subscription';
  return {
    description,
    deprecated,
    access: accessOf(access[name] ?? { isRequired: false, scopes: [], schemes: [] }),
    parameters: [],
    bodies: input.kind === 'void' ? [] : [bodyOf(withoutVoid(input))],
    isBodyRequired: !allowsVoid(input),
    answers: [
      {
        label: isStream ? 'Each event' : 'Result',
        note: undefined,
        description: undefined,
        headers: [],
        bodies: output.kind === 'void' ? [] : [bodyOf(output)],
      },
      ...Object.entries(errors).map(([error, one]) => errorAnswer(error, one, mode === 'jsonrpc')),
    ],
    inputs: lookup,
    outputs: lookup,
    target: { kind: 'rpc', mode, path: path === null ? null : urlPattern(path), name, procedure: kind },
    problems: [],
  };
}

function bodyOf(type: WireType): Body {
  return { mediaType: 'application/json', type, examples: [] };
}

function errorAnswer(
  name: string,
  { data, code, status, message, description }: ErrorTypes,
  isJsonRpc: boolean,
): Answer {
  const number = isJsonRpc ? code : status;
  return {
    label: name,
    note: number === undefined ? undefined : `${isJsonRpc ? 'code' : 'status'} ${number}`,
    description: description ?? message,
    headers: [],
    bodies: data.kind === 'void' ? [] : [bodyOf(data)],
  };
}
