// The page about an API: the WebSockets of an App, also those whose messages are not events.

import { socketTypesOf, withInferredEvents } from '../../client/routes/socket-types-of.js';
import { ConfigError } from '../../config-error.js';
import { DocumentSchemas } from '../../openapi/routes/document-schemas.js';
import { operationIds } from '../../openapi/routes/operation-ids.js';
import { RouteContract } from '../../openapi/routes/route-contract.js';
import { type ShownSocket, shownSocket } from '../../openapi/routes/shown-route.js';
import type { ApiSocket } from '../../rpc/api-description.js';
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import type { NamedTypes, WireType } from '../../wire/wire-type.js';
import { requirementOf } from '../routes/access.js';
import type { Route } from '../routes/route-table.js';
import type { SchemeNames } from './api-access.js';

export function describeSockets(
  routes: readonly Route[],
  known: unknown,
  schemes: SchemeNames,
): { readonly sockets: readonly ApiSocket[]; readonly socketTypes: NamedTypes } {
  const contract = new RouteContract(known);
  const schemas = new ShownSchemas(contract.named);
  const shown = routes.flatMap(listedSocket);
  const ids = operationIds(shown);
  // Schemas have their names before inferred types do.
  const declared = shown.map((route) => ({
    route,
    inferred: contract.ofSocket(route),
    types: socketTypesOf(route, schemas, contract.ofSocket(route)),
  }));
  const sockets = declared.map(({ route, inferred, types }): ApiSocket => {
    const { tags } = route.description.options;
    return {
      types: { ...withInferredEvents(types, inferred, schemas), ...(tags !== undefined && { tags }) },
      clientName: shownSocket(route) === undefined ? null : (ids.get(route) ?? null),
      protocols: route.socket.protocols,
      access: schemes.access(requirementOf(route)),
    };
  });
  return { sockets, socketTypes: schemas.types() };
}

function listedSocket(route: Route): ShownSocket[] {
  const { description } = route;
  const socket = description?.socket;
  if (description === undefined || socket === undefined || description.options.hidden === true) return [];
  return [{ ...route, description, socket }];
}

/** A schema that no client could use is shown with the reason, because the page shows more than clients have. */
class ShownSchemas extends DocumentSchemas {
  override type(what: string, schema: StandardSchemaV1, side: 'input' | 'output'): WireType {
    try {
      return super.type(what, schema, side);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return { kind: 'unknown', description: error.message };
    }
  }
}
