// The page about an API: what it shows, read from `api.json`.
import type { ApiDescription } from '../../../rpc/api-description.js';
import { type Scheme, schemesOf } from './credentials.js';
import type { Detail } from './detail.js';
import { type Operation, operationsOf } from './operations.js';
import { procedureDetail } from './procedure-detail.js';
import { RouteDetails } from './route-detail.js';
import { socketDetail } from './socket-detail.js';
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
