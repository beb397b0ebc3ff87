// RPC: what is made from the types of a registry: the typed client and the OpenAPI document.

import {
  CLIENT_FILE_RULES,
  CLIENT_RULES,
  type GenerateClientFileOptions,
  type GenerateClientOptions,
} from '../../client/client-options.js';
import { clientText, writeClient } from '../../client/write-client.js';
import { ConfigError } from '../../config-error.js';
import type { SecuritySchemes } from '../../extract/description.js';
import type { OpenApiSpec } from '../../openapi/openapi-spec.js';
import {
  type OpenRpcDocument,
  type OpenRpcInfo,
  registryOpenRpc,
} from '../../openapi/openrpc/registry-openrpc.js';
import {
  type ProcedureAccess,
  type RegistryOpenApiOptions,
  registryOpenApi,
} from '../../openapi/registry-openapi.js';
import { alternativesOf } from '../../openapi/security.js';
import { checkOptions, checkValue } from '../../options/check.js';
import { filled, object, type Rules, text } from '../../options/rules.js';
import { exampleOf } from '../../wire/made-value.js';
import { printDeclarations, printType } from '../../wire/print/print-typescript.js';
import { lookupIn, visitRefs } from '../../wire/resolve.js';
import type { Json, NamedTypes, WireType, WireTypes } from '../../wire/wire-type.js';
import type { Procedure } from '../procedure/procedure.js';
import { checkInfo } from './discover.js';
import type { RegistryState } from './registry-state.js';
import { registryTypes } from './registry-types.js';
import type { RpcMode } from './rpc-mode.js';
import { rememberOrigin } from './spec-origin.js';

export interface RegistryDocumentOptions {
  readonly origin?: string;
  readonly security?: SecuritySchemes | readonly SecuritySchemes[];
}

const DOCUMENT_RULES: Rules<RegistryDocumentOptions> = {
  origin: filled,
  security: object('an object of security schemes, or a list of them'),
};

/** What documents, pages and tools know of a registry. */
export class RegistryDocuments {
  readonly #state: RegistryState;

  constructor(state: RegistryState) {
    this.#state = state;
  }

  get mode(): RpcMode {
    return this.#state.mode;
  }

  /** @throws Error if a schema cannot provide its type, or two types have one name */
  types(): WireTypes {
    return registryTypes(this.#state.procedures.values(), this.#state.known);
  }

  /** Who may call the procedures; `isGuarded` if the registry has a guard of its own. */
  access(): { readonly isGuarded: boolean; readonly procedures: readonly ProcedureAccess[] } {
    return { isGuarded: this.#state.guard !== undefined, procedures: this.#state.access() };
  }

  /** The procedures with their types as TypeScript, for tools of development. */
  texts(): ProcedureTexts[] {
    return describeProcedures(this.#state.procedures.values(), () => this.types());
  }

  generateClient(options: GenerateClientOptions = {}): string {
    return clientText(this.types(), this.mode, checkOptions('generateClient', options, CLIENT_RULES));
  }

  async generateClientFile(path: string, options: GenerateClientFileOptions = {}): Promise<void> {
    const given = checkOptions('generateClientFile', options, CLIENT_FILE_RULES);
    await writeClient(this.types(), this.mode, path, given);
  }

  generateOpenapi(
    title: string,
    version: string,
    basePath: string,
    options: RegistryDocumentOptions = {},
  ): OpenApiSpec {
    checkValue('generateOpenapi', 'the title', title, filled);
    checkValue('generateOpenapi', 'the version', version, filled);
    checkValue('generateOpenapi', 'the base path', basePath, text);
    const given = checkOptions('generateOpenapi', options, DOCUMENT_RULES);
    const { origin = 'http://127.0.0.1:3000', security } = given;
    if (security !== undefined && this.mode === 'jsonrpc') {
      throw new ConfigError(
        'FW_OPENAPI_SECURITY_JSON_RPC',
        "the option 'security' of generateOpenapi is for procedures with paths of their own, and JSON-RPC has one for all; leave it out, or describe the App by openApiFromApp(app)",
      );
    }
    const spec = this.openapi({ title, version, basePath, origin, security: alternativesOf(security) });
    return rememberOrigin(spec, { from: 'registry', registry: this });
  }

  generateOpenRpc(info: OpenRpcInfo): OpenRpcDocument {
    return registryOpenRpc(this.types(), checkInfo('generateOpenRpc', info, this.mode));
  }

  /** The document with what is known of where the registry is mounted. */
  openapi(options: Omit<RegistryOpenApiOptions, 'mode' | 'access'>): OpenApiSpec {
    return registryOpenApi(this.types(), { ...options, mode: this.mode, access: this.#state.access() });
  }
}

/** A procedure with its types in TypeScript. */
interface ProcedureTexts {
  readonly name: string;
  readonly input: string;
  readonly output: string;
  readonly types: 'schema' | 'text' | 'contract';
  /** An input of its type; undefined if it has none, or the type is not known. */
  readonly example?: Json;
}

/** @param types throws if a type is not known, which the start of the App has reported */
function describeProcedures(procedures: Iterable<Procedure>, types: () => WireTypes): ProcedureTexts[] {
  const known = typesOrNone(types);
  return [...procedures].map(({ name, input, output }) => {
    const found = known.procedures[name];
    const from = [input.from, output.from].find((one) => one !== 'signature') ?? 'contract';
    const example = found && exampleOf(found.input, lookupIn(known.named));
    return {
      name,
      ...(example !== undefined && found?.input.kind !== 'void' && { example }),
      input: found === undefined ? 'unknown' : textOf(found.input, known.named),
      output: found === undefined ? 'unknown' : textOf(found.output, known.named),
      types: from as ProcedureTexts['types'],
    };
  });
}

function typesOrNone(types: () => WireTypes): WireTypes {
  try {
    return types();
  } catch {
    return { procedures: {}, named: {} };
  }
}

/** The type, and below it those that it names. */
function textOf(type: WireType, named: NamedTypes): string {
  const reached: Record<string, WireType> = Object.create(null);
  const visit = (name: string): void => {
    const target = Object.hasOwn(named, name) ? named[name] : undefined;
    if (target === undefined || reached[name] !== undefined) return;
    reached[name] = target;
    visitRefs(target, visit);
  };
  visitRefs(type, visit);
  const declarations = printDeclarations(reached).replaceAll(/^export type /gm, 'type ');
  return declarations === '' ? printType(type) : `${printType(type)}\n\n${declarations.trimEnd()}`;
}
