// The client of an App: a typed method for each route that documents show, each socket and each procedure of a registry.

import type { App } from '../../app/app.js';
import { ConfigError } from '../../config-error.js';
import { DocumentSchemas } from '../../openapi/routes/document-schemas.js';
import { operationIds } from '../../openapi/routes/operation-ids.js';
import { RouteContract } from '../../openapi/routes/route-contract.js';
import { hasComment, isShown, routeName, shownSocket } from '../../openapi/routes/shown-route.js';
import { checkOptions, checkValue } from '../../options/check.js';
import { anything, objectWith, type Rules } from '../../options/rules.js';
import { groupsOf, reservedPart } from '../../rpc/protocol/procedure-name.js';
import type { RpcRegistry } from '../../rpc/registry/registry.js';
import { canonicalText } from '../../wire/canonical.js';
import type { ClientRoute, ClientSocket, ClientTypes, NamedTypes, WireType } from '../../wire/wire-type.js';
import type { GenerateClientFileOptions, GenerateClientOptions } from '../client-options.js';
import { CLIENT_FILE_RULES, CLIENT_RULES } from '../client-options.js';
import { routeTypesOf, withInferred } from '../routes/route-types-of.js';
import { socketTypesOf, withInferredEvents } from '../routes/socket-types-of.js';
import { clientText, writeClient } from '../write-client.js';

/** Options of `clientFromApp`. */
export interface AppClientOptions extends GenerateClientOptions {
  /** The registry that the App mounts: the client has its procedures too. */
  readonly rpc?: RpcRegistry;
  /** The contract file of `fw generate`: the answers of routes that declare none, and the comments of routes. */
  readonly contract?: unknown;
}

const RULES: Rules<AppClientOptions> = {
  ...CLIENT_RULES,
  rpc: objectWith(['types'], 'an RpcRegistry of fw/rpc'),
  contract: anything,
};

/** A typed client, before it is written. */
export class AppClient {
  readonly #types: ClientTypes;
  readonly #options: AppClientOptions;

  /** @internal */
  constructor(types: ClientTypes, options: AppClientOptions) {
    this.#types = types;
    this.#options = options;
  }

  /** The text of the client, one TypeScript file. */
  toString(): string {
    const { rpc, ...options } = this.#options;
    return clientText(this.#types, rpc?.mode ?? 'rest', options);
  }

  /** Writes the client like `generateClientFile` of a registry. @throws Error if the file cannot be written */
  async writeToFile(path: string, options: GenerateClientFileOptions = {}): Promise<void> {
    checkOptions('writeToFile', options, CLIENT_FILE_RULES);
    const { rpc, ...own } = this.#options;
    await writeClient(this.#types, rpc?.mode ?? 'rest', path, { ...own, ...options });
  }
}

/**
 * Makes a typed client of the routes that `openApiFromApp` describes, of WebSockets with events, and of the procedures
 * of `rpc`. A route is the
 * method of its `operationId`, in groups by the dots in it: `users.get` is `client.users.get({ id })`.
 *
 * ```ts no-run
 * await clientFromApp(app, { rpc }).writeToFile(process.argv[2] ?? 'client.ts');
 * ```
 *
 * @throws ConfigError if two methods would have one name, two fields of an input have one name, or a schema cannot
 * be converted to JSON Schema
 */
export function clientFromApp<Prefix extends string>(
  app: App<Prefix>,
  options: AppClientOptions = {},
): AppClient {
  checkValue('clientFromApp', 'the argument', app, objectWith(['routes'], 'an App'));
  const given = checkOptions('clientFromApp', options, RULES);
  const { contract: known, ...rest } = given;
  const { procedures, named } = given.rpc?.types() ?? { procedures: {}, named: {} };
  const contract = new RouteContract(known);
  const found = app.routes().flatMap((route) => {
    const inferred = contract.of(route);
    return isShown(route, hasComment(inferred)) ? [{ route, inferred }] : [];
  });
  const foundSockets = app.routes().flatMap((route) => {
    const shown = shownSocket(route);
    return shown === undefined ? [] : [{ route: shown, inferred: contract.ofSocket(route) }];
  });
  const ids = operationIds([...found, ...foundSockets].map(({ route }) => route));
  const schemas = new DocumentSchemas(contract.named);
  const names = new MemberNames(Object.keys(procedures));
  // Schemas have their names before inferred types do.
  const declared = found.map(({ route, inferred }) => ({
    route,
    types: routeTypesOf(route, schemas, inferred),
    answers: inferred?.answers,
  }));
  const declaredSockets = foundSockets.map(({ route, inferred }) => ({
    route,
    types: socketTypesOf(route, schemas, inferred),
    inferred,
  }));
  const routes: Record<string, ClientRoute> = Object.create(null);
  for (const { route, types, answers } of declared) {
    const whole = types && withInferred(types, answers, schemas);
    if (whole === undefined) continue;
    const name = ids.get(route) ?? '';
    names.add(name, routeName(route));
    routes[name] = whole;
  }
  const sockets: Record<string, ClientSocket> = Object.create(null);
  for (const { route, types, inferred } of declaredSockets) {
    const name = ids.get(route) ?? '';
    names.add(name, routeName(route));
    sockets[name] = withInferredEvents(types, inferred, schemas);
  }
  const types = { procedures, named: merged(named, schemas.types()) };
  if (declaredSockets.length === 0) return new AppClient({ ...types, routes }, rest);
  const hasRoutes = Object.keys(routes).length > 0;
  return new AppClient({ ...types, ...(hasRoutes && { routes }), sockets }, rest);
}

function merged(own: NamedTypes, others: NamedTypes): NamedTypes {
  const all: Record<string, WireType> = Object.assign(Object.create(null), own);
  for (const [name, type] of Object.entries(others)) {
    const present = all[name];
    if (present !== undefined && canonicalText(present) !== canonicalText(type)) {
      throw refused(`a procedure and a route have different types named '${name}'; rename one of them`);
    }
    all[name] = type;
  }
  return all;
}

/** The names of a client's methods, each once. */
class MemberNames {
  /** What has the name. */
  readonly #methods = new Map<string, string>();
  readonly #groups = new Map<string, string>();

  constructor(procedures: readonly string[]) {
    for (const name of procedures) this.#take(name, `the procedure '${name}'`);
  }

  add(name: string, route: string): void {
    const why = reservedPart(name);
    if (why !== undefined) {
      throw refused(
        `the operationId '${name}' of ${route} cannot be a method of the client: ${why}; change it`,
      );
    }
    const other =
      this.#methods.get(name) ??
      this.#groups.get(name) ??
      groupsOf(name)
        .map((group) => this.#methods.get(group))
        .find((one) => one !== undefined);
    if (other !== undefined) {
      throw refused(
        `the operationId '${name}' of ${route} and ${other} have one name in the client; change the operationId`,
      );
    }
    this.#take(name, route);
  }

  #take(name: string, user: string): void {
    this.#methods.set(name, user);
    for (const group of groupsOf(name)) this.#groups.set(group, user);
  }
}

function refused(message: string): ConfigError {
  return new ConfigError('FW_CLIENT_NAMES', message);
}
