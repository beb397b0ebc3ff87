// OpenRPC: a registry's procedures as the document that `rpc.discover` answers with (OpenRPC 1.3.2).

import { withoutVoid } from '../../wire/union-of.js';
import { documentedNotes, type ProcedureTypes, type WireTypes } from '../../wire/wire-type.js';
import { type JsonSchema07, toJsonSchema } from '../to-json-schema.js';
import { componentName } from '../to-openapi.js';
import { methodErrors, type OpenRpcError } from './method-errors.js';
import { type OpenRpcParam, paramsOf } from './params.js';

/** The Info Object of OpenRPC. */
export interface OpenRpcInfo {
  readonly title: string;
  /** The version of the API. */
  readonly version: string;
}

/** A Method Object of OpenRPC. */
export interface OpenRpcMethod {
  readonly name: string;
  readonly description?: string;
  /** Present if clients should no longer call it; the description ends with what to call instead. */
  readonly deprecated?: true;
  /** `query`, `mutation` or `subscription`, then those of the procedure. */
  readonly tags: readonly { readonly name: string }[];
  readonly paramStructure: 'by-name' | 'by-position' | 'either';
  readonly params: readonly OpenRpcParam[];
  /** The schema of all params, if they cannot be listed one by one. */
  readonly 'x-params'?: JsonSchema07;
  /** The result, or one event of a subscription. */
  readonly result: { readonly name: string; readonly schema: JsonSchema07 };
  readonly errors: readonly OpenRpcError[];
}

/** An OpenRPC 1.3.2 document. */
export interface OpenRpcDocument {
  readonly openrpc: '1.3.2';
  readonly info: OpenRpcInfo;
  readonly methods: readonly OpenRpcMethod[];
  readonly components?: { readonly schemas: { readonly [name: string]: JsonSchema07 } };
}

export function registryOpenRpc({ procedures, named }: WireTypes, info: OpenRpcInfo): OpenRpcDocument {
  const sorted = Object.entries(procedures).sort(([a], [b]) => (a < b ? -1 : 1));
  const schemas = Object.entries(named).map(
    ([name, type]) => [componentName(name), toJsonSchema(type)] as const,
  );
  schemas.sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    openrpc: '1.3.2',
    info: { title: info.title, version: info.version },
    methods: sorted.map(([name, types]) => method(name, types, named)),
    ...(schemas.length > 0 && { components: { schemas: Object.fromEntries(schemas) } }),
  };
}

function method(name: string, procedure: ProcedureTypes, named: WireTypes['named']): OpenRpcMethod {
  const { kind, input, output, tags = [] } = procedure;
  const { structure, params, isWhole } = paramsOf(input, named);
  return {
    name,
    ...documentedNotes(procedure),
    tags: [kind, ...tags].map((tag) => ({ name: tag })),
    paramStructure: structure,
    params,
    ...(!isWhole && { 'x-params': toJsonSchema(withoutVoid(input)) }),
    result: { name: kind === 'subscription' ? 'event' : 'result', schema: toJsonSchema(output) },
    errors: methodErrors(procedure),
  };
}
