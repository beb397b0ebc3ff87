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
import type { ProcedureAccess } from '../../openapi/registry-openapi.js';
import { type RegistryOpenApiOptions, registryOpenApi } from '../../openapi/registry-openapi.js';
import { alternativesOf } from '../../openapi/security.js';
import { checkOptions, checkValue } from '../../options/check.js';
import { filled, object, type Rules, text } from '../../options/rules.js';
import type { WireTypes } from '../../wire/wire-type.js';
import { describeProcedures, type ProcedureTexts } from './describe-procedures.js';
import { RegistryState } from './registry-state.js';
import { registryTypes } from './registry-types.js';
import type { RpcMode } from './rpc-mode.js';
import { rememberOrigin } from './spec-origin.js';

interface RegistryDocumentOptions {
  readonly origin?: string;
  readonly security?: SecuritySchemes | readonly SecuritySchemes[];
}

const DOCUMENT_RULES: Rules<RegistryDocumentOptions> = {
  origin: filled,
  security: object('an object of security schemes, or a list of them'),
};

export abstract class RegistryDocuments {
  protected readonly state: RegistryState = new RegistryState();

  /** Takes no arguments: for REST, `RpcRegistry.withMode(RpcMode.Rest)`. @throws ConfigError if there is one */
  constructor(...none: readonly never[]) {
    if (none.length === 0) return;
    throw new ConfigError(
      'FW_RPC_CONSTRUCTOR',
      'new RpcRegistry() takes no arguments; write RpcRegistry.withMode(RpcMode.Rest) for a mode, RpcRegistry.group(name) for a group',
    );
  }

  get mode(): RpcMode {
    return this.state.mode;
  }

  /**
   * All types as they are sent; the client and the OpenAPI document are made from them.
   *
   * @throws Error if a schema cannot provide its type, or two types have one name
   */
  types(): WireTypes {
    return registryTypes(this.state.procedures.values(), this.state.known);
  }

  /** Who may call the procedures; `isGuarded` if the registry has a guard of its own. @internal */
  access(): { readonly isGuarded: boolean; readonly procedures: readonly ProcedureAccess[] } {
    return { isGuarded: this.state.guard !== undefined, procedures: this.state.access() };
  }

  /** The procedures with their types as TypeScript, for tools of development. @internal */
  texts(): ProcedureTexts[] {
    return describeProcedures(this.state.procedures.values(), () => this.types());
  }

  /** The typed client as the text of one TypeScript file. @throws Error like `types`. */
  generateClient(options: GenerateClientOptions = {}): string {
    return clientText(this.types(), this.mode, checkOptions('generateClient', options, CLIENT_RULES));
  }

  /**
   * Writes the typed client to this path, relative to the working directory, if its text differs from that of the
   * existing file.
   *
   * @throws Error like `types`, and if the file cannot be written
   */
  async generateClientFile(path: string, options: GenerateClientFileOptions = {}): Promise<void> {
    const given = checkOptions('generateClientFile', options, CLIENT_FILE_RULES);
    await writeClient(this.types(), this.mode, path, given);
  }

  /**
   * An OpenAPI document of the procedures: a path for each in REST mode, one path for all of JSON-RPC.
   *
   * @param version the version of the API
   * @param basePath the path in the `servers` entry, after `origin`, which is `http://127.0.0.1:3000` by default
   * @param options.security the schemes of the middleware around the registry, by which callers of procedures with
   * `requireAuth` are authenticated; of several objects, one. For REST.
   * @throws ConfigError like `types`, and if an argument is not of its kind
   */
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
    const spec = this.openapi({ title, version, basePath, origin, security: alternativesOf(security) });
    return rememberOrigin(spec, { from: 'registry', registry: this });
  }

  /** The document with what is known of where the registry is mounted. @internal */
  openapi(options: Omit<RegistryOpenApiOptions, 'mode' | 'access'>): OpenApiSpec {
    return registryOpenApi(this.types(), { ...options, mode: this.mode, access: this.state.access() });
  }
}
