// OpenAPI: a registry's procedures as a document, in both modes.
import type { ExtractorDescription, SecuritySchemes } from '../extract/description.js';
import { urlPath } from '../router/url-pattern.js';
import { hasFiles } from '../wire/files.js';
import { lookupIn } from '../wire/resolve.js';
import {
  documentedNotes,
  type NamedTypes,
  type ProcedureKind,
  type ProcedureTypes,
  type WireType,
  type WireTypes,
} from '../wire/wire-type.js';
import { errorResponses } from './error-responses.js';
import {
  type OpenApiContent,
  type OpenApiOperation,
  type OpenApiParameter,
  OpenApiSpec,
} from './openapi-spec.js';
import { fieldsOf, mayBeNothing } from './parameters.js';
import { refusals } from './refusals.js';
import { alternativesOf, SecurityCollector, securityOf } from './security.js';
import { type OpenApiSchema, toOpenApi } from './to-openapi.js';

export interface RegistryOpenApiOptions {
  readonly title: string;
  readonly version: string;
  /** Where the procedures are mounted, such as `/api`. */
  readonly basePath: string;
  /** Scheme and authority of the server. */
  readonly origin: string;
  readonly mode: 'jsonrpc' | 'rest';
  /** Who may call the procedures. */
  readonly access: readonly ProcedureAccess[];
  /** The schemes by which callers of procedures that require it are authenticated: one of them. */
  readonly security: readonly SecuritySchemes[];
  /** What is asked before the calls, where the registry is mounted; undefined if that is not known. */
  readonly mounted?: MountedAccess | undefined;
}

/** What documents and lists know of who may call a procedure. */
export interface ProcedureAccess {
  readonly kind: ProcedureKind;
  readonly name: string;
  readonly describes: readonly ExtractorDescription[];
  readonly place: () => string;
}

/** What the routes of a registry ask, with everything around them. */
export interface MountedAccess {
  /** Before a procedure runs; by its name. */
  readonly procedures: ReadonlyMap<string, AskedAccess>;
  /** Before a JSON-RPC message is read. */
  readonly route: AskedAccess;
}

interface AskedAccess {
  readonly isRequired: boolean;
  /** The caller satisfies all of one of these. */
  readonly alternatives: readonly SecuritySchemes[];
  /** The refusals of what is around the registry. */
  readonly errors: readonly Pick<ExtractorDescription, 'errors'>[];
}

export function registryOpenApi(types: WireTypes, options: RegistryOpenApiOptions): OpenApiSpec {
  const spec = new OpenApiSpec(options.title, options.version).addServer(
    options.origin + urlPath(options.basePath),
  );
  for (const [name, type] of Object.entries(types.named)) {
    spec.addSchema(name, toOpenApi(type, types.named) as OpenApiSchema);
  }
  const procedures = Object.entries(types.procedures).sort(([a], [b]) => (a < b ? -1 : 1));
  const schemes = new SecurityCollector();
  if (options.mode === 'jsonrpc') {
    const operation = jsonRpcOperation(procedures, types.named);
    spec.addOperation('/rpc', 'POST', sharedAccess(operation, options.mounted, schemes));
    for (const [name, scheme] of schemes.all()) spec.addSecurityScheme(name, scheme);
    return spec;
  }
  const access = new Map(options.access.map(({ name, describes }) => [name, describes]));
  for (const [name, procedure] of procedures) {
    const isRead = procedure.kind !== 'mutation';
    const operation = isRead ? query(name, procedure, types.named) : mutation(name, procedure, types.named);
    const mounted = options.mounted?.procedures.get(name);
    const described = guarded(name, operation, access.get(name) ?? [], options.security, schemes, mounted);
    spec.addOperation(`/${name}`, isRead ? 'GET' : 'POST', described);
  }
  for (const [name, scheme] of schemes.all()) spec.addSecurityScheme(name, scheme);
  return spec;
}

/** The operation with the refusals and the schemes of the middleware around the procedure. */
function guarded(
  name: string,
  operation: OpenApiOperation,
  describes: readonly ExtractorDescription[],
  security: readonly SecuritySchemes[],
  schemes: SecurityCollector,
  mounted: AskedAccess | undefined,
): OpenApiOperation {
  const isRequired = mounted?.isRequired ?? describes.some((one) => one.requires !== undefined);
  const checked = describes.filter((one) => mounted === undefined || one.authenticates === undefined);
  const groups = [
    ...checked.map((one) => alternativesOf(one.security)),
    mounted === undefined ? [] : alternativesIn(mounted),
    isRequired && (mounted?.alternatives.length ?? 0) === 0 ? security : [],
  ];
  const required = securityOf(`the procedure '${name}'`, groups, {}, schemes);
  return {
    ...operation,
    responses: { ...refusals([...(mounted?.errors ?? []), ...describes]), ...operation.responses },
    ...(required !== undefined && { security: required }),
  };
}

/** Who is not authenticated may call it too, unless that is required. */
function alternativesIn({ isRequired, alternatives }: AskedAccess): readonly SecuritySchemes[] {
  return isRequired || alternatives.length === 0 ? alternatives : [...alternatives, {}];
}

/** The one path of JSON-RPC: its guards answer 401, those of procedures a JSON-RPC error. */
function sharedAccess(
  operation: OpenApiOperation,
  mounted: MountedAccess | undefined,
  schemes: SecurityCollector,
): OpenApiOperation {
  if (mounted === undefined) return operation;
  const { route, procedures } = mounted;
  const all = [route, ...procedures.values()].flatMap((one) => [...one.alternatives]);
  const asked = route.isRequired ? route : { ...route, alternatives: all };
  const security = securityOf('the procedures', [alternativesIn(asked)], {}, schemes);
  return {
    ...operation,
    responses: { ...refusals(route.errors), ...operation.responses },
    ...(security !== undefined && { security }),
  };
}

/** Also a subscription, whose input is sent in the same way. */
function query(name: string, procedure: ProcedureTypes, named: NamedTypes): OpenApiOperation {
  const { kind, input, output } = procedure;
  const parameters = fieldsOf(input, named).map(
    (field): OpenApiParameter => ({
      name: field.name,
      in: 'query',
      required: !field.isOptional,
      schema: toOpenApi(field.type, named) as OpenApiSchema,
      ...(field.description !== undefined && { description: field.description }),
    }),
  );
  return {
    operationId: name,
    ...notes(procedure),
    ...(parameters.length > 0 && { parameters }),
    responses: {
      ...(kind === 'subscription' ? events(output, named) : success(output, named)),
      ...errorResponses(procedure, named),
    },
  };
}

function mutation(name: string, procedure: ProcedureTypes, named: NamedTypes): OpenApiOperation {
  const { input, output } = procedure;
  return {
    operationId: name,
    ...notes(procedure),
    ...(input.kind !== 'void' && {
      requestBody: {
        required: !mayBeNothing(input),
        content: hasFiles(input, lookupIn(named))
          ? formContent(toOpenApi(input, named) as OpenApiSchema)
          : { 'application/json': { schema: toOpenApi(input, named) as OpenApiSchema } },
      },
    }),
    responses: { ...success(output, named), ...errorResponses(procedure, named) },
  };
}

function notes(procedure: ProcedureTypes): Partial<OpenApiOperation> {
  return { ...documentedNotes(procedure), ...(procedure.tags && { tags: procedure.tags }) };
}

/** One path for all procedures; the request body names one of them. */
function jsonRpcOperation(
  procedures: readonly (readonly [string, ProcedureTypes])[],
  named: NamedTypes,
): OpenApiOperation {
  const names = procedures.map(([name]) => name);
  const inputs = procedures.map(([, { input }]) => input).filter(({ kind }) => kind !== 'void');
  const outputsOf = (isStream: boolean): WireType[] =>
    procedures
      .filter(([, { kind }]) => (kind === 'subscription') === isStream)
      .map(([, { output }]) => output)
      .filter(({ kind }) => kind !== 'void');
  const isStreamed = procedures.some(([, { kind }]) => kind === 'subscription');
  const errors = new Set(procedures.flatMap(([, one]) => Object.keys(one.errors ?? {})));
  const anyOf = (types: readonly WireType[]): OpenApiSchema => {
    const schemas = new Map(
      types.map((type) => toOpenApi(type, named)).map((one) => [JSON.stringify(one), one]),
    );
    return schemas.size === 0 ? {} : ({ anyOf: [...schemas.values()] } as unknown as OpenApiSchema);
  };
  const request = {
    type: 'object',
    properties: {
      jsonrpc: { type: 'string', enum: ['2.0'] },
      method: { type: 'string', enum: names },
      params: anyOf(inputs),
      id: ID,
    },
    required: ['method'],
  };
  const response = {
    type: 'object',
    properties: {
      jsonrpc: { type: 'string', enum: ['2.0'] },
      result: anyOf(outputsOf(false)),
      error: {
        type: 'object',
        properties: {
          code: { type: 'integer' },
          message: { type: 'string' },
          ...(errors.size > 0 && { name: { type: 'string', enum: [...errors].sort() } }),
          data: {},
        },
        required: ['code', 'message'],
      },
      id: ID,
    },
  };
  return {
    operationId: 'rpc',
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: request },
        ...(inputs.some((one) => hasFiles(one, lookupIn(named))) &&
          formContent(request as unknown as OpenApiSchema)),
      },
    },
    responses: {
      200: {
        description: isStreamed ? `Success. ${EVENTS}` : 'Success',
        content: {
          'application/json': { schema: response },
          ...(isStreamed && { 'text/event-stream': { schema: anyOf(outputsOf(true)) } }),
        },
      },
      204: { description: 'Nothing to answer: notifications only' },
    },
  };
}

/** JSON-RPC 2.0, section 4; null in the answer to a request that could not be read. */
const ID = { anyOf: [{ type: 'string', nullable: true }, { type: 'number' }] };

const EVENTS =
  'A subscription sends server-sent events: the data of each event is JSON of the schema; the event `done` ends the ' +
  'stream, and the event `error` has the error that ended it.';

function events(output: WireType, named: NamedTypes): OpenApiOperation['responses'] {
  const schema = toOpenApi(output, named) as OpenApiSchema;
  return { 200: { description: EVENTS, content: { 'text/event-stream': { schema } } } };
}

function success(output: WireType, named: NamedTypes): OpenApiOperation['responses'] {
  const schema = output.kind === 'void' ? {} : (toOpenApi(output, named) as OpenApiSchema);
  return { 200: { description: 'Success', content: { 'application/json': { schema } } } };
}

/** @param json the schema of the JSON, in which null stands for each file */
function formContent(json: OpenApiSchema): OpenApiContent {
  const schema: OpenApiSchema = {
    type: 'object',
    description: "A call with files; it needs the header field 'X-Fw-Upload: 1'.",
    properties: {
      json,
      files: {
        type: 'array',
        items: { type: 'string' },
        description: 'JSON Pointers (RFC 6901) to the places of the files, where `json` has null.',
      },
    },
    required: ['json', 'files'],
    additionalProperties: {
      type: 'string',
      format: 'binary',
      description: 'The files, named `0`, `1` and so on in the order of `files`.',
    },
  };
  return { 'multipart/form-data': { schema } };
}
